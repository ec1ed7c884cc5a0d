import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Depth, DepthLevel, Grounder, Primitive, Provenance } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemoryGraphStore } from '@warrant/graph';
import { createGrounder } from '@warrant/grounding';
import { createMemoryJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { createPolicyRegistry, guard, type PolicySet } from '@warrant/policy';
import { type Benchmark, median, type Result } from './benchmark.ts';

const ROUNDS = 60;
const CALLS = 500;
const GOAL_MICROSECONDS = 20;
const provenance: Provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' };

/** What a guard adds to the bare check: a no-op tool, static concepts, one passing callback. Rounds of both alternate. */
export const benchmark: Benchmark = { name: 'guard', run };

async function run(): Promise<readonly Result[]> {
  const grounder = await deleteFileGrounder();
  const policies = passingPolicy();
  const tool = { name: 'noop', parameters: ['path'], concepts: ['delete', 'file'], grounder, policies };
  const check = () => grounder.check({ concepts: tool.concepts });
  const plain = guard((path: string) => path, tool);
  const memory = guard((path: string) => path, { ...tool, journal: createMemoryJournal() });
  const bare = await over(check, () => plain('a.txt'));
  const inMemory = await over(check, () => memory('a.txt'));
  return [
    result('over the bare check, no journal', bare, true),
    result('over the bare check, journal in memory', inMemory, false),
    await groupCommit(tool, check),
  ];
}

/** A hundred calls at a time, so that their records share commits. */
async function groupCommit(
  tool: Parameters<typeof guard<[string], string>>[1],
  check: () => Promise<unknown>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'guard-bench-'));
  const file = openSqlite(join(directory, 'journal.db'));
  const journal = createSqliteJournal(file);
  try {
    const guarded = guard((path: string) => path, { ...tool, journal });
    const together = async (call: () => Promise<unknown>): Promise<void> => {
      await Promise.all(Array.from({ length: 100 }, call));
    };
    const both = await over(
      () => together(check),
      () => together(() => guarded('a.txt')),
      { rounds: 10, calls: 5 },
    );
    const perCall = { ...both, ours: both.ours / 100, theirs: both.theirs / 100 };
    return result('over the bare check, SQLite journal with group commit, 100 calls at once', perCall, false);
  } finally {
    await journal.close();
    file.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `isContended`: waiting for a processor took a good part of the time. */
type Pair = { readonly ours: number; readonly theirs: number; readonly isContended: boolean };

/** Median microseconds of a call of either kind, measured in turns. */
async function over(
  theirs: () => Promise<unknown>,
  ours: () => Promise<unknown>,
  { rounds, calls } = { rounds: ROUNDS, calls: CALLS },
): Promise<Pair> {
  const figures = { ours: [] as number[], theirs: [] as number[] };
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  for (let round = 0; round < rounds; round += 1) {
    const first = await timed(theirs, calls);
    const second = await timed(ours, calls);
    // The first rounds warm the engine up.
    if (round < rounds / 5) continue;
    figures.theirs.push(first);
    figures.ours.push(second);
  }
  const { user, system } = process.cpuUsage(cpu);
  const isContended = performance.now() - start > (1.25 * (user + system)) / 1000;
  return { ours: median(figures.ours), theirs: median(figures.theirs), isContended };
}

async function timed(call: () => Promise<unknown>, calls: number): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < calls; index += 1) await call();
  return ((performance.now() - start) * 1000) / calls;
}

function result(name: string, { ours, theirs, isContended }: Pair, hasGoal: boolean): Result {
  const extra = ours - theirs;
  return {
    name,
    unit: 'microseconds extra',
    ours: extra,
    against: 'the bare check takes',
    theirs,
    ratio: null,
    goal: hasGoal ? `under ${GOAL_MICROSECONDS} microseconds` : 'none, told apart',
    reached: !hasGoal || extra < GOAL_MICROSECONDS || (isContended ? 'contended' : false),
  };
}

async function deleteFileGrounder(): Promise<Grounder> {
  const store = createMemoryGraphStore();
  const primitives = ['delete', 'file'].map((name) => primitive(name));
  const changes = primitives.map((entry) => ({ type: 'put-primitive' as const, primitive: entry }));
  await store.apply(changes, { id: 'benchmark', expected: 'any' });
  return createGrounder({ graph: store, metrics: false });
}

function primitive(name: string): Primitive {
  const applies = { relation: 'applies-to', target: 'id-file', targetDepth: 2, provenance } as const;
  const depths = ([0, 1, 2, 3] as const).map(
    (level: DepthLevel): Depth => ({
      level,
      properties: { note: 'known' },
      relata: name === 'delete' && level === 3 ? [applies] : [],
      provenance,
    }),
  );
  return { id: `id-${name}`, name, depths, provenance };
}

function passingPolicy(): PolicySet {
  const registry = createPolicyRegistry();
  registry.register({ key: 'passes', source: 'delete', target: 'file', sourceDepth: 3 }, () => ({ passed: true }));
  return registry.freeze();
}
