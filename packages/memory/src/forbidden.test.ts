import type { Embedder, MemoryRecord } from '@warrant/core';
import { createVirtualClock } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { describe, expect, test } from 'vitest';
import { createMemory } from './memory.ts';
import { createInMemoryStore } from './memory-store.ts';
import { decideAccess, type MemoryPermissions } from './permissions.ts';
import { createSetup } from './setup.ts';
import { mayRead } from './shown.ts';
import { createSqliteMemoryStore } from './sqlite/store.ts';
import { memoryFor } from './testing/setup.ts';

const all = { canWrite: ['memory/org/'], cannotWrite: [], canDelete: [] };
/** `a` sees everything, `b` the public part; both write everywhere. */
const permissions: MemoryPermissions = {
  defaultPolicy: 'deny',
  protectedPrefixes: [],
  agents: { a: { ...all, canRead: ['memory/org/'] }, b: { ...all, canRead: ['memory/org/public/'] } },
};
const SECRET = 'the zebra code is 4711';
const alike: Embedder = {
  name: 'alike',
  version: '1',
  dimensions: 2,
  embed: async (texts) => texts.map(() => new Float32Array([1, 1])),
};

const stores = {
  process: () => createInMemoryStore(),
  sqlite: () => createSqliteMemoryStore(openSqlite(':memory:')),
};

function opened(
  store: ReturnType<(typeof stores)['process' | 'sqlite']>,
  options: { readonly embedder?: Embedder } = {},
) {
  const clock = createVirtualClock('2026-03-01T00:00:00.000Z');
  const memory = createMemory({ store, clock, permissions, consolidation: { sinceHours: 0 }, ...options });
  return { memory, clock, a: memory.agent('a'), b: memory.agent('b') };
}

const keys = (records: readonly MemoryRecord[]): readonly string[] => records.map(({ key }) => key);

describe.each(Object.entries(stores))('what an agent may not read, in %s', (_name, store) => {
  test('is not found by the words that it lends to its neighbours', async () => {
    const { memory, a, b } = opened(store());
    const said = { session: 's', subject: 'kim' };
    await a.write({ key: 'memory/org/secret/1', value: SECRET, ...said });
    await a.write({ key: 'memory/org/public/2', value: 'the weather is fine', ...said });
    await a.write({ key: 'memory/org/public/3', value: 'a zebra of the zoo', session: 't', subject: 'kim' });
    await a.write({ key: 'memory/org/public/4', value: 'its name is Ida', session: 't', subject: 'kim' });
    const found = async (who: typeof a, query: string) =>
      keys((await who.retrieve({ query })).items.map((item) => item.record));
    expect(await found(a, 'zebra code 4711')).toContain('memory/org/public/2');
    expect(await found(b, 'zebra code 4711')).toEqual(['memory/org/public/3', 'memory/org/public/4']);
    const weather = await b.retrieve({ query: 'weather zebra' });
    const fine = weather.items.find(({ record }) => record.key === 'memory/org/public/2');
    expect(fine?.signals.context.value).toBe(fine?.signals.text.value);
    expect(await found(b, 'weather')).toEqual(['memory/org/public/2']);
    await memory.close();
  });

  test('is neither confirmed nor named to whoever writes over it', async () => {
    const { memory, a, b } = opened(store());
    await a.write({ key: 'memory/org/secret/1', value: SECRET, entities: ['vault'] });
    const same = await b.write({ key: 'memory/org/secret/1', value: SECRET });
    expect(same).toMatchObject({ type: 'stored', conflicts: [], record: { entities: [], agent: 'b' } });
    expect(await b.write({ key: 'memory/org/secret/1', value: SECRET })).toMatchObject({ type: 'confirmed' });
    expect(await a.write({ key: 'memory/org/secret/1', value: SECRET })).toMatchObject({ type: 'confirmed' });
    expect(await a.write({ key: 'memory/org/secret/1', value: 'new' })).toMatchObject({
      conflicts: [{ type: 'temporal' }],
    });
    expect(await b.write({ key: 'memory/org/secret/1', value: 'newer' })).toMatchObject({
      conflicts: [],
      record: { conflicts: [] },
    });
    await memory.human('h', { onBehalfOf: 'b' }).write({ key: 'memory/org/secret/9', value: SECRET });
    for (const value of ['a guess', SECRET]) {
      const guess = await b.write({ key: 'memory/org/secret/9', value });
      expect(guess).toEqual({
        type: 'refused',
        reasons: [expect.objectContaining({ code: 'memory.outranked', data: { key: 'memory/org/secret/9' } })],
      });
    }
    expect(await memory.human('h').conflicts()).toHaveLength(2);
    await memory.close();
  });

  test('is not shown by what contradicts it', async () => {
    const { memory, a, b } = opened(store(), { embedder: alike });
    await a.write({ key: 'memory/org/secret/1', value: SECRET, subject: 'kim' });
    const probe = await b.write({ key: 'memory/org/public/probe', value: SECRET, subject: 'kim' });
    expect(probe).toMatchObject({ type: 'stored', conflicts: [], record: { conflicts: [] } });
    const recall = await b.retrieve({ query: 'the zebra code' });
    expect([recall.conflicts, recall.items.map(({ record }) => record.conflicts)]).toEqual([[], [[]]]);
    const read = await b.read('memory/org/public/probe');
    expect(read).toMatchObject({ type: 'found', record: { conflicts: [] } });
    expect((await b.list()).concat(await b.history('memory/org/public/probe')).flatMap((one) => one.conflicts)).toEqual(
      [],
    );
    expect((await a.retrieve({ query: 'the zebra code' })).conflicts).toHaveLength(1);
    await memory.close();
  });

  test('is not counted', async () => {
    const { memory, a, b } = opened(store(), { embedder: alike });
    await a.write({ key: 'memory/org/secret/1', value: SECRET, subject: 'kim' });
    await b.write({ key: 'memory/org/public/probe', value: SECRET, subject: 'kim' });
    for (let times = 0; times < 10; times += 1) await a.recordOutcome({ session: `s${times}`, value: 1 });
    const counted = { totalMemories: 1, conflictPendingCount: 0, outcomePositiveRate: null };
    expect(await memory.system.stats({ reader: 'b' })).toMatchObject(counted);
    expect(await memory.system.stats()).toMatchObject({
      totalMemories: 2,
      conflictPendingCount: 1,
      outcomePositiveRate: 1,
    });
    await memory.close();
  });

  test('does not say where it lies when its id is quarantined', async () => {
    const { memory, a, b } = opened(store());
    const written = await a.write({ key: 'memory/org/secret/1', value: SECRET });
    const id = written.type === 'stored' ? written.record.id : '';
    expect(JSON.stringify(await b.quarantine(id, 'odd'))).not.toContain('secret');
    await memory.close();
  });

  test('does not come under a key that the agent may read when records become one', async () => {
    const { memory, clock, a, b } = opened(store());
    await a.write({ key: 'memory/org/secret/1', value: 'kim drinks green tea', subject: 'kim' });
    await a.write({ key: 'memory/org/public/2', value: 'kim drinks tea at noon', subject: 'kim' });
    await a.write({ key: 'memory/org/public/3', value: 'lee drinks green tea', subject: 'lee' });
    await a.write({ key: 'memory/org/public/4', value: 'lee drinks tea at noon', subject: 'lee' });
    clock.advance(1000);
    expect(await a.consolidate()).toMatchObject({ clusters: 1, merged: 1 });
    expect(keys(await b.list())).toEqual(['memory/org/public/2', 'memory/org/public/3']);
    await memory.close();
  });
});

