import type { GraphChange, Primitive } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { describe, expect, it } from 'vitest';
import { createMemoryGraphStore, type LocalGraphStore } from '../src/index.ts';
import { createSqliteGraphStore } from '../src/sqlite/index.ts';

const stores: readonly (readonly [string, () => LocalGraphStore])[] = [
  ['in memory', createMemoryGraphStore],
  ['in SQLite', () => createSqliteGraphStore({ file: openSqlite(':memory:') })],
];
const provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;

function primitive(name: string, ...targets: readonly string[]): Primitive {
  const relata = targets.map((target) => ({
    relation: 'applies-to' as const,
    target: `id-${target}`,
    targetDepth: 1 as const,
    provenance,
  }));
  return { id: `id-${name}`, name, depths: [{ level: 1, properties: {}, relata, provenance }], provenance };
}

const remove = (name: string): GraphChange => ({
  type: 'remove-primitive',
  primitive: `id-${name}`,
  dangling: 'remove',
});

describe.each(stores)('a graph %s', (_, create) => {
  const filled = async (): Promise<LocalGraphStore> => {
    const store = create();
    const changes = [
      primitive('file'),
      primitive('folder', 'file'),
      primitive('delete', 'file', 'folder'),
      primitive('alone'),
    ].map((one): GraphChange => ({ type: 'put-primitive', primitive: one }));
    await store.apply(changes, { id: 'fill', expected: 'any' });
    return store;
  };

  it('tells whose relata went with what was removed', async () => {
    const store = await filled();
    const applied = await store.apply([remove('file')], { id: 'remove', expected: 'any' });
    expect(applied).toMatchObject({
      type: 'applied',
      notes: [
        {
          code: 'graph.relata-removed',
          message: "2 primitives lost their relata to 'file', which the batch removed",
          data: { primitive: 'id-file', name: 'file', dependants: ['delete', 'folder'], count: 2 },
        },
      ],
    });
    const left = (await store.view(['delete'])).snapshot().primitives[0]?.depths[0]?.relata;
    expect(left?.map(({ target }) => target)).toEqual(['id-folder']);
  });

  it('tells nothing where nothing went along, and each of several by itself', async () => {
    const store = await filled();
    expect(await store.apply([remove('alone')], { id: 'one', expected: 'any' })).not.toHaveProperty('notes');
    const both = await store.apply([remove('file'), remove('folder')], { id: 'both', expected: 'any' });
    expect(both).toMatchObject({
      notes: [{ data: { name: 'file', dependants: ['delete'] } }, { data: { name: 'folder', dependants: ['delete'] } }],
    });
  });
});
