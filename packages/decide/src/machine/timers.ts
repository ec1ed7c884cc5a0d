import type { AgentState } from '../state.ts';

export type AgentTimer = { readonly timer: string; readonly due: string };

/** Everything that will happen by itself, with its time (ISO-8601 UTC). */
export function timersOf(state: AgentState): readonly AgentTimer[] {
  if (state.status !== 'running') return [];
  const timers: AgentTimer[] = [];
  for (const { id, chart, bounds } of state.sessions) {
    for (const timer of chart.timers) timers.push({ timer: `chart:${id}:${timer.id}`, due: timer.due });
    if (bounds?.due != null) timers.push({ timer: `plan:${id}`, due: bounds.due });
  }
  for (const { status, correlation, due } of state.slots)
    if (status === 'open' && due !== null) timers.push({ timer: `deadline:${correlation}`, due });
  for (const call of state.calls)
    if (call.kind === 'llm' && call.retryAt !== null) timers.push({ timer: `retry:${call.effect}`, due: call.retryAt });
  return timers;
}
