import type { MemoryRecord, MemoryStore } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { createMemory } from '../memory.ts';
import { createSqliteMemoryStore } from './store.ts';
import { STEPS } from './tables.ts';

const KEY = 'memory/working/harbour';

async function headOf(store: MemoryStore) {
  const [head] = await store.heads([KEY]);
  return head as NonNullable<typeof head>;
}

test('every change of a row gives its key another revision, and only what is back as it was the same', async () => {
  const store = createSqliteMemoryStore(openSqlite(':memory:'));
  const agent = createMemory({ store }).agent('a');
  const seen = [(await headOf(store)).revision];
  const change = async (changes: Parameters<MemoryStore['commit']>[0]): Promise<void> => {
    await store.commit(changes, { expected: {}, audit: [] });
    seen.push((await headOf(store)).revision);
  };
  await agent.write({ key: KEY, value: 'one' });
  seen.push((await headOf(store)).revision);
  const { id } = (await headOf(store)).records[0] as MemoryRecord;
  await change([{ type: 'archive', id, at: '2040-01-01T00:00:00.000Z' }]);
  await change([{ type: 'restore', id, at: '2040-01-01T00:00:01.000Z' }]);
  await change([{ type: 'close', id, at: '2040-01-01T00:00:02.000Z' }]);
  expect(seen[0]).toBe(0);
  expect(seen[3]).toBe(seen[1]);
  expect(new Set(seen).size).toBe(4);
  expect(seen.every((revision) => Number.isSafeInteger(revision))).toBe(true);
});

test('a write that was decided on rows as they were is refused when one of many keys moved', async () => {
  const store = createSqliteMemoryStore(openSqlite(':memory:'));
  const agent = createMemory({ store }).agent('a');
  const keys = Array.from({ length: 9 }, (_, at) => `memory/working/k${at}`);
  await agent.writeMany(keys.map((key) => ({ key, value: 1 })));
  const heads = await store.heads([...keys, 'memory/working/new']);
  const expected = Object.fromEntries(heads.map(({ key, revision }) => [key, revision]));
  await agent.write({ key: 'memory/working/k4', value: 2 });
  const change = { type: 'count', name: 'x/y', by: 1, at: '2040-01-01T00:00:00.000Z' } as const;
  expect(await store.commit([change], { expected, audit: [] })).toEqual({ type: 'stale', keys: ['memory/working/k4'] });
  const now = { ...expected, 'memory/working/k4': (await store.heads(['memory/working/k4']))[0]?.revision ?? 0 };
  expect(await store.commit([change], { expected: now, audit: [] })).toEqual({ type: 'committed' });
});

test('a file that kept revisions of its own goes on without them', async () => {
  const file = openSqlite(':memory:');
  const [first] = STEPS;
  file.migrate('memory', [
    (db) => {
      first?.(db);
      db.exec('CREATE TABLE memory_keys (fold INTEGER PRIMARY KEY, revision INTEGER NOT NULL) STRICT');
    },
  ]);
  const memory = createMemory({ store: createSqliteMemoryStore(file) });
  expect(file.read((db) => db.all(`SELECT name FROM sqlite_schema WHERE name = 'memory_keys'`))).toEqual([]);
  await memory.agent('a').write({ key: KEY, value: 'one' });
  expect(await memory.check()).toEqual([]);
});
