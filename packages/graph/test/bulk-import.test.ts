import type { DepthLevel, GraphApplied, GraphChange, Primitive, RelationType } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { createMemoryGraphStore, type LocalGraphStore, RELATION_TYPES } from '../src/index.ts';
import { createSqliteGraphStore } from '../src/sqlite/index.ts';
import { scratch } from './sqlite-harness.ts';

// More than this many changes are written the quick way when they are new and faultless, and judged the usual way else.
const LARGE = 2001;
const RUNS = process.env['WARRANT_SOAK'] === undefined ? 6 : 300;
const authored = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const learned = { source: 'learned', at: '2026-01-02T00:00:00Z', proposalId: 'p1' } as const;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

type Relation = {
  readonly source: number;
  readonly level: 0 | 1 | 2;
  readonly relation: RelationType;
  readonly target: number;
};

function concept(id: string, name: string, relations: readonly (Omit<Relation, 'target'> & { target: string })[]) {
  const depths = ([0, 1, 2] as const).map((level) => ({
    level,
    properties: { level, text: name },
    relata: relations
      .filter((one) => one.level === level)
      .map(({ relation, target }) => ({ relation, target, targetDepth: 0 as DepthLevel, provenance: learned })),
    provenance: authored,
  }));
  return { type: 'put-primitive', primitive: { id, name, depths, provenance: authored } } satisfies GraphChange;
}

const fillers: readonly GraphChange[] = Array.from({ length: LARGE }, (_, index) =>
  concept(`filler-${index}`, `Filler ${index}`, []),
);
const old: readonly GraphChange[] = [
  concept('old-0', 'Old', []),
  concept('old-1', 'Older', [{ source: 0, level: 1, relation: 'requires', target: 'old-0' }]),
];

function sqlite(): LocalGraphStore {
  const { path, dispose } = scratch();
  const file = openSqlite(path('graph.db'), { synchronous: 'normal' });
  cleanups.push(() => {
    file.close();
    dispose();
  });
  return createSqliteGraphStore({ file });
}

async function all(store: LocalGraphStore): Promise<readonly Primitive[]> {
  const primitives: Primitive[] = [];
  for await (const one of store.primitives()) primitives.push(one);
  return primitives;
}

function withoutVersion(applied: GraphApplied): unknown {
  return applied.type === 'applied' || applied.type === 'duplicate' ? applied.type : applied;
}

const COUNT = 7;
const relation = fc.record<Relation>({
  source: fc.nat(COUNT - 1),
  level: fc.constantFrom(0, 1, 2),
  relation: fc.constantFrom(...RELATION_TYPES),
  // Two more than there are in the batch: the stored ones. A third is nowhere.
  target: fc.oneof({ weight: 40, arbitrary: fc.nat(COUNT + 1) }, { weight: 1, arbitrary: fc.constant(COUNT + 2) }),
});
const batch = fc.record({
  // Mostly without cycles, so that most batches are taken.
  relations: fc
    .array(relation, { maxLength: 12 })
    .chain((list) =>
      fc.boolean().map((any) => (any ? list : list.filter(({ source, target }) => target > source || target >= COUNT))),
    ),
  names: fc.oneof(
    { weight: 6, arbitrary: fc.constant(['A', 'B', 'C', 'Straße', 'E', 'F', 'G']) },
    { weight: 1, arbitrary: fc.constant(['A', 'B', 'C', 'STRASSE', 'strasse', 'F', 'G']) },
    { weight: 1, arbitrary: fc.constant(['A', 'B', 'OLD', 'D', 'E', 'F', 'G']) },
  ),
  repeats: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  hasOld: fc.boolean(),
  filledFirst: fc.boolean(),
});

test('a large batch ends as it does in memory, taken or refused', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(batch, async ({ relations, names, repeats, hasOld, filledFirst }) => {
      const ids = [...names.keys()].map((index) => `id-${index}`);
      const targets = [...ids, 'old-0', 'old-1', 'nowhere'];
      const own = ids.map((id, index) =>
        concept(
          id,
          names[index] as string,
          relations
            .filter((one) => one.source === index)
            .map((one) => ({ ...one, target: targets[one.target] as string })),
        ),
      );
      const more = repeats ? own.slice(0, 1) : [];
      const changes = filledFirst ? [...fillers, ...own, ...more] : [...own, ...fillers, ...more];
      const [memory, file] = [createMemoryGraphStore(), sqlite()];
      for (const store of [memory, file]) {
        if (hasOld) await store.apply(old, { id: 'old', expected: 'any' });
      }
      const [expected, actual] = [
        await memory.apply(changes, { id: 'batch', expected: await memory.version() }),
        await file.apply(changes, { id: 'batch', expected: await file.version() }),
      ];
      expect(withoutVersion(actual)).toEqual(withoutVersion(expected));
      expect(await all(file)).toEqual(await all(memory));
      expect((await file.version()).revision).toBe((await memory.version()).revision);
      for (const name of [...names, 'old', 'older', 'filler 7']) {
        const [seen, wanted] = [await file.view([name]), await memory.view([name])];
        expect(seen.snapshot()).toEqual(wanted.snapshot());
        expect(seen.digest).toBe(wanted.digest);
      }
      for (const id of ['old-0', 'id-3', 'id-6']) {
        const removal = [{ type: 'remove-primitive', primitive: id, dangling: 'refuse' }] as const;
        const how = { id: `remove-${id}`, expected: 'any' } as const;
        expect(withoutVersion(await file.apply(removal, how))).toEqual(
          withoutVersion(await memory.apply(removal, how)),
        );
      }
    }),
    { numRuns: RUNS },
  );
});

