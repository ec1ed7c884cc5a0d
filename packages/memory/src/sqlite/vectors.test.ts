import type { MemoryChange, MemoryRecord, MemoryStore } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { cosine } from '../cosine.ts';
import { createMemory } from '../memory.ts';
import { createPick } from '../testing/spellings.ts';
import { createSqliteMemoryStore } from './store.ts';

const DIMENSIONS = 128;
const pick = createPick(5);
const STEPS = Array.from({ length: 997 }, (_, index) => index / 997 - 0.5);
const unit = (): number => pick(STEPS);

/** Around a few centres, all of which point a little the same way, as vectors of texts do. */
function clustered(count: number): readonly Float32Array[] {
  const centres = Array.from({ length: 40 }, () => Float32Array.from({ length: DIMENSIONS }, () => unit() + 0.3));
  return Array.from({ length: count }, () => pick(centres).map((value) => value + unit() * 0.4));
}

async function filled(vectors: readonly Float32Array[]): Promise<MemoryStore> {
  const store = createSqliteMemoryStore(openSqlite(':memory:'));
  await createMemory({ store }).agent('a').write({ key: 'memory/first', value: 'x' });
  const template = (await store.heads(['memory/first']))[0]?.records[0] as MemoryRecord;
  const puts = vectors.map((vector, index): MemoryChange => {
    const place = index % 3 === 0 ? 'open' : 'closed';
    return {
      type: 'put',
      record: {
        ...template,
        id: `r${index}`,
        key: `memory/${place}/k${index}`,
        subject: index % 5 === 0 ? 'kim' : null,
      },
      vector,
    };
  });
  await store.commit(puts, { expected: {}, audit: [] });
  return store;
}

async function nearest(
  store: MemoryStore,
  vector: Float32Array,
  readable: string,
  limit: number,
): Promise<readonly string[]> {
  const at = '2100-01-01T00:00:00.000Z';
  const ids: string[] = [];
  for await (const { record } of store.search({
    words: [],
    vector,
    readable: [readable],
    validAt: at,
    knownAt: at,
    limit,
  }))
    ids.push(record.id);
  return ids;
}

test('of many vectors the most similar that may be given are found, also after some are gone and others came', async () => {
  const vectors = clustered(5000);
  const store = await filled(vectors);
  const truth = (asked: Float32Array, of: (index: number) => boolean): readonly string[] =>
    vectors
      .flatMap((vector, index) => (of(index) ? [{ index, like: cosine(asked, vector) }] : []))
      .sort((a, b) => b.like - a.like)
      .slice(0, 10)
      .map(({ index }) => `r${index}`);
  const share = async (of: (index: number) => boolean, readable: string): Promise<number> => {
    let hits = 0;
    for (const asked of clustered(10)) {
      const found = await nearest(store, asked, readable, 10);
      hits += truth(asked, of).filter((id) => found.includes(id)).length;
    }
    return hits / 100;
  };
  expect(await share(() => true, 'memory/')).toBeGreaterThanOrEqual(0.99);
  expect(await share((index) => index % 3 === 0, 'memory/open/')).toBeGreaterThanOrEqual(0.99);
  await store.commit([{ type: 'erase', subject: 'kim' }], { expected: {}, audit: [] });
  expect(await share((index) => index % 3 === 0 && index % 5 !== 0, 'memory/open/')).toBeGreaterThanOrEqual(0.99);
});

test('vectors of another length have nothing in common, and the nearest of few is exact', async () => {
  const vectors = clustered(50);
  const store = await filled(vectors);
  expect(await nearest(store, Float32Array.of(1, 2, 3), 'memory/', 10)).toEqual([]);
  expect((await nearest(store, vectors[7] as Float32Array, 'memory/', 1))[0]).toBe('r7');
});
