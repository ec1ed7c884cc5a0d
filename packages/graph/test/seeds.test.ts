import type { Primitive } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import {
  applyImport,
  formatProblem,
  loadSeed,
  loadSeeds,
  parseGraphDocuments,
  planImport,
  SEED_NAMES,
  type SeedName,
} from '../src/documents/index.ts';
import { createMemoryGraphStore, type LocalGraphStore } from '../src/index.ts';
import { groundPlainly } from './plain-grounder.ts';

async function importSeed(store: LocalGraphStore, name: SeedName) {
  const parsed = parseGraphDocuments(loadSeeds([name]));
  if (parsed.type === 'invalid') throw new Error(parsed.problems.map(formatProblem).join('\n'));
  const plan = await planImport(store, parsed.documents);
  if (plan.type === 'invalid') throw new Error(plan.problems.map(formatProblem).join('\n'));
  expect((await applyImport(store, plan)).type).toBe('applied');
  return plan;
}

async function all(store: LocalGraphStore): Promise<readonly Primitive[]> {
  const primitives: Primitive[] = [];
  for await (const one of store.primitives()) primitives.push(one);
  return primitives;
}

async function seeded(...names: readonly SeedName[]): Promise<readonly Primitive[]> {
  const store = createMemoryGraphStore();
  for (const name of names) await importSeed(store, name);
  return all(store);
}

const FILESYSTEM =
  'operating_system filesystem path permission ownership directory file symlink user group process create read write delete list move copy modify execute';
const DEEP = {
  filesystem: ['delete', 'execute'],
  shell: ['run', 'kill'],
  git: ['rebase', 'push', 'force_push', 'reset_branch'],
  database: ['update_rows', 'delete_rows', 'truncate_table', 'drop_table', 'alter_table', 'migrate_schema'],
};

describe.each(['filesystem', 'shell', 'git', 'database'] as const)('the seed %s', (name) => {
  test('grounds every concept at every depth to 3, and every pair', async () => {
    const graph = await seeded(name);
    const names = graph.map((one) => one.name);
    for (const [index, one] of names.entries()) {
      for (const minDepth of [0, 1, 2, 3])
        expect(groundPlainly(graph, [one], minDepth), `${one} ${minDepth}`).toEqual([]);
      for (const other of names.slice(index + 1))
        expect(groundPlainly(graph, [one, other]), `${one} + ${other}`).toEqual([]);
    }
  });

  test('knows the implications of what cannot be undone, and of nothing else', async () => {
    const graph = await seeded(name);
    const deep = graph.filter((one) => groundPlainly(graph, [one.name], 4).length === 0).map((one) => one.name);
    const standsOn = name === 'filesystem' ? [] : DEEP.filesystem;
    expect(deep.sort()).toEqual([...DEEP[name], ...standsOn].sort());
  });

  test('does not ground with a concept that no seed has', async () => {
    const graph = await seeded(name);
    expect(groundPlainly(graph, [graph[0]?.name as string, 'unknown-command'])).toEqual([
      { type: 'existence', concept: 'unknown-command' },
    ]);
  });
});

test('the seed filesystem has the twenty concepts, each with complete relata', async () => {
  const graph = await seeded('filesystem');
  expect(graph.map((one) => one.name).sort()).toEqual(FILESYSTEM.split(' ').sort());
  const bare = graph.filter((one) => one.depths.every((depth) => depth.relata.length === 0)).map((one) => one.name);
  expect(bare).toEqual([]);
});

test.each([
  [['list', 'directory'], []],
  [['read', 'file'], [['relational', 'file']]],
  [['delete', 'file'], [['reachability', 'delete']]],
  [
    ['create', 'file'],
    [
      ['depth', 'create'],
      ['reachability', 'create'],
    ],
  ],
  [['mystery'], [['existence', 'mystery']]],
  [['file'], []],
])('the seed gaps answers %j with %j', async (concepts, expected) => {
  const graph = await seeded('gaps');
  const gaps = groundPlainly(graph, concepts).map(({ type, concept }) => [type, concept]);
  expect(gaps).toEqual(expected);
});

test('the seed gaps does not ground file at depth 2, nor create at depth 3', async () => {
  const graph = await seeded('gaps');
  expect(graph).toHaveLength(10);
  expect(groundPlainly(graph, ['file'], 2)).toEqual([{ type: 'depth', concept: 'file' }]);
  expect(groundPlainly(graph, ['create'], 3)).toEqual([{ type: 'depth', concept: 'create' }]);
});

test('all seeds go into one graph in any order, and a second import changes nothing', async () => {
  for (const order of [[...SEED_NAMES], [...SEED_NAMES].reverse()]) {
    const store = createMemoryGraphStore();
    for (const name of order) await importSeed(store, name);
    const version = await store.version();
    for (const name of order) {
      const again = await importSeed(store, name);
      expect(again.changes, name).toEqual([]);
      expect(again.added).toEqual([]);
    }
    expect(await store.version()).toEqual(version);
    const graph = await all(store);
    for (const one of FILESYSTEM.split(' ')) expect(groundPlainly(graph, [one], 3), one).toEqual([]);
  }
});

test('a domain brings the one it stands on, and concepts of both ground together', async () => {
  const graph = await seeded('git', 'shell');
  for (const concepts of [
    ['command', 'run', 'list', 'directory'],
    ['command', 'run', 'working_tree', 'read'],
    ['push', 'remote', 'run'],
  ]) {
    expect(groundPlainly(graph, concepts), concepts.join(' ')).toEqual([]);
  }
  expect(groundPlainly(await seeded('database'), ['delete', 'drop_table'])).toEqual([]);
});

test('a domain without the one it stands on is refused at the line that names it', async () => {
  const parsed = parseGraphDocuments([loadSeed('git')]);
  if (parsed.type === 'invalid') throw new Error('the seed has faults');
  const plan = await planImport(createMemoryGraphStore(), parsed.documents);
  expect(plan).toMatchObject({
    type: 'invalid',
    problems: [{ code: 'document.dangling-target', file: 'git.graph.yaml' }, {}],
  });
});
