import { foldName, type Json, type MemoryChange, type MemoryRecord } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { isLive } from '../current.ts';
import { fault } from '../errors.ts';
import type { Setup } from '../setup.ts';
import { mergedRecord } from './merge.ts';

/** Puts one record in the place of a cluster; `undefined` when one of them moved meanwhile. @internal */
export async function commitMerge(
  setup: Setup,
  actor: Actor,
  cluster: readonly MemoryRecord[],
  text: { readonly value: Json; readonly inferred: boolean; readonly id?: string; readonly approvedBy?: string },
): Promise<string | undefined> {
  const now = setup.now();
  const heads = await setup.store.heads([...new Set(cluster.map(({ key }) => key))]);
  const living = new Set(
    heads.flatMap(({ records }) =>
      records.filter((row) => isLive(row, { validAt: now, knownAt: now })).map(({ id }) => id),
    ),
  );
  if (!cluster.every(({ id }) => living.has(id))) return undefined;
  const [survivor, ...others] = cluster as [MemoryRecord, ...MemoryRecord[]];
  const record = mergedRecord(cluster, { ...text, id: text.id ?? setup.ids.next(), auditEntry: setup.ids.next(), now });
  const changes: readonly MemoryChange[] = [
    { type: 'close', id: survivor.id, at: now },
    ...others.map(({ id }): MemoryChange => ({ type: 'archive', id, at: now })),
    { type: 'put', record },
  ];
  const data = {
    record: record.id,
    sources: record.sources,
    ...(text.approvedBy === undefined ? {} : { approvedBy: text.approvedBy }),
  };
  const audit = { ...auditEntry(setup.ids, actor, 'memory.consolidated', data, record.subject), id: record.auditEntry };
  const expected = Object.fromEntries(heads.map(({ key, revision }) => [foldName(key), revision]));
  const committed = await setup.store.commit(changes, { expected, audit: [audit] });
  return committed.type === 'stale' ? undefined : record.id;
}

/** Takes a consolidation back: the record goes, those that it was made of are as they were. @throws MEMORY_INVALID_ARGUMENT when something newer stands on it */
export async function undoConsolidation(setup: Setup, actor: Actor, id: string): Promise<readonly string[]> {
  const [record] = await setup.store.records([id]);
  if (record === undefined || !record.consolidated || record.archived || record.closedAt !== null)
    throw fault('MEMORY_INVALID_ARGUMENT', 'only a consolidated record that is in force can be taken apart', { id });
  const now = setup.now();
  const sources = await setup.store.records(record.sources);
  const heads = await setup.store.heads([...new Set([record, ...sources].map(({ key }) => key))]);
  const changes: readonly MemoryChange[] = [
    { type: 'archive', id, at: now },
    ...sources.map((source): MemoryChange => ({ type: 'restore', id: source.id, at: now })),
  ];
  const audit = auditEntry(setup.ids, actor, 'memory.consolidation-undone', { record: id, sources: record.sources });
  const expected = Object.fromEntries(heads.map(({ key, revision }) => [foldName(key), revision]));
  const committed = await setup.store.commit(changes, { expected, audit: [audit] });
  if (committed.type === 'stale') throw fault('MEMORY_BUSY', 'another writer changed one of the records', { id });
  return sources.map((source) => source.id);
}
