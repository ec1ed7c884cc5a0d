import type { Entry } from '@warrant/core';
import type { GateEvent } from '@warrant/submit-gate';
import { type Identified, identifyEvent } from '../event-id.ts';
import { gateEntries } from '../gate-records.ts';
import type { HookEvent } from '../hook-event.ts';
import { isStricter, type Mode } from '../mode.ts';
import { initialSession, resumeSession, type SessionState } from '../session-state.ts';
import type { SeenHashes, SessionKey, SessionStep, Told } from '../session-store.ts';
import type { Setup } from '../settings.ts';

/** What an event comes to, before it is kept. */
export type Outcome<T> = {
  readonly state: SessionState;
  readonly steps: readonly GateEvent[];
  readonly records?: (id: string) => readonly Entry[];
  readonly seen?: SeenHashes;
  readonly value: T;
};

/** Events whose answer differs by mode: a stricter hook answers them although another only watched. What happened is known then. */
const DECIDES: ReadonlySet<HookEvent['type']> = new Set(['stopping', 'subagent-stopping', 'prompt-submitted']);

/** What is kept of a session, to be gone on from; null of one that is new. @throws CLAUDE_STATE_INVALID */
export async function keptSession({ options, gate }: Setup, key: SessionKey): Promise<SessionState | null> {
  const kept = await options.store.load(key);
  return kept === null ? null : resumeSession(gate, kept);
}

/** Keeps what an event comes to with its records, once for all hooks that tell of it; null for those that come later. */
export async function applyOnce<T>(
  setup: Setup,
  event: HookEvent,
  work: (state: SessionState, named: Identified, answered: Mode | null) => Outcome<T>,
): Promise<T | null> {
  const done = await setup.options.store.update(event, (state, knows): SessionStep<T> => {
    const before = state === null ? initialSession(setup.gate) : resumeSession(setup.gate, state);
    const named = identifyEvent(event, knows);
    const told = toldBy(setup, event, named, knows(named.id));
    const more = named.how === 'other' && DECIDES.has(event.type) && isStricter(setup.mode, knows(named.id)?.mode);
    if (named.how !== 'new' && !more) return { type: 'known', told: { event: named.id, as: told } };
    const { state: after, steps, records, seen, value } = work(before, named, knows(named.id)?.mode ?? null);
    const id = more ? `${named.id}/${setup.mode}` : named.id;
    return {
      type: 'done',
      event: named.id,
      told,
      state: after,
      records: [...gateEntries(id, setup.gate.config.digest, steps), ...(records?.(id) ?? [])],
      ...(seen === undefined ? {} : { seen }),
      value,
    };
  });
  return done.type === 'known' ? null : done.value;
}

/** What is known of an event once this hook has told of it too. */
export function toldBy(setup: Setup, { source }: HookEvent, { content }: Identified, before: Told | null): Told {
  if (before === null) return { content, sources: [source], mode: setup.mode };
  return {
    content: before.content,
    sources: [...new Set([...before.sources, source])],
    mode: isStricter(setup.mode, before.mode) ? setup.mode : before.mode,
  };
}
