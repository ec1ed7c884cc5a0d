import type { MemoryConflict, MemoryRecord } from '@warrant/core';
import { type Actor, originOf } from './actor.ts';
import { decideAccess, readsEverything } from './permissions.ts';
import type { Setup } from './setup.ts';

/** Where a handle reaches its own records without permissions, as `decideAccess` says. */
const OWN = 'memory/';

/** Whether a handle may see a record. */
export function mayRead(setup: Setup, actor: Actor, record: Pick<MemoryRecord, 'key' | 'agent' | 'origin'>): boolean {
  if (actor.type === 'human') return true;
  // Asked for every candidate and all that it borrows from; the spelling of a stored key was looked at when it was stored.
  if (setup.permissions === null) return record.agent === actor.key && record.key.startsWith(OWN);
  return decideAccess(setup.permissions, { action: 'read', key: record.key, actor, record }).allowed;
}

/** Whether a handle knows of a record: it may read it, or wrote it itself. */
export function knowsOf(setup: Setup, actor: Actor, record: Pick<MemoryRecord, 'key' | 'agent' | 'origin'>): boolean {
  return (
    mayRead(setup, actor, record) ||
    (record.origin === originOf(actor) && record.agent === (actor.onBehalfOf ?? actor.key))
  );
}

/** Conflicts of which a handle knows both sides: another's memory is not shown by what contradicts it. */
export async function knownConflicts<T extends Pick<MemoryConflict, 'records'>>(
  setup: Setup,
  actor: Actor,
  conflicts: readonly T[],
): Promise<readonly T[]> {
  if (conflicts.length === 0 || readsEverything(setup.permissions, actor)) return conflicts;
  const sides = await setup.store.records([...new Set(conflicts.flatMap(({ records }) => records))]);
  const known = new Set(sides.filter((record) => knowsOf(setup, actor, record)).map(({ id }) => id));
  return conflicts.filter(({ records }) => records.every((id) => known.has(id)));
}

/** Records with the ids of those of their conflicts that may be known. */
export async function withKnownConflicts(
  setup: Setup,
  actor: Actor,
  records: readonly MemoryRecord[],
): Promise<readonly MemoryRecord[]> {
  const disputed = records.filter(({ conflicts }) => conflicts.length > 0).map(({ id }) => id);
  if (disputed.length === 0 || readsEverything(setup.permissions, actor)) return records;
  const all: MemoryConflict[] = [];
  for await (const conflict of setup.store.conflicts({ records: disputed })) all.push(conflict);
  const known = new Set((await knownConflicts(setup, actor, all)).map(({ id }) => id));
  return records.map((record) =>
    record.conflicts.every((id) => known.has(id))
      ? record
      : { ...record, conflicts: record.conflicts.filter((id) => known.has(id)) },
  );
}
