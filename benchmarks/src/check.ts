import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphChange } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import { createGrounder, type GraphGrounder } from '@warrant/grounding';
import { type Benchmark, median, percentile, type Result } from './benchmark.ts';
import { generateGraph, queries, type VreGraphKind } from './vre-graph.ts';

const PRIMITIVES = 10_000;
const WARM = 5_000;
const CHECKS = 5_000;
/** The reference's medians on such a machine, in milliseconds. */
const REFERENCE = { clustered: 1.73, uniform: 71.4 } as const;

/** A whole check over a SQLite file, counts per concept included: their writing is timed with the check that starts it. */
export const benchmark: Benchmark = {
  name: 'check',
  run: async () => [...(await measure('clustered', 1)), ...(await measure('uniform', 5))],
};

async function measure(kind: VreGraphKind, concepts: 1 | 5): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-bench-'));
  try {
    const file = openSqlite(join(folder, 'graph.db'));
    const graph = createSqliteGraphStore({ file });
    const changes = generateGraph(kind, PRIMITIVES).map(
      (primitive): GraphChange => ({ type: 'put-primitive', primitive }),
    );
    await graph.apply(changes, { id: 'graph', expected: 'any' });
    const times = await timed(createGrounder({ graph }), queries(kind, PRIMITIVES, concepts));
    await graph.close();
    file.close();
    return rows(kind, concepts, times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(grounder: GraphGrounder, next: () => readonly number[]): Promise<readonly number[]> {
  const ask = () => ({ concepts: next().map((number) => `c${number}`) });
  for (let check = 0; check < WARM; check += 1) await grounder.check(ask());
  await grounder.flush();
  const times: number[] = [];
  for (let check = 0; check < CHECKS; check += 1) {
    const query = ask();
    const start = process.hrtime.bigint();
    const result = await grounder.check(query);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    if (result.resolved.length !== query.concepts.length) throw new Error('a concept was not answered');
    // Between two acts of an agent the event loop turns, and what was counted is handed to the store.
    if (check % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
  }
  return times;
}

function rows(kind: VreGraphKind, concepts: number, times: readonly number[]): readonly Result[] {
  const name = `${concepts} ${concepts === 1 ? 'concept' : 'concepts'}, ${kind} 10,000, SQLite`;
  const theirs = REFERENCE[kind as keyof typeof REFERENCE];
  const ratio = theirs / median(times);
  const middle: Result = {
    name: `${name}, median`,
    unit: 'ms',
    ours: median(times),
    against: 'the reference',
    theirs,
    ratio,
    goal: 'at least 50x',
    reached: ratio >= 50,
  };
  if (concepts > 1) return [middle];
  const tail = percentile(times, 0.99);
  return [
    middle,
    {
      name: `${name}, p99`,
      unit: 'ms',
      ours: tail,
      against: 'the reference',
      theirs: 4.9,
      ratio: 4.9 / tail,
      goal: 'under 0.3 ms',
      reached: tail < 0.3,
    },
  ];
}
