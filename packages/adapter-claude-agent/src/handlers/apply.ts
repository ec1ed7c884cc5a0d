import type { Entry } from '@warrant/core';
import type { GateEvent } from '@warrant/submit-gate';
import { identifyEvent } from '../event-id.ts';
import { gateEntries } from '../gate-records.ts';
import type { HookEvent } from '../hook-event.ts';
import { initialSession, resumeSession, type SessionState } from '../session-state.ts';
import type { SeenHashes, SessionStep } from '../session-store.ts';
import type { Setup } from '../settings.ts';

/** What an event comes to, before it is kept. */
export type Outcome<T> = {
  readonly state: SessionState;
  readonly steps: readonly GateEvent[];
  readonly records?: (id: string) => readonly Entry[];
  readonly seen?: SeenHashes;
  readonly value: T;
};

/** Keeps what an event comes to with its records, once for all hooks that tell of it; null for those that come later. */
export async function applyOnce<T>(
  setup: Setup,
  event: HookEvent,
  work: (state: SessionState) => Outcome<T>,
): Promise<T | null> {
  const done = await setup.options.store.update(event, (state, knows): SessionStep<T> => {
    const before = state === null ? initialSession(setup.gate) : resumeSession(setup.gate, state);
    const named = identifyEvent(event, before);
    if (knows(named.id)) return { type: 'known' };
    const { state: after, steps, records, seen, value } = work(named.state);
    return {
      type: 'done',
      event: named.id,
      state: after,
      records: [...gateEntries(named.id, setup.gate.config.digest, steps), ...(records?.(named.id) ?? [])],
      ...(seen === undefined ? {} : { seen }),
      value,
    };
  });
  return done.type === 'known' ? null : done.value;
}
