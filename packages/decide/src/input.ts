import type { ChartIr } from '@warrant/chart';
import type { Annotations, Digest, Grant, Json, JsonObject, Label, Reason, Usage } from '@warrant/core';
import type { LlmFailureClass, ToolFailureClass } from './state.ts';

/** One input of an agent: what the journal holds and replay reads. */
export type Input = { readonly at: string } & (
  | { readonly type: 'start'; readonly data: StartData }
  | { readonly type: 'event'; readonly data: EventData }
  | { readonly type: 'decision'; readonly data: DecisionData }
  | {
      readonly type: 'refusal';
      readonly data: { readonly correlation: string; readonly reason: string; readonly annotations?: Annotations };
    }
  | { readonly type: 'timer'; readonly data: { readonly timer: string } }
  | { readonly type: 'llm.result'; readonly data: LlmResultData }
  | { readonly type: 'llm.error'; readonly data: LlmErrorData }
  | { readonly type: 'tool.result'; readonly data: ToolResultData }
  | {
      readonly type: 'reply';
      readonly data: { readonly effect: string; readonly outcome: 'delivered' | 'unknown-actor' };
    }
  | { readonly type: 'review'; readonly data: ReviewData }
);

export type StartData = {
  readonly program: Digest;
  readonly input: JsonObject;
  readonly grant: Grant;
  readonly tools: readonly string[];
  readonly maxAsks: number | null;
  /** Of the input; missing counts as `web`. */
  readonly label?: Label;
};

export type EventData = {
  readonly name: string;
  readonly data: Json;
  readonly origin?: string;
  readonly sendid?: string;
  readonly label?: Label;
};

export type DecisionData = {
  readonly correlation: string;
  readonly event: string;
  readonly payload: Json;
  readonly annotations?: Annotations;
};

export type LlmResultData = {
  readonly effect: string;
  readonly content: Json;
  readonly model: string;
  readonly promptHash: Digest;
  readonly usage: Usage;
  readonly latencyMs: number;
  readonly toolCalls: readonly { readonly tool: string; readonly arguments: JsonObject }[];
};

export type LlmErrorData = {
  readonly effect: string;
  readonly class: LlmFailureClass;
  readonly promptHash: Digest;
  readonly retryAfterMs?: number;
  readonly usage?: Usage;
};

export type ToolResultData = {
  readonly effect: string;
} /** The tool waits for a person, and when the person has answered, for being called again. */ & (
  | { readonly outcome: 'pending'; readonly question: string }
  | { readonly outcome: 'answered'; readonly question: string }
  | { readonly outcome: 'ok'; readonly result: Json; readonly label: Label }
  | {
      readonly outcome: 'error';
      readonly class: ToolFailureClass;
      readonly message: string;
      readonly paths?: readonly string[];
      readonly reasons?: readonly Reason[];
    }
);

export type ReviewData = {
  readonly proposal: string;
  readonly decision: 'approved' | 'rejected';
  readonly reason?: string;
  readonly chart?: ChartIr;
  readonly migration?: Migration;
};

/** How the stored state of one chart version becomes the state of the next. */
export type Migration = {
  /** New ids of states that were renamed. */
  readonly states?: Readonly<Record<string, string>>;
  /** Data to set after the map, each a CEL expression over `ctx`, the old data. */
  readonly assign?: readonly { readonly location: string; readonly expr: string }[];
  /** Data that the new version does not know. */
  readonly drop?: readonly string[];
};

/** What a turn decided, written down beside its input so that people need no replay to read it. */
export type Fact =
  | {
      readonly type: 'offered';
      readonly correlation: string;
      readonly state: string;
      readonly binding: string;
      readonly fallback: boolean;
      readonly fingerprint: Digest;
      readonly candidates: readonly string[];
    }
  | {
      readonly type: 'closed';
      readonly correlation: string;
      readonly why: 'left' | 'entered-again' | 'changed' | 'deadline';
    }
  | {
      readonly type: 'accepted';
      readonly correlation: string;
      readonly event: string;
      readonly transitions: readonly string[];
    }
  | {
      readonly type: 'invalid';
      readonly correlation: string;
      readonly event: string;
      readonly reason: InvalidReason;
      readonly paths: readonly string[];
    }
  | { readonly type: 'refused'; readonly correlation: string }
  | { readonly type: 'raised'; readonly event: string; readonly state: string }
  | {
      readonly type: 'called';
      readonly effect: string;
      readonly kind: 'tool' | 'llm' | 'message';
      readonly name: string;
      readonly promptHash?: Digest;
    }
  /** A call that nobody waits for any more: the state that made it was left. */
  | { readonly type: 'cancelled'; readonly effect: string }
  /** What was started with a grant that holds anything: a model call, a plan or a chart. */
  | { readonly type: 'granted'; readonly effect: string; readonly parent: string; readonly grant: Grant }
  | {
      readonly type: 'not-granted';
      readonly session: string;
      readonly what: keyof Grant;
      readonly name: string;
      readonly event: string;
    }
  | {
      readonly type: 'plan';
      readonly outcome: 'accepted' | 'rejected';
      readonly effect: string;
      readonly plan: Digest | null;
      readonly class?: string;
      readonly call: string | null;
    }
  | {
      readonly type: 'version';
      readonly outcome: 'accepted' | 'rejected';
      readonly proposal: string;
      readonly program: Digest | null;
      /** Of a version that was not taken. */
      readonly reason?: string;
    }
  | { readonly type: 'moved'; readonly from: readonly string[]; readonly to: readonly string[] };

export type InvalidReason = 'not-a-candidate' | 'payload-schema' | 'stale' | 'annotation' | 'not-enabled';
