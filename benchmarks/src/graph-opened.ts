// Run by graph.ts in a process of its own, so that first checks and memory are those of a fresh start.
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import { createGrounder } from '@warrant/grounding';
import { median } from './benchmark.ts';
import { queries } from './vre-graph.ts';

const path = process.argv[2] as string;
const PRIMITIVES = 100_000;
const STREAM = 1000;

const start = performance.now();
const file = openSqlite(path);
const store = createSqliteGraphStore({ file });
const grounder = createGrounder({ graph: store });
await grounder.check({ concepts: ['c77777'] });
const firstMs = performance.now() - start;

const next = queries('clustered', PRIMITIVES, 1);
const stream = Array.from({ length: STREAM }, () => [`c${next()[0]}`]);
const coldMs = await timed();
const warmMs = await timed();
process.stdout.write(JSON.stringify({ firstMs, coldMs, warmMs, rssMb: process.memoryUsage().rss / 1e6 }));
await store.close();
file.close();

/** The median of one pass over the stream, in milliseconds. */
async function timed(): Promise<number> {
  const times: number[] = [];
  for (const concepts of stream) {
    const began = performance.now();
    await grounder.check({ concepts });
    times.push(performance.now() - began);
  }
  return median(times);
}
