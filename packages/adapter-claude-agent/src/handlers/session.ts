import { clipText } from '@warrant/core';
import type { HookAnswer, HookEvent, HookEventOf } from '../hook-event.ts';
import { captureFiles } from '../memory/capture.ts';
import { mendSession } from '../mend-session.ts';
import { openObligations, type SessionState } from '../session-state.ts';
import type { Setup } from '../settings.ts';
import { begun } from '../subagents.ts';
import { applyOnce, keptSession } from './apply.ts';
import { entryOf, sceneOf } from './common.ts';

/** A session begins, or goes on after a compaction: then it is given back what had to survive. */
export async function sessionStarted(setup: Setup, event: HookEventOf<'session-started'>): Promise<HookAnswer> {
  const { memory } = setup.options;
  const past = await pastOf(setup, event);
  const pinned = await pinnedAgain(setup, event);
  const checkpoint = await applyOnce(setup, event, (state) => ({
    state: event.how === 'compact' ? { ...state, checkpoint: null } : startedFrom(state, past),
    steps: [],
    records: (id) => [
      entryOf(event, {
        id: `${id}/session`,
        type: 'claude.session-started',
        data: { how: clipText(event.how, 40), mode: setup.mode, gate: setup.gate.config.digest },
      }),
    ],
    value: event.how === 'compact' ? (state.checkpoint ?? checkpointText(pinned, openIn(setup, state)) ?? '') : '',
  }));
  if (checkpoint === null) return {};
  if (event.how !== 'compact' && memory?.conversationStarted !== undefined) {
    try {
      await memory.conversationStarted(sceneOf(setup, event));
    } catch (error) {
      setup.report('memory', error);
    }
  }
  if (event.how !== 'compact') await captureFiles(setup, event);
  return checkpoint === '' ? {} : { context: checkpoint };
}

/** Where nobody kept what has to survive before the compaction, it is looked up after it. */
async function pinnedAgain(setup: Setup, event: HookEventOf<'session-started'>): Promise<readonly string[]> {
  if (event.how !== 'compact' || typeof (await keptSession(setup, event))?.checkpoint === 'string') return [];
  try {
    return (await setup.options.memory?.pinned(sceneOf(setup, event))) ?? [];
  } catch (error) {
    setup.report('memory', error);
    return [];
  }
}

/** The state of the session that this one was made from, where it has none of its own. */
async function pastOf(setup: Setup, event: HookEventOf<'session-started'>): Promise<SessionState | null> {
  const { forkOf, store } = setup.options;
  if (forkOf === undefined || (await store.load(event)) !== null) return null;
  const key = { session: forkOf, agent: null };
  await mendSession(setup, key);
  return store.load(key);
}

function startedFrom(state: SessionState, past: SessionState | null): SessionState {
  if (past === null) return state;
  // What runs in the other session is not ours to wait for, and who is in it does not bind us.
  const { lost: _lost, ...kept } = past;
  const gate = { ...past.gate, running: [] };
  return { ...kept, gate, tasks: {}, agents: {}, spawns: [], checkpoint: null };
}

/** A subagent begins: it is bound by whoever called it. */
export async function subagentStarted(setup: Setup, event: HookEventOf<'subagent-started'>): Promise<HookAnswer> {
  await begun(setup, event);
  return noted(setup, event);
}

/**
 * Before the conversation is cut down: pinned constraints and open obligations are kept. Where they cannot be, the
 * compaction is refused in `enforce` only.
 */
export async function compacting(setup: Setup, event: HookEventOf<'compacting'>): Promise<HookAnswer> {
  try {
    const pinned = (await setup.options.memory?.pinned(sceneOf(setup, event))) ?? [];
    await keepCheckpoint(setup, event, pinned);
    return {};
  } catch (error) {
    setup.report('checkpoint', error);
    if (setup.mode !== 'enforce') return {};
    return { block: `What has to survive could not be kept, so nothing may be cut away yet: ${reasonOf(error)}` };
  }
}

function reasonOf(error: unknown): string {
  return clipText(error instanceof Error ? error.message : String(error), 400);
}

async function keepCheckpoint(
  setup: Setup,
  event: HookEventOf<'compacting'>,
  pinned: readonly string[],
): Promise<void> {
  await applyOnce(setup, event, (state) => {
    const open = openIn(setup, state);
    const checkpoint = checkpointText(pinned, open);
    const data = {
      pinned: pinned.slice(0, 50).map((one) => setup.replace(clipText(one, 400))),
      open: [...open].slice(0, 16),
    };
    return {
      state: { ...state, checkpoint },
      steps: [],
      records: (id) => [entryOf(event, { id: `${id}/checkpoint`, type: 'claude.checkpoint', data })],
      value: {},
    };
  });
}

function openIn(setup: Setup, state: SessionState): readonly string[] {
  return setup.gates ? openObligations(state) : [];
}

function checkpointText(pinned: readonly string[], open: readonly string[]): string | null {
  const parts = [
    ...(pinned.length === 0 ? [] : ['Constraints that hold for this work:', ...pinned.map((one) => `- ${one}`)]),
    ...(open.length === 0 ? [] : ['Changed and not looked at since:', ...open.map((one) => `- ${one}`)]),
  ];
  return parts.length === 0 ? null : parts.join('\n');
}

/** What needs no answer leaves a short record. */
export async function noted(setup: Setup, event: HookEvent): Promise<HookAnswer> {
  const said: { [name: string]: string } = {};
  for (const name of ['error', 'kind', 'reason', 'name'] as const) {
    const value = (event as { readonly [member: string]: unknown })[name];
    if (typeof value === 'string') said[name] = setup.replace(clipText(value, 200));
  }
  await applyOnce(setup, event, (state) => ({
    state,
    steps: [],
    records: (id) => [entryOf(event, { id: `${id}/note`, type: `claude.${event.type}`, data: said })],
    value: {},
  }));
  return {};
}
