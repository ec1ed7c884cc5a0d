import type { AgentIntent } from '@warrant/core';
import { timersOf } from '../machine/timers.ts';
import type { AgentState, Call, Slot, ToolCall } from '../state.ts';

/** What came and went between two states: what a host has to do, and to stop doing. */
export type Changes = {
  readonly calls: readonly Call[];
  readonly asks: readonly Slot[];
  /** Calls that wait for a person from now on. */
  readonly waits: readonly ToolCall[];
  readonly goneCalls: readonly string[];
  readonly goneAsks: readonly Slot[];
};

export function changesBetween(before: AgentState, after: AgentState): Changes {
  const isOpen = (slot: Slot) => slot.status === 'open';
  return {
    calls: missing(after.calls.filter(isDue), before.calls.filter(isDue), ({ effect }) => effect),
    goneCalls: missing(before.calls, after.calls, ({ effect }) => effect).map(({ effect }) => effect),
    waits: missing(after.calls.filter(isPending), before.calls.filter(isPending), ({ effect }) => effect),
    asks: missing(after.slots.filter(isOpen), before.slots.filter(isOpen), ({ correlation }) => correlation),
    goneAsks: missing(before.slots.filter(isOpen), after.slots.filter(isOpen), ({ correlation }) => correlation),
  };
}

/** A call that waits for its retry, or for a person, is not to be made yet. */
export function isDue(call: Call): boolean {
  return call.kind === 'llm' ? call.retryAt === null : !isPending(call);
}

export function isPending(call: Call): call is ToolCall {
  return call.kind === 'tool' && call.pending !== null;
}

/** What goes into the entry beside the input. `without`: an offer that is answered in the same append, which nobody needs to hold. */
export function intentsOf(
  before: AgentState,
  after: AgentState,
  changes: Changes,
  {
    lease,
    without,
  }: { readonly lease: { readonly host: string; readonly until: string }; readonly without?: string | undefined },
): readonly AgentIntent[] {
  const [old, now] = [timersOf(before), timersOf(after)];
  const asks = changes.asks.filter(({ correlation }) => correlation !== without);
  return [
    ...changes.calls.map(
      ({ effect, kind }): AgentIntent => ({ type: 'call', effect, kind: kind === 'llm' ? 'llm' : 'tool', ...lease }),
    ),
    ...asks.map(({ correlation }): AgentIntent => ({ type: 'call', effect: correlation, kind: 'decider', ...lease })),
    ...missing(now, old, ({ timer }) => timer).map(({ timer, due }): AgentIntent => ({ type: 'timer', timer, due })),
    ...missing(old, now, ({ timer }) => timer).map(({ timer }): AgentIntent => ({ type: 'timer-cancelled', timer })),
  ];
}

/** What the first list has and the second has not. */
function missing<T>(all: readonly T[], others: readonly T[], name: (one: T) => string): readonly T[] {
  if (all.length === 0) return all;
  const known = new Set(others.map(name));
  return all.filter((one) => !known.has(name(one)));
}
