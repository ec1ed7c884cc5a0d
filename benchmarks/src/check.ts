import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphChange } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import { createGrounder, type GraphGrounder } from '@warrant/grounding';
import { type Benchmark, median, percentile, type Result } from './benchmark.ts';
import { generateGraph, queries, type VreGraphKind } from './vre-graph.ts';
import { startVre, type VrePeer } from './vre-peer.ts';

const PRIMITIVES = 10_000;
const WARM = 5_000;
/** Ours and the reference take turns. Of the reference only time on the processor counts: the longer a check, the more a busy machine adds. */
const ROUNDS = 10;
const CHECKS_A_ROUND = 500;
const THEIRS_A_ROUND = { 1: 50, 5: 4 } as const;
/** The reference's medians on the machine that it was looked at, in milliseconds, for where it is not installed. */
const REFERENCE = { 1: 1.73, 5: 71.4 } as const;

/** A whole check over a SQLite file, counts per concept included: their writing is timed with the check that starts it. */
export const benchmark: Benchmark = {
  name: 'check',
  run: async () => {
    const peer = await startVre();
    if (peer === null) console.log('  vre 1.0.1 is not installed: against the figures of another machine');
    try {
      return [...(await measure('clustered', 1, peer)), ...(await measure('uniform', 5, peer))];
    } finally {
      peer?.stop();
    }
  },
};

type Times = { readonly ours: readonly number[]; readonly theirs: readonly number[] };

async function measure(kind: VreGraphKind, concepts: 1 | 5, peer: VrePeer | null): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-bench-'));
  try {
    const file = openSqlite(join(folder, 'graph.db'));
    const graph = createSqliteGraphStore({ file });
    const changes = generateGraph(kind, PRIMITIVES).map(
      (primitive): GraphChange => ({ type: 'put-primitive', primitive }),
    );
    await graph.apply(changes, { id: 'graph', expected: 'any' });
    await peer?.fill(kind, PRIMITIVES);
    const times = await inTurns(createGrounder({ graph }), queries(kind, PRIMITIVES, concepts), concepts, peer);
    await graph.close();
    file.close();
    return rows(kind, concepts, times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inTurns(
  grounder: GraphGrounder,
  next: () => readonly number[],
  concepts: 1 | 5,
  peer: VrePeer | null,
): Promise<Times> {
  const ask = () => ({ concepts: next().map((number) => `c${number}`) });
  for (let check = 0; check < WARM; check += 1) await grounder.check(ask());
  await grounder.flush();
  await peer?.check(concepts, THEIRS_A_ROUND[concepts]);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(...((await peer?.check(concepts, THEIRS_A_ROUND[concepts])) ?? []));
    await timed(grounder, ask, ours);
  }
  return { ours, theirs };
}

async function timed(
  grounder: GraphGrounder,
  ask: () => { readonly concepts: readonly string[] },
  times: number[],
): Promise<void> {
  for (let check = 0; check < CHECKS_A_ROUND; check += 1) {
    const query = ask();
    const start = process.hrtime.bigint();
    const result = await grounder.check(query);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    if (result.resolved.length !== query.concepts.length) throw new Error('a concept was not answered');
    // Between two acts of an agent the event loop turns, and what was counted is handed to the store.
    if (check % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
  }
}

function rows(kind: VreGraphKind, concepts: 1 | 5, times: Times): readonly Result[] {
  const name = `${concepts} ${concepts === 1 ? 'concept' : 'concepts'}, ${kind} 10,000, SQLite`;
  const isPaired = times.theirs.length > 0;
  const against = isPaired ? 'the reference in this run, its processor time' : 'the reference elsewhere';
  const theirs = isPaired ? median(times.theirs) : REFERENCE[concepts];
  const ours = median(times.ours);
  const ratio = theirs / ours;
  const middle: Result = {
    name: `${name}, median`,
    unit: 'ms',
    ours,
    against,
    theirs,
    ratio,
    goal: 'at least 50x',
    reached: ratio >= 50,
  };
  if (concepts > 1) return [middle];
  const tail = percentile(times.ours, 0.99);
  const theirTail = isPaired ? percentile(times.theirs, 0.99) : 4.9;
  return [
    middle,
    {
      name: `${name}, p99`,
      unit: 'ms',
      ours: tail,
      against,
      theirs: theirTail,
      ratio: theirTail / tail,
      goal: 'under 0.3 ms',
      reached: tail < 0.3,
    },
  ];
}
