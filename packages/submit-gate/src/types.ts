import type { CallClassifier, Digest, Gate, Json, JsonObject, Observation, Reason } from '@warrant/core';
import type { PostconditionAnswer, ResolvedConfig } from './config-types.ts';

/** `unverified` is legal in every state; `none` makes no factual claim. */
export type ClaimType = 'assertion' | 'completion' | 'unverified' | 'none';

/** What an agent says at the boundary. */
export type Claim = {
  /** A {@link ClaimType}; anything else is refused with `gate.unknown-claim-type`. */
  readonly type: string;
  /** The message itself. Its codes and numbers are held against what was observed. */
  readonly text?: string;
  /** Identifiers the claim is about; each must have been observed. */
  readonly about?: readonly string[];
  /** For each sentence that claims a change, the identifiers it names. */
  readonly changes?: readonly (readonly string[])[];
  /** `negative` says that something failed or is absent; an error or an empty answer supports only that. @default positive */
  readonly stance?: 'positive' | 'negative';
};

/** Class of what an observation shows. */
export type EvidenceClass = 'positive' | 'empty' | 'error' | 'contradicting';

/** A call that has begun and not reported. */
export type RunningCall = {
  readonly id: string;
  readonly tool: string;
  readonly kind: CallKind;
  readonly from: number;
  /** When the last change before it ended; left out where there was none. */
  readonly after?: number;
  /** When changes ended while it runs, the last 8. */
  readonly beside?: readonly number[];
  /** What it looks at or changes, the first 8; null where it cannot be known. */
  readonly targets: readonly string[] | null;
  /** True for a change of more than that. */
  readonly many?: true;
  /** True when it shows names only. */
  readonly lists?: boolean;
  /** Hash of tool and arguments. */
  readonly key: string;
  /** True when its arguments meet the surface. */
  readonly meets: boolean;
  /** Kept only where a contract, an expectation or an extractor reads them. */
  readonly args?: Json;
  /** Value of the argument that says what the tool does. */
  readonly variant?: string;
  readonly rule?: string;
  /** What a check shows when it passes. */
  readonly signals?: readonly string[];
  /** True when the exit code of the command is its own (no pipe after it). */
  readonly exact?: boolean;
  /** True when something of which nothing is known runs in front of a check. */
  readonly changes?: boolean;
  /** True for a change that touches nothing that was seen. */
  readonly keeps?: boolean;
  readonly size: number;
};
export type CallKind = 'read' | 'write' | 'check' | 'run' | 'neutral';

/** A change that nobody has looked at since. */
export type Obligation = {
  readonly id: string;
  readonly tool: string;
  readonly key: string;
  readonly targets: readonly string[] | null;
  readonly gone?: readonly string[];
  readonly from: number;
  /** When it ended; null while it runs or when it never reported. */
  readonly ended: number | null;
  readonly failed: boolean;
  /** Values that were never observed before the change began. */
  readonly blind?: readonly string[];
  readonly expects?: Expectation;
  readonly contradicted?: { readonly by: string; readonly found: string };
  readonly redo: boolean;
  readonly readBack?: { readonly tool: string; readonly arguments: JsonObject };
  readonly size: number;
};

/** `stated` must be found; `derived` (from the arguments) refuses only when the answer shows something else. */
export type Expectation = {
  readonly type: 'stated' | 'derived';
  readonly value: Json;
  readonly replaces?: string;
};

export type Considered = {
  readonly callId: string;
  readonly tool: string;
  readonly evidence: EvidenceClass | 'not-run';
  /** What it supports. */
  readonly tier: 'none' | 'observed' | 'verified';
  /** Why it did not count, or `ok`. */
  readonly cause:
    | 'ok'
    | 'not-novel'
    | 'not-relevant'
    | 'not-read-only'
    | 'error'
    | 'empty'
    | 'contradicting'
    | 'not-run'
    | 'neutral'
    | 'signal';
};

/** An answer that counted in this turn. */
export type Evidence = {
  readonly callId: string;
  readonly tier: 'observed' | 'verified';
  readonly seq: number;
  /** What it was of, where that can be said in few words. */
  readonly targets?: readonly string[];
  /** True once something it was of has changed. */
  readonly stale?: true;
  /** True for a passing check beside a running change: it verifies only if that has no effect. */
  readonly held?: true;
};

/** When something was last changed, and when the last look at it began that no change has overtaken. */
export type Thing = { readonly name: string; readonly changed?: number; readonly seen?: number };

/** Things that no longer fit: the latest change of one, the earliest look at one that was fresh, and whether one was not. */
export type PastThings = { readonly changed: number | null; readonly seen: number | null; readonly unseen: boolean };

