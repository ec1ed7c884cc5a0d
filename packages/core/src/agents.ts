import type { CallEffects, Label, Labels } from './acts.ts';
import type { ActorKey, Digest, Json, JsonObject, Reason } from './json.ts';
import type { Question } from './people.ts';

// Agents: what deciders, providers, tools and hosts exchange, to start from. The chart's own form, state and effects live in @warrant/chart.

export type Candidate = { readonly event: string; readonly payload: JsonObject; readonly conditional: boolean };
export type DecisionRequest = {
  readonly correlation: string;
  readonly actor: string;
  readonly state: string;
  readonly candidates: readonly Candidate[];
  readonly context: JsonObject;
  readonly labels: Labels;
  readonly binding: string;
  readonly fallback: boolean;
  readonly fingerprint: Digest;
};
export type Usage = { readonly promptTokens: number; readonly completionTokens: number; readonly cost?: number };
export type Annotations = {
  readonly rationale?: string;
  readonly confidence?: number;
  readonly kind?: string;
  readonly binding?: string;
  readonly model?: string;
  readonly promptHash?: Digest;
  readonly usage?: Usage;
  readonly fallback?: boolean;
};
export type Decision =
  | { readonly type: 'decision'; readonly event: string; readonly payload: Json; readonly annotations?: Annotations }
  | { readonly type: 'refusal'; readonly reason: string };
export interface Decider {
  readonly kind: 'guard' | 'llm' | 'human' | 'actor' | 'custom';
  decide(request: DecisionRequest, signal: AbortSignal): Promise<Decision>;
  cancel?(correlation: string): void;
}
/** No grant declared = the empty grant. `*` = all that the parent has, never more. */
export type Grant = {
  readonly targets: readonly string[];
  readonly tools: readonly string[];
  readonly deciders: readonly string[];
  readonly functions: readonly string[];
};
export type ProviderRequest = {
  readonly prompt: string;
  readonly model: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly output?: JsonObject;
  readonly tools: readonly { readonly iri: string; readonly description?: string; readonly arguments: JsonObject }[];
};
export type ProviderResult = {
  readonly content: Json;
  readonly model: string;
  readonly usage: Usage;
  readonly toolCalls: readonly { readonly tool: string; readonly arguments: JsonObject }[];
};
export type ProviderFailure = {
  readonly class:
    | 'rate-limited'
    | 'schema'
    | 'transport'
    | 'auth'
    | 'invalid-request'
    | 'provider'
    | 'unknown-provider';
  readonly retryAfterMs?: number;
};
export interface Provider {
  complete(
    request: ProviderRequest,
    signal: AbortSignal,
  ): Promise<
    | { readonly type: 'ok'; readonly result: ProviderResult }
    | { readonly type: 'failed'; readonly failure: ProviderFailure }
  >;
  stream?(
    request: ProviderRequest,
    signal: AbortSignal,
  ): AsyncIterable<
    | { readonly type: 'partial'; readonly text: string }
    | { readonly type: 'ok'; readonly result: ProviderResult }
    | { readonly type: 'failed'; readonly failure: ProviderFailure }
  >;
}
/** A guarded function is a tool: GuardOutcome `executed` = ok, `blocked`, `ungrounded`, `declined` = refused, `pending` = pending, `failed` = failed. */
export type ToolOutcome =
  | { readonly type: 'ok'; readonly result: Json; readonly label: Label }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] }
  | { readonly type: 'pending'; readonly question: Question }
  | { readonly type: 'failed' | 'unknown'; readonly message: string };
export interface Tool {
  readonly iri: string;
  readonly arguments: JsonObject;
  readonly result: JsonObject;
  readonly digest: Digest;
  readonly repeatable: boolean;
  effects?(args: JsonObject): CallEffects;
  call(
    args: JsonObject,
    options: { readonly key: string; readonly actor: ActorKey; readonly labels: Labels; readonly signal: AbortSignal },
  ): Promise<ToolOutcome>;
  status?(key: string): Promise<ToolOutcome | { readonly type: 'never-seen' }>;
}
// ── Agent streams. One append per input at `expected: head`: the input and what its step asks for, so that no second index can disagree.
export type AgentInput = {
  readonly type:
    | 'start'
    | 'event'
    | 'decision'
    | 'refusal'
    | 'timer'
    | 'llm.result'
    | 'llm.error'
    | 'tool.result'
    | 'reply'
    | 'review';
  readonly at: string;
  readonly data: Json;
};
export type AgentIntent =
  | {
      readonly type: 'call';
      readonly effect: string;
      readonly kind: 'tool' | 'llm' | 'decider';
      readonly host: string;
      readonly until: string;
    }
  | { readonly type: 'timer'; readonly timer: string; readonly due: string }
  | { readonly type: 'timer-cancelled'; readonly timer: string };
/** Rebuilt from `readAll`; losing it loses no timer. */
export interface TimerIndex {
  note(
    cursor: string,
    changes: readonly { readonly actor: string; readonly timer: string; readonly due: string | null }[],
  ): Promise<void>;
  due(
    now: string,
    limit: number,
  ): Promise<readonly { readonly actor: string; readonly timer: string; readonly due: string }[]>;
  cursor(): Promise<string | undefined>;
}
/** An attribute or element in a foreign namespace on any node of a chart, kept by every reader and writer. */
export type Extension =
  | { readonly namespace: string; readonly local: string; readonly attribute: string }
  | {
      readonly namespace: string;
      readonly local: string;
      readonly attributes: { readonly [name: string]: string };
      readonly children: readonly (Extension | string)[];
    };
