import type { JsonObject } from '@warrant/core';
import type { Chart } from './chart.ts';
import { activeNodes, probeScope } from './configuration.ts';
import type { ChartEvent } from './event.ts';
import { historyReader } from './history.ts';
import { plannedDomain } from './plan.ts';
import { judgeIn, selectTransitions } from './select.ts';
import type { ChartState } from './state.ts';
import type { ExternalEvent } from './step.ts';

/** What an event would do: the transitions it takes, and those whose condition cannot be evaluated, by their names (`state#index`). */
export type Selected = {
  readonly transitions: readonly string[];
  readonly errors: readonly string[];
  /** Of an event that is not of its declared type, and so takes nothing: JSON Pointers to what is wrong in its data. */
  readonly violations?: readonly string[];
};

/** Looks without touching: `null` asks for the transitions that wait for no event. */
export function select(
  chart: Chart,
  state: ChartState,
  event: ExternalEvent | null,
  variables: JsonObject = {},
): Selected {
  const configuration = activeNodes(chart, state);
  const seen: ChartEvent | null =
    event === null ? null : { ...event, type: event.type ?? 'external', data: event.data ?? null };
  const violations = seen === null ? [] : (chart.types?.violations(seen.name, seen.data) ?? []);
  if (violations.length > 0) return { transitions: [], errors: [], violations };
  const { transitions, errors } = selectTransitions(
    configuration,
    seen,
    judgeIn(probeScope(state, seen, variables)),
    plannedDomain(chart, historyReader(chart, state.history)),
  );
  return { transitions: transitions.map((one) => one.id), errors: errors.map((one) => one.id) };
}
