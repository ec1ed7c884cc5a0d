import type { ActorKey, MemoryRecord } from '@warrant/core';
import type { Setup } from './setup.ts';
import type { Draft } from './write-request.ts';

/** How many of the newest records are compared. */
const COMPARED = 50;
/** How many records are looked at to find them. */
const LOOKED_AT = 10_000;

/** Ids of the newest living records that say nearly the same as a draft or its contrary, newest first. */
export async function semanticNeighbours(
  setup: Setup,
  agent: ActorKey,
  draft: Draft,
  vector: Float32Array,
): Promise<readonly string[]> {
  const bySubject = setup.semanticScope === 'subject';
  if (bySubject && draft.subject === null) return [];
  const now = setup.now();
  const found: { readonly record: MemoryRecord; readonly cosine: number }[] = [];
  const query = { words: [], vector, readable: [''], validAt: now, knownAt: now, limit: LOOKED_AT };
  for await (const { record, cosine } of setup.store.search(query)) {
    const isCompared = bySubject
      ? record.subject === draft.subject && record.key !== draft.key
      : record.agent === agent;
    if (isCompared && cosine !== null) found.push({ record, cosine });
  }
  return found
    .sort((a, b) => (a.record.id < b.record.id ? 1 : -1))
    .slice(0, COMPARED)
    .filter(({ cosine }) => cosine >= setup.semanticConflictThreshold)
    .map(({ record }) => record.id);
}