test('consolidation writes only where the agent still may, and joins only what ends together', async () => {
  const store = createInMemoryStore();
  const { clock, a } = opened(store);
  await a.write({
    key: 'memory/org/public/1',
    value: 'kim drinks green tea',
    subject: 'kim',
    expiresAt: '2026-04-01T00:00:00Z',
  });
  await a.write({ key: 'memory/org/public/2', value: 'kim drinks tea at noon', subject: 'kim' });
  await a.write({ key: 'memory/org/public/3', value: 'lee drinks green tea', subject: 'lee' });
  await a.write({ key: 'memory/org/public/4', value: 'lee drinks tea at noon', subject: 'lee' });
  clock.advance(1000);
  const fewer = {
    ...permissions,
    agents: { a: { ...all, cannotWrite: ['memory/org/public/4'], canRead: ['memory/org/'] } },
  };
  const now = (more: MemoryPermissions) =>
    createMemory({ store, clock, permissions: more, consolidation: { sinceHours: 0 } });
  expect(await now(fewer).agent('a').consolidate()).toMatchObject({ clusters: 0 });
  expect(await now(permissions).agent('a').consolidate()).toMatchObject({ clusters: 1, merged: 1 });
});

test('who may read a stored record is what the permissions say of its key', () => {
  const { store } = memoryFor();
  const origin = 'agent-inferred';
  for (const given of [null, permissions])
    for (const type of ['agent', 'provider', 'human'] as const)
      for (const key of ['memory/org/public/1', 'memory/org/secret/1', 'skills/x', 'config/human/y', 'memoryless'])
        for (const agent of ['a', 'b', 'h']) {
          const actor = { type, key: 'b' } as const;
          const record = { key, agent, origin } as const;
          const verdict = decideAccess(given, { action: 'read', key, actor, record });
          expect(mayRead(createSetup({ store, permissions: given }), actor, record), `${key} ${agent}`).toBe(
            verdict.allowed,
          );
        }
});
