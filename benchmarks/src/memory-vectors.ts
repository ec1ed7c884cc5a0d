import { isoTime, systemClock } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemory } from '@warrant/memory';
import { createSqliteMemoryStore } from '@warrant/memory/sqlite';
import { median, type Result } from './benchmark.ts';
import { createClusters, createNumbers } from './memory-data.ts';

const QUERIES = 50;
const TEN = 10;
const BATCH = 1000;

/** How fast the ten most similar of many vectors are found in a file, and how many of the true ten they are. */
async function searchVectors(
  path: string,
  about: { readonly name: string; readonly goalMs: number },
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Promise<readonly Result[]> {
  const file = openSqlite(path, { synchronous: 'normal' });
  const store = createSqliteMemoryStore(file);
  let taken = 0;
  const embedder = {
    name: 'given',
    version: '1',
    dimensions: vectors[0]?.length ?? 0,
    embed: async (texts: readonly string[]) => texts.map(() => vectors[taken++] as Float32Array),
  };
  const agent = createMemory({ store, embedder }).agent('bench');
  for (let done = 0; done < vectors.length; done += BATCH) {
    const count = Math.min(BATCH, vectors.length - done);
    await agent.writeMany(
      Array.from({ length: count }, (_, index) => ({ key: `memory/v/${done + index}`, value: '' })),
    );
  }
  const times: number[] = [];
  const scans: number[] = [];
  let right = 0;
  const now = isoTime(systemClock);
  for (const [index, vector] of [queries[0] as Float32Array, ...queries].entries()) {
    const before = performance.now();
    const found = [];
    for await (const { record } of store.search({
      words: [],
      vector,
      readable: [''],
      validAt: now,
      knownAt: now,
      limit: TEN,
    }))
      found.push(Number(record.key.slice('memory/v/'.length)));
    const between = performance.now();
    const truth = new Set(exactTen(vectors, vector));
    // The first one loads the vectors.
    if (index === 0) continue;
    times.push(between - before);
    scans.push(performance.now() - between);
    right += found.filter((one) => truth.has(one)).length;
  }
  await store.close();
  file.close();
  const recall = (100 * right) / (TEN * queries.length);
  const ours = median(times);
  const theirs = median(scans);
  return [
    {
      name: `${about.name}: ten most similar of ${vectors.length}`,
      unit: 'ms',
      ours,
      against: 'exact scan in this process',
      theirs,
      ratio: theirs / ours,
      goal: `under ${about.goalMs} ms`,
      reached: ours < about.goalMs,
    },
    {
      name: `${about.name}: of the true ten`,
      unit: '%',
      ours: recall,
      against: '',
      theirs: null,
      ratio: null,
      goal: 'at least 99 %',
      reached: recall >= 99,
    },
  ];
}

function exactTen(vectors: readonly Float32Array[], query: Float32Array): readonly number[] {
  const scored = new Float64Array(vectors.length);
  for (let at = 0; at < vectors.length; at += 1) {
    const vector = vectors[at] as Float32Array;
    let dot = 0;
    let length = 0;
    for (let index = 0; index < vector.length; index += 1) {
      const value = vector[index] as number;
      dot += value * (query[index] as number);
      length += value * value;
    }
    scored[at] = dot / Math.sqrt(length);
  }
  const least = Float64Array.from(scored).sort().at(-TEN) ?? 0;
  return [...scored.keys()].filter((at) => (scored[at] as number) >= least);
}

/** 100,000 vectors of 256 numbers around 1,000 centres, and queries of the same kind. */
export async function searchClusters(path: string): Promise<readonly Result[]> {
  const next = createClusters(createNumbers(20_260_102), 256);
  const vectors = Array.from({ length: 100_000 }, next);
  const queries = Array.from({ length: QUERIES }, next);
  return searchVectors(path, { name: 'vectors in clusters', goalMs: 5 }, vectors, queries);
}
