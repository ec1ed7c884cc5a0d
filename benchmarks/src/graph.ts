import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Depth, Primitive } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import { createGrounder } from '@warrant/grounding';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { millionRows } from './graph-million.ts';
import { cpuMs } from './processor.ts';
import { generateGraph } from './vre-graph.ts';
import { startVre } from './vre-peer.ts';

/** The reference's figures on the machine that it was looked at, in milliseconds and concepts per second. */
const REFERENCE = { check1Of100k: 1.62, importPerSecond: 1672 };
const AGAINST = 'the reference elsewhere';

/** Large graphs in SQLite files: import, checks cold and warm, a change and a check. */
export const benchmark: Benchmark = {
  name: 'graph',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'warrant-bench-graph-'));
    try {
      const large = join(folder, 'large.db');
      return [await importLarge(large), ...opened(large), await changeAndCheck(large), ...(await million(folder))];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function million(folder: string): Promise<readonly Result[]> {
  if (process.env['WARRANT_SOAK'] !== undefined) return millionRows(folder);
  console.log('  the graph of 1,000,000 concepts is left out: WARRANT_SOAK is not set');
  return [];
}

/** @returns the milliseconds on the processor that the import took */
async function fill(path: string, primitives: readonly Primitive[]): Promise<number> {
  const file = openSqlite(path);
  const store = createSqliteGraphStore({ file });
  const changes = primitives.map((primitive) => ({ type: 'put-primitive' as const, primitive }));
  const before = cpuMs();
  const result = await store.apply(changes, { id: 'fill', expected: 'any' });
  const taken = cpuMs() - before;
  if (result.type !== 'applied') throw new Error(`the import was ${result.type}`);
  file.close();
  return taken;
}

/** By processor time, which a busy machine changes least. The reference saves fewer concepts, which is to its favour. */
async function importLarge(path: string): Promise<Result> {
  const theirs = await theirImport();
  const primitives = generateGraph('clustered', 100_000);
  const taken = await fill(path, primitives);
  const ours = (primitives.length / taken) * 1000;
  const ratio = ours / (theirs ?? REFERENCE.importPerSecond);
  return {
    name: 'import 100,000 concepts, 300,000 relata',
    unit: 'concepts per processor second',
    ours,
    against: theirs === null ? AGAINST : 'the reference in this run, 10,000 concepts',
    theirs: theirs ?? REFERENCE.importPerSecond,
    ratio,
    goal: 'at least 20x',
    reached: ratio >= 20,
  };
}

async function theirImport(): Promise<number | null> {
  const peer = await startVre();
  if (peer === null) return null;
  const seconds = await peer.fill('clustered', 10_000);
  peer.stop();
  return 10_000 / seconds;
}

function limit(name: string, ours: number, most: number, unit = 'ms'): Result {
  const goal = `under ${most} ${unit}`;
  return { name, unit, ours, against: 'the goal', theirs: most, ratio: most / ours, goal, reached: ours < most };
}

function opened(path: string): readonly Result[] {
  const script = join(import.meta.dirname, 'graph-opened.ts');
  const measure = (...how: readonly string[]) => {
    const args = [...process.execArgv, script, path, ...how];
    const text = execFileSync(process.execPath, args, { encoding: 'utf8' });
    return JSON.parse(text) as Record<'firstMs' | 'coldMs' | 'warmMs' | 'rssMb', number>;
  };
  const { firstMs, coldMs, warmMs, rssMb } = measure('loaded');
  const fresh = limit('the same in a new process, SQLite being loaded included', measure().firstMs, 20);
  const theirs = REFERENCE.check1Of100k;
  const row = (name: string, ours: number): Result => ({
    name,
    unit: 'ms',
    ours,
    against: AGAINST,
    theirs,
    ratio: theirs / ours,
    goal: 'at least 50x',
    reached: theirs / ours >= 50,
  });
  return [
    limit('open a graph of 100,000 and check 1', firstMs, 20),
    { ...fresh, goal: 'none, for comparison', reached: true },
    row('check 1 of 100,000, warm', warmMs),
    { ...row('check 1 of 100,000, each seen first', coldMs), goal: 'none, for comparison', reached: true },
    limit('memory after that (RSS)', rssMb, 300, 'MB'),
  ];
}

async function changeAndCheck(path: string): Promise<Result> {
  const file = openSqlite(path);
  const store = createSqliteGraphStore({ file });
  const grounder = createGrounder({ graph: store });
  const provenance = { source: 'learned', at: '2026-01-02T00:00:00.000Z' } as const;
  const times: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const name = `c${(round * 7919) % 100_000}`;
    const primitive = (await store.view([name])).snapshot().primitives[0] as Primitive;
    const depth: Depth = { level: 4, properties: { round }, relata: [], provenance };
    const start = performance.now();
    await store.apply([{ type: 'put-depth', primitive: primitive.id, depth }], {
      id: `change-${round}`,
      expected: 'any',
    });
    await grounder.check({ concepts: [name] });
    times.push(performance.now() - start);
  }
  await store.close();
  file.close();
  return limit('change 1 of 100,000, then check it (durable)', median(times), 5);
}
