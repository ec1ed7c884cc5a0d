import type { DecisionRequest } from '@warrant/core';
import type { DeciderAnswer } from '../kit.ts';
import type { LlmCall, ToolCall } from '../state.ts';
import type { Outcome } from './calls.ts';

/** Where a host says what it does; `openTelemetry()` of `./telemetry` is one. Each function runs the work and returns what it returns. */
export interface Tracing {
  input<T>(about: { readonly actor: string; readonly type: string }, work: () => Promise<T>): Promise<T>;
  decision(
    about: { readonly actor: string; readonly request: DecisionRequest; readonly kind: string },
    work: () => Promise<DeciderAnswer | undefined>,
  ): Promise<DeciderAnswer | undefined>;
  llm(about: { readonly actor: string; readonly call: LlmCall }, work: () => Promise<Outcome>): Promise<Outcome>;
  tool(about: { readonly actor: string; readonly call: ToolCall }, work: () => Promise<Outcome>): Promise<Outcome>;
}

/** Says nothing. */
export const untraced: Tracing = {
  input: (_, work) => work(),
  decision: (_, work) => work(),
  llm: (_, work) => work(),
  tool: (_, work) => work(),
};