test('a large batch is applied once, and only to the graph that its writer knew', async () => {
  const store = sqlite();
  const before = await store.version();
  const how = { id: 'fill', expected: before };
  expect((await store.apply(fillers, how)).type).toBe('applied');
  const after = await store.version();
  expect(after.revision).toBe(before.revision + 1);
  expect(await store.apply(fillers, how)).toEqual({ type: 'duplicate', version: after });
  await expect(store.apply(fillers.slice(1), how)).rejects.toMatchObject({ code: 'GRAPH_ID_REUSED' });
  const more = [...fillers].map((_, index) => concept(`more-${index}`, `More ${index}`, []));
  expect(await store.apply(more, { id: 'more', expected: before })).toEqual({ type: 'conflict', actual: after });
  expect((await all(store)).length).toBe(LARGE);
  expect((await store.apply(more, { id: 'more', expected: after })).type).toBe('applied');
  expect(await store.apply(fillers, { id: 'again', expected: 'any' })).toMatchObject({
    type: 'applied',
    version: { revision: after.revision + 1 },
  });
});

test.each([
  ['one that leads to itself', { a: ['a'] }],
  ['two that lead to each other', { a: ['b'], b: ['a'] }],
  ['a long way round', { a: ['c'], b: ['a'], c: ['d'], d: ['b'] }],
])(
  'a large batch with a cycle is refused with its path: %s',
  async (_, requires: Record<string, readonly string[]>) => {
    const store = sqlite();
    const ring = Object.entries(requires).map(([id, targets]) =>
      concept(
        id,
        id,
        targets.map((target) => ({ source: 0, level: 1, relation: 'requires', target })),
      ),
    );
    for (const changes of [
      [...ring, ...fillers],
      [...fillers, ...ring.reverse()],
    ]) {
      const applied = await store.apply(changes, { id: `cycle ${changes.indexOf(ring[0] as never)}`, expected: 'any' });
      expect(applied).toMatchObject({ type: 'refused', reasons: [{ code: 'graph.cycle' }] });
      const path = applied.type === 'refused' ? applied.reasons[0]?.data['path'] : [];
      expect(new Set(path as readonly string[])).toEqual(new Set(Object.keys(requires)));
    }
    expect(await all(store)).toEqual([]);
  },
);

test('a large batch with a fault leaves nothing behind, and says where', async () => {
  const store = sqlite();
  const broken = { ...(fillers[0] as (typeof fillers)[0] & object), primitive: { id: 'x', name: '' } };
  const refused = await store.apply([...fillers, broken as unknown as GraphChange], { id: '1', expected: 'any' });
  expect(refused).toMatchObject({ type: 'refused', reasons: [{ data: { path: `/${LARGE}/primitive/name` } }] });
  expect(await all(store)).toEqual([]);
  expect((await store.version()).revision).toBe(0);
  expect((await store.apply(fillers, { id: '1', expected: 'any' })).type).toBe('applied');
});

test('a large batch is seen through other handles of the file', async () => {
  const { path, dispose } = scratch();
  const files = [openSqlite(path('graph.db')), openSqlite(path('graph.db'))] as const;
  cleanups.push(() => {
    for (const file of files) file.close();
    dispose();
  });
  const [one, two] = files.map((file) => createSqliteGraphStore({ file })) as [LocalGraphStore, LocalGraphStore];
  expect((await two.view(['filler 3'])).snapshot().primitives).toEqual([]);
  await one.apply(fillers, { id: 'fill', expected: 'any' });
  expect((await two.view(['filler 3'])).snapshot().primitives).toHaveLength(1);
  expect((await one.view(['filler 3'])).snapshot().primitives).toHaveLength(1);
  expect(await two.version()).toEqual(await one.version());
});
