import type { Digest, Json, JsonObject, Reason } from '@warrant/core';
import type { ChartEvent } from './event.ts';
import type { ChartIr } from './ir.ts';

/** Everything that a chart remembers between two steps, as plain JSON. */
export type ChartState = {
  readonly chart: Digest;
  readonly session: string;
  readonly name: string;
  /** `stopped`: a limit was reached; no further input moves it. */
  readonly status: 'running' | 'done' | 'stopped';
  /** Ids of the active states in document order. */
  readonly configuration: readonly string[];
  readonly data: JsonObject;
  readonly history: Readonly<Record<string, readonly string[]>>;
  readonly timers: readonly Timer[];
  readonly invokes: readonly ActiveInvoke[];
  /** With late binding: the states whose data are made already. */
  readonly bound: readonly string[];
  /** Inputs taken so far; names what a step makes. */
  readonly steps: number;
  readonly stopped?: Reason;
};

/** A delayed send. `id` is `<step>.<n>`, the step that made it. */
export type Timer = {
  readonly id: string;
  readonly sendid: string;
  /** ISO-8601 UTC: the `at` of the input that set it plus its delay. */
  readonly due: string;
  readonly target: string | null;
  readonly processor: string;
  readonly event: ChartEvent;
};

export type ActiveInvoke = { readonly id: string; readonly state: string; readonly index: number };

/** What the outside is asked to do, in order. */
export type Effect =
  | { readonly type: 'send'; readonly target: string; readonly processor: string; readonly event: ChartEvent }
  | {
      readonly type: 'invoke';
      readonly id: string;
      readonly processor: string;
      readonly src: string | null;
      readonly chart: ChartIr | null;
      readonly content: Json;
      readonly params: JsonObject;
    }
  | { readonly type: 'cancel-invoke'; readonly id: string }
  | { readonly type: 'forward'; readonly invoke: string; readonly event: ChartEvent }
  | { readonly type: 'schedule'; readonly timer: string; readonly due: string }
  | { readonly type: 'cancel-timer'; readonly timer: string }
  | { readonly type: 'log'; readonly label: string | null; readonly value: Json }
  | { readonly type: 'done'; readonly data: Json }
  | { readonly type: 'stopped'; readonly reason: Reason };
