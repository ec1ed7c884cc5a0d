import type { MemoryChange } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import type { Setup } from './setup.ts';

/** Notes what a session was given, without keeping the asker waiting; `close` waits for it. */
export function noteRecall(setup: Setup, actor: Actor, session: string | undefined, ids: readonly string[]): void {
  if (session === undefined || ids.length === 0 || actor.readOnly === true) return;
  const change: MemoryChange = { type: 'retrieved', ids, session, at: setup.now() };
  const audit = auditEntry(setup.ids, actor, 'memory.recalled', { session, records: ids });
  const work: Promise<unknown> = setup.store
    .commit([change], { expected: {}, audit: [audit] })
    // A recall that could not be noted was still given; the counters are behind, nothing else.
    .catch(() => undefined)
    .finally(() => setup.pending.delete(work));
  setup.pending.add(work);
}

/** Waits until everything noted so far is stored. */
export async function settle(setup: Setup): Promise<void> {
  while (setup.pending.size > 0) await Promise.all(setup.pending);
}
