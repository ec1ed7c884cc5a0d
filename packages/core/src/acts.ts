import type { ActorKey, Digest, Json, JsonObject } from './json.ts';

/** Text that is not an object (as models sometimes send) travels as `{ $text: '…' }`. */
export type ToolCall = {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly actor?: ActorKey;
  readonly directory?: string;
  readonly labels?: Labels;
};
/** Least to most. What is made from several sources has the least of theirs. */
export type Trust = 'web' | 'tool' | 'provider' | 'agent' | 'human';
export type Label = { readonly trust: Trust; readonly sources: readonly string[] };
/** JSON Pointer into the arguments to label; in CEL `call.labels['/to'].trust`. A missing label counts as `web` where a rule asks. */
export type Labels = { readonly [pointer: string]: Label };
/** What a call may do, as far as it can be known beforehand. Lists hold resolved paths. */
export type CallEffects = {
  readonly class: 'read' | 'write' | 'unknown';
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly unknownTargets: readonly ('reads' | 'writes' | 'deletes')[];
  readonly network: 'yes' | 'no' | 'unknown';
};
export type CallClassifier = (call: ToolCall) => CallEffects;
/** A call that begins. `startSeq` and `endSeq` come from one counter per session: they order parallel calls without a clock. */
export type Started = {
  readonly call: ToolCall;
  readonly startSeq: number;
  readonly effects: CallEffects;
  readonly expects?: Json;
};
export type Observation = {
  readonly callId: string;
  readonly endSeq: number;
  readonly outcome: 'ok' | 'error' | 'not-run';
  readonly result: Json;
  readonly full?: { readonly digest: Digest; readonly bytes: number };
  readonly signals?: readonly string[];
  readonly readBackOf?: string;
};
/** What a tool that was let run gave back, for those who learn from failures; what is one is their own judgement. */
export type ToolFailure = {
  readonly call: ToolCall;
  readonly observation: Pick<Observation, 'outcome' | 'result' | 'full'>;
  /** What the call was checked for. */
  readonly concepts: readonly string[];
};
