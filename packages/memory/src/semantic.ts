import type { Setup } from './setup.ts';
import type { Draft } from './write-request.ts';

/** How many of a subject's nearest records are compared. */
const COMPARED = 50;

/** Ids of living records about the same subject, under other keys, that say nearly the same or its contrary. */
export async function nearSubject(setup: Setup, draft: Draft, vector: Float32Array): Promise<readonly string[]> {
  if (draft.subject === null) return [];
  const now = setup.now();
  const near: string[] = [];
  const query = { words: [], vector, readable: [''], validAt: now, knownAt: now, limit: COMPARED };
  for await (const { record, cosine } of setup.store.search(query)) {
    if (cosine === null || cosine < setup.semanticConflictThreshold) continue;
    if (record.subject === draft.subject && record.key !== draft.key) near.push(record.id);
  }
  return near;
}
