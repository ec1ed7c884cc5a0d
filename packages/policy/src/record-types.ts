import type { Digest, Json, JsonObject, Verdict } from '@warrant/core';
import type { DormantRule } from './decide.ts';
import type { Extraction } from './guard-options.ts';

/** What a guarded call came to before its effect. */
export type RecordedOutcome = 'run' | 'ungrounded' | 'blocked' | 'declined' | 'pending';

/** Data of an entry `guard.verdict`: with the entries it names, all that is needed to decide again. */
export type RecordedVerdict = {
  /** Its id is the entry's correlation id. */
  readonly call: JsonObject;
  readonly extraction: Extraction;
  readonly minDepth: number | null;
  readonly cardinality: string | null;
  readonly dormant: DormantRule;
  readonly inputs: Verdict['inputs'];
  /** Digest, and id, of the entry `guard.facts` that holds what the gate read of the grounding. */
  readonly facts: Digest;
  /** False when the journal holds only the digest of the view. */
  readonly viewRecorded: boolean;
  /** What the conditions answered, in the order of the questions: a letter each, with a count where it repeats. */
  readonly answers: string;
  /** Messages of conditions, by the index of the question; long ones may be missing. */
  readonly messages: readonly (readonly [number, string])[];
  readonly decision: Verdict['decision'];
  readonly enforced: boolean;
  readonly outcome: RecordedOutcome;
  /** Codes of the reasons and the policies they name, the first six. */
  readonly reasons: readonly (readonly [string, string])[];
  readonly approval: JsonObject | null;
  /** Order of the start among the calls of a session; null when the tool does not run. */
  readonly startSeq: number | null;
};

/** Data of an entry `guard.failed`: a call that ended before there was a decision, or before its effect. */
export type RecordedFailure = {
  readonly call: JsonObject;
  readonly stage: 'before';
  readonly error: Json;
};
