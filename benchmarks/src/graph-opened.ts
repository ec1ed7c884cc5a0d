// Run by graph.ts in a process of its own, so that first checks and memory are those of a fresh start.
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import { createGrounder } from '@warrant/grounding';
import { median } from './benchmark.ts';
import { cpuMs } from './processor.ts';
import { queries } from './vre-graph.ts';

const path = process.argv[2] as string;
/** Whether SQLite itself is loaded before the clock starts, as in a process that had a file open before. */
const isLoaded = process.argv[3] === 'loaded';
const PRIMITIVES = Number(process.argv[4] ?? 100_000);
const STREAM = 1000;
const WARM_PASSES = 5;

if (isLoaded) openSqlite(':memory:').close();
const [start, cpu] = [performance.now(), cpuMs()];
const file = openSqlite(path);
const store = createSqliteGraphStore({ file });
const grounder = createGrounder({ graph: store });
await grounder.check({ concepts: [`c${Math.floor(0.77777 * PRIMITIVES)}`] });
const firstMs = performance.now() - start;
const firstCpuMs = cpuMs() - cpu;

const next = queries('clustered', PRIMITIVES, 1);
const stream = Array.from({ length: STREAM }, () => [`c${next()[0]}`]);
const coldMs = await timed();
const passes: number[] = [];
for (let pass = 0; pass < WARM_PASSES; pass += 1) passes.push(await timed());
const warmMs = median(passes);
process.stdout.write(JSON.stringify({ firstMs, firstCpuMs, coldMs, warmMs, rssMb: process.memoryUsage().rss / 1e6 }));
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
