import { timersOf } from '../machine/timers.ts';
import type { Outcome } from './calls.ts';
import type { Memory } from './memory.ts';
import type { Delivered } from './turns.ts';

/** What need not be recorded: inputs of agents that have ended, timers that are not set. */
export function judgeMoot({ state }: Memory, outcome: Outcome): Delivered | undefined {
  if (outcome.type === 'timer') {
    return timersOf(state).some(({ timer }) => timer === outcome.data.timer) ? undefined : { type: 'moot' };
  }
  if (
    outcome.type === 'tool.result' ||
    outcome.type === 'llm.result' ||
    outcome.type === 'llm.error' ||
    outcome.type === 'reply'
  )
    return undefined;
  return state.status === 'running' ? undefined : { type: 'ended' };
}
