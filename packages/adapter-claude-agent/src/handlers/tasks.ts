import { andThen, endCall, type Fed } from '../feed-gate.ts';
import type { SkillLine } from '../hook-event.ts';
import type { SessionState } from '../session-state.ts';
import type { Setup } from '../settings.ts';

/** A task that runs no more: what its command changed has ended, and waits to be looked at. */
export function endTask(setup: Setup, state: SessionState, task: string): Fed {
  const id = state.tasks[task];
  if (id === undefined) return { state, steps: [] };
  const tasks = Object.fromEntries(Object.entries(state.tasks).filter(([name]) => name !== task));
  return endCall(setup, { ...state, tasks }, { id, outcome: 'ok', result: '' });
}

/** Begins the names of tasks that are lines of a skill. */
const LINE = 'skill/';

/**
 * A line of a skill has begun, and nobody will tell its end. Where the model called the skill, calls beside it may look
 * before the line has run: it ends with the batch that they are in.
 */
export function lineBegun(
  setup: Setup,
  begun: Fed,
  { id, skill }: { readonly id: string; readonly skill: SkillLine },
): Fed {
  if (skill.typed) return andThen(begun, (next) => endCall(setup, next, { id, outcome: 'ok', result: '' }));
  const { state, steps } = begun;
  return { state: { ...state, tasks: { ...state.tasks, [`${LINE}${id}`]: id } }, steps };
}

/** What was being loaded is there. */
export function endLines(setup: Setup, state: SessionState): Fed {
  let fed: Fed = { state, steps: [] };
  for (const task of Object.keys(state.tasks)) {
    if (task.startsWith(LINE)) fed = andThen(fed, (next) => endTask(setup, next, task));
  }
  return fed;
}
