import type { ChartIr, ChartState } from '@warrant/chart';
import type { Digest, Grant, Json, JsonObject, Label, Labels, ProviderFailure, Reason } from '@warrant/core';

/** Everything that an agent remembers between two inputs, as plain JSON. */
export type AgentState = {
  /** Digest of the root's chart; a new chart version changes it. */
  readonly program: Digest;
  /** Position of the last input that was applied; 0 before the start. */
  readonly position: number;
  readonly status: 'running' | 'done' | 'stopped';
  readonly result: Json;
  readonly stopped: Reason | null;
  /** The root first, then charts that it invoked, in the order of their start. */
  readonly sessions: readonly SessionState[];
  readonly slots: readonly Slot[];
  /** Accepted decisions and questions asked, by decide state, over the actor's life. */
  readonly accepted: Readonly<Record<string, number>>;
  readonly asks: Readonly<Record<string, number>>;
  /** The latest correlations that were answered. */
  readonly answered: readonly string[];
  readonly calls: readonly Call[];
  readonly usage: UsageTotals;
  /** IRIs that are tools, as the kit had them at the start. */
  readonly tools: readonly string[];
  readonly maxAsks: number | null;
  /** The least trust of all that came in, and its sources. */
  readonly label: Label | null;
  /** A chart version that took the place of the first one. */
  readonly version: ChartIr | null;
};

export type SessionState = {
  /** `root`, or the effect that started it. */
  readonly id: string;
  readonly parent: string | null;
  readonly invoke: string | null;
  readonly kind: 'root' | 'chart' | 'plan';
  readonly chart: ChartState;
  /** Of an invoked chart: what runs. */
  readonly ir: ChartIr | null;
  readonly grant: Grant;
  readonly bounds: PlanBounds | null;
  /** Of each data item, the least trust of all that it was made of. */
  readonly labels: Readonly<Record<string, Label>>;
};

export type PlanBounds = {
  readonly maxMacrosteps: number;
  readonly maxSends: number;
  readonly due: string | null;
  readonly macrosteps: number;
  readonly sends: number;
};

/** What became of an active decide state. Only an open one takes an answer. */
export type Slot = {
  /** The decide state, with its session's name in front unless that is the root. */
  readonly key: string;
  readonly session: string;
  readonly state: string;
  readonly status: 'open' | 'closed' | 'none' | 'exhausted';
  readonly fingerprint: Digest;
  /** `<position>.<k>`. */
  readonly correlation: string;
  readonly binding: string;
  readonly fallback: boolean;
  /** When the deadline passes, ISO-8601 UTC. */
  readonly due: string | null;
  readonly candidates: readonly SlotCandidate[];
};

export type SlotCandidate = {
  readonly event: string;
  readonly conditional: boolean;
  readonly schema: JsonObject;
  readonly transitions: readonly string[];
};

type CallBase = {
  /** `<position>.<n>`: the input that asked for it. */
  readonly effect: string;
  readonly session: string;
  /** The invoke that waits for it; null for a send. */
  readonly invoke: string | null;
  readonly sendid: string | null;
};
export type LlmCall = CallBase & {
  readonly kind: 'llm';
  readonly attempt: number;
  readonly attempts: number;
  readonly backoffMs: number;
  /** Waits for another attempt until then. */
  readonly retryAt: string | null;
  readonly request: LlmRequest;
};
export type ToolCall = CallBase & {
  readonly kind: 'tool';
  readonly tool: string;
  readonly arguments: Json;
  readonly labels: Labels;
  /** The question that somebody has to answer before the tool is called again; null when nobody is waited for. */
  readonly pending: string | null;
};
export type MessageCall = CallBase & {
  readonly kind: 'message';
  readonly target: string;
  readonly event: string;
  readonly data: Json;
  /** What the data are trusted as. */
  readonly label: Label;
};
/** What the outside was asked to do and has not answered yet. */
export type Call = LlmCall | ToolCall | MessageCall;

export type LlmRequest = {
  readonly provider: string;
  readonly model: string;
  readonly prompt: string;
  readonly promptHash: Digest;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  /** A structured type, compiled by the host. */
  readonly output: string | null;
  readonly stream: boolean;
  readonly tools: readonly string[];
};

export type UsageTotals = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly calls: number;
  readonly cost: number;
};

export const NO_USAGE: UsageTotals = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, calls: 0, cost: 0 };
export const ROOT = 'root';

export type LlmFailureClass = ProviderFailure['class'];
export type ToolFailureClass = 'arguments' | 'execution' | 'result' | 'unknown' | 'refused';
