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
  const { calls, waits, goneCalls } = callChanges(before.calls, after.calls);
  const { asks, goneAsks } = askChanges(before.slots, after.slots);
  return { calls, asks, waits, goneCalls, goneAsks };
}

const NO_CALLS: Pick<Changes, 'calls' | 'waits' | 'goneCalls'> = { calls: [], waits: [], goneCalls: [] };
const NO_ASKS: Pick<Changes, 'asks' | 'goneAsks'> = { asks: [], goneAsks: [] };

function callChanges(before: readonly Call[], after: readonly Call[]): typeof NO_CALLS {
  if (before === after) return NO_CALLS;
  return {
    calls: missing(after.filter(isDue), before.filter(isDue), ({ effect }) => effect),
    goneCalls: missing(before, after, ({ effect }) => effect).map(({ effect }) => effect),
    waits: missing(after.filter(isPending), before.filter(isPending), ({ effect }) => effect),
  };
}

function askChanges(before: readonly Slot[], after: readonly Slot[]): typeof NO_ASKS {
  if (before === after) return NO_ASKS;
  return {
    asks: after.filter((slot) => slot.status === 'open' && !isOpenIn(before, slot)),
    goneAsks: before.filter((slot) => slot.status === 'open' && !isOpenIn(after, slot)),
  };
}

function isOpenIn(slots: readonly Slot[], { correlation }: Slot): boolean {
  for (const slot of slots) if (slot.status === 'open' && slot.correlation === correlation) return true;
  return false;
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
  const intents: AgentIntent[] = [];
  for (const { effect, kind } of changes.calls)
    intents.push({ type: 'call', effect, kind: kind === 'llm' ? 'llm' : 'tool', ...lease });
  for (const { correlation } of changes.asks)
    if (correlation !== without) intents.push({ type: 'call', effect: correlation, kind: 'decider', ...lease });
  for (const { timer, due } of missing(now, old, ({ timer }) => timer)) intents.push({ type: 'timer', timer, due });
  for (const { timer } of missing(old, now, ({ timer }) => timer)) intents.push({ type: 'timer-cancelled', timer });
  return intents;
}

const FEW = 8;

/** What the first list has and the second has not. */
function missing<T>(all: readonly T[], others: readonly T[], name: (one: T) => string): readonly T[] {
  if (all.length === 0 || others.length === 0) return all;
  if (others.length <= FEW) return all.filter((one) => !others.some((other) => name(other) === name(one)));
  const known = new Set(others.map(name));
  return all.filter((one) => !known.has(name(one)));
}