/** Everything the gate knows, as JSON. */
export type GateState = {
  readonly version: 3;
  /** Digest of the config that made it. */
  readonly config: Digest;
  readonly turn: number;
  readonly budget: number;
  readonly halted: boolean;
  readonly rejections: number;
  readonly grounded: boolean;
  readonly verified: boolean;
  /** An error or an empty answer was seen; it supports negative claims. */
  readonly absent: boolean;
  readonly trailingError: boolean;
  readonly seq: number;
  readonly lastMutation: number | null;
  readonly lastVerification: number | null;
  readonly running: readonly RunningCall[];
  readonly open: readonly Obligation[];
  /** Open obligations that can no longer be named. */
  readonly beyond: number;
  readonly met: { readonly count: number; readonly last: { readonly id: string; readonly by: string } | null };
  readonly reportedUnverified: number;
  readonly changed: readonly string[];
  /** What was changed or looked at by name, the latest last; outlives turns. */
  readonly things: readonly Thing[];
  readonly past: PastThings;
  /** When a change of nobody knows what last ended. */
  readonly unknownChange: number | null;
  readonly signals: { readonly [name: string]: { readonly from: number; readonly covers?: readonly string[] } };
  /** Signals of checks that failed after something had changed and have not passed since. */
  readonly failing: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly considered: readonly Considered[];
  /** Hashes of answers that are known, each with the change before the look, the oldest first. */
  readonly novelty: readonly number[];
  /** The latest of them; they join the others a few at a time. */
  readonly recent: readonly number[];
  readonly codes: readonly string[];
  readonly codesFull: boolean;
};

/** A call or a submit that would help. */
export type LegalMove =
  | {
      readonly type: 'observe';
      readonly obligation: string | null;
      readonly targets: readonly string[];
      readonly tool?: string;
      readonly arguments?: JsonObject;
    }
  | { readonly type: 'redo'; readonly obligation: string; readonly tool: string; readonly targets: readonly string[] }
  | { readonly type: 'check'; readonly signals: readonly string[]; readonly obligations: readonly string[] }
  | { readonly type: 'report'; readonly callId: string }
  | { readonly type: 'change' }
  | { readonly type: 'submit'; readonly claim: 'unverified' };

export type GateVerdict = {
  readonly type: 'accepted' | 'refused';
  readonly claim: string;
  /** For a refusal why; for an acceptance remarks such as codes that were never observed. */
  readonly reasons: readonly Reason[];
  readonly considered: readonly Considered[];
  readonly legalNext: readonly LegalMove[];
  /** True when a verifier's confidence, and nothing else, refused. */
  readonly downgraded: boolean;
  readonly confidence: number | null;
};

/** Facts taken from a whole answer, kept with its record so that a re-check needs no full text. */
export type ObservationFacts = {
  readonly evidence: 'positive' | 'empty' | 'error';
  /** Hash of the call and its normalized answer; 0 where none is needed. */
  readonly novelty: number;
  readonly mentions: readonly string[];
  readonly shows: readonly string[];
  readonly codes: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly own: PostconditionAnswer | null;
  readonly expectations: { readonly [obligation: string]: ExpectationAnswer };
};
export type ExpectationAnswer =
  | { readonly type: 'matches' | 'silent' }
  | { readonly type: 'differs'; readonly found: string };

/** An observation as a record holds it: long text cut, its facts kept. */
export type RecordedObservation = Observation & { readonly facts?: ObservationFacts };

export type Progress = {
  readonly budget: number;
  readonly cap: number;
  readonly refill: number;
  readonly budgetHeadroom: number;
  readonly turn: number;
  readonly grounded: boolean;
  readonly verified: boolean;
  readonly rejections: number;
  readonly halted: boolean;
  readonly sinceMutation: number | null;
  readonly sinceVerification: number | null;
  readonly observations: number;
  readonly open: number;
  readonly met: number;
  readonly reportedUnverified: number;
  readonly unmetSignals: readonly string[];
};

export interface SubmitGate extends Gate<GateState, GateVerdict, Claim> {
  readonly config: ResolvedConfig;
  observe(state: GateState, event: RecordedObservation): GateState;
  /** The next turn; codes of the person's message count as known. */
  beginTurn(state: GateState, message?: string): GateState;
  /** What a call does, by contract, command table and classifier. */
  effectsOf: CallClassifier;
  /** The facts that `observe` would decide on, for a record that cuts long text. */
  factsOf(state: GateState, event: RecordedObservation): ObservationFacts;
  /** Pure snapshot for display. */
  progress(state: GateState): Progress;
  /** The same state when this gate may go on with it. @throws SUBMIT_GATE_CONFIG_CHANGED, SUBMIT_GATE_STATE_INVALID */
  resume(state: unknown): GateState;
}
