import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createVirtualClock, type GraphChange, type Primitive } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import type { LocalGraphStore } from '../src/index.ts';
import { createSqliteGraphStore, findGraphDamage } from '../src/sqlite/index.ts';
import { scratch } from './sqlite-harness.ts';

const KILL_AFTER_MS =
  process.env['WARRANT_SOAK'] === undefined ? [20, 150, 400] : Array.from({ length: 40 }, (_, index) => index * 20);
const CHILD = fileURLToPath(new URL('./import-child.ts', import.meta.url));
const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function folder(): (name: string) => string {
  const { path, dispose } = scratch();
  cleanups.push(dispose);
  return path;
}

function open(path: string, options: Parameters<typeof openSqlite>[1] = {}): LocalGraphStore {
  const file = openSqlite(path, { busyTimeoutMs: 50, ...options });
  cleanups.push(() => file.close());
  return createSqliteGraphStore({ file });
}

function put(name: string, ...targets: readonly string[]): GraphChange {
  const relata = targets.map((target) => ({
    relation: 'requires' as const,
    target,
    targetDepth: 0 as const,
    provenance,
  }));
  const depths = [{ level: 0 as const, properties: {}, relata, provenance }];
  return { type: 'put-primitive', primitive: { id: name, name, depths, provenance } };
}

async function all(store: LocalGraphStore): Promise<readonly Primitive[]> {
  const primitives: Primitive[] = [];
  for await (const one of store.primitives()) primitives.push(one);
  return primitives;
}

function child(...args: readonly string[]): ChildProcessWithoutNullStreams {
  const started = spawn(process.execPath, ['--import', 'tsx', '--conditions=@warrant/source', CHILD, ...args]);
  cleanups.push(() => started.kill('SIGKILL'));
  return started;
}

async function ended(started: ChildProcessWithoutNullStreams): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) return;
  await new Promise((resolve) => started.once('exit', resolve));
}

describe('processes', () => {
  test('two import into one file at once, and both are there', async () => {
    const path = folder()('graph.db');
    const other = open(path);
    const children = ['one', 'two'].map((prefix) => child(path, prefix, '2000', 'hold'));
    await Promise.all(children.map((started) => heard(started, 'ready')));
    for (const started of children) started.stdin.write('go\n');
    await Promise.all(children.map(ended));
    expect(children.map((started) => started.exitCode)).toEqual([0, 0]);
    expect((await other.version()).revision).toBe(2);
    expect(await all(other)).toHaveLength(4000);
    expect((await other.view(['one 1999', 'two 1999'])).snapshot().primitives.length).toBeGreaterThan(2);
  });

  test('one that is killed during an import of 10,000 concepts leaves all of it or nothing', async () => {
    const path = folder()('graph.db');
    await open(path).apply([put('before')], { id: 'before', expected: 'any' });
    const counts: number[] = [];
    for (const [round, delay] of KILL_AFTER_MS.entries()) {
      const started = child(path, `round${round}`, '10000', 'hold');
      await heard(started, 'ready');
      started.stdin.write('go\n');
      await heard(started, 'begun');
      await new Promise((resolve) => setTimeout(resolve, delay));
      started.kill('SIGKILL');
      await ended(started);
      counts.push((await all(open(path))).length);
    }
    for (const [index, count] of counts.entries()) {
      const before = index === 0 ? 1 : (counts[index - 1] as number);
      expect([before, before + 10_000]).toContain(count);
    }
    const after = open(path);
    expect((await after.apply([put('after', 'before')], { id: 'after', expected: 'any' })).type).toBe('applied');
  });

  async function heard(started: ChildProcessWithoutNullStreams, word: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const listen = (chunk: unknown): void => {
        if (!String(chunk).includes(word)) return;
        started.stdout.off('data', listen);
        resolve();
      };
      started.stdout.on('data', listen);
      started.once('exit', () => reject(new Error(`ended before ${word}`)));
    });
  }
});

describe('files', () => {
  test('a locked file refuses to be written with a typed, retryable error, and can be read', async () => {
    const path = folder()('graph.db');
    const store = open(path);
    await store.apply([put('a')], { id: '1', expected: 'any' });
    const locker = openSqlite(path);
    cleanups.push(() => locker.close());
    let attempt: Promise<unknown> | undefined;
    let view: Promise<unknown> | undefined;
    locker.write(() => {
      attempt = store.apply([put('b')], { id: '2', expected: 'any' }).catch((error: unknown) => error);
      view = store.view(['a']);
    });
    expect(await attempt).toMatchObject({ code: 'SQLITE_BUSY', retryable: true });
    expect(await view).toBeDefined();
    expect((await store.apply([put('b')], { id: '2', expected: 'any' })).type).toBe('applied');
  });

  test('a read-only file still gives views; metrics are dropped in silence', async () => {
    const path = folder()('graph.db');
    const writer = open(path);
    await writer.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    const store = open(path, { readOnly: true });
    expect((await store.view(['a'])).snapshot().primitives).toHaveLength(2);
    store.count([{ concept: 'a', outcome: 'grounded' }]);
    expect(await store.metrics()).toMatchObject([{ concept: 'a', grounded: 1 }]);
    await expect(store.apply([put('c')], { id: '2', expected: 'any' })).rejects.toMatchObject({
      code: 'SQLITE_READ_ONLY',
    });
    await writer.apply([put('c')], { id: '3', expected: 'any' });
    expect((await store.view(['c'])).snapshot().primitives).toHaveLength(1);
    await store.close();
    expect(await writer.metrics()).toEqual([]);
  });

  test.each([
    ['no JSON', "UPDATE graph_node SET body = 'x'"],
    ['no list', "UPDATE graph_node SET body = '{}'"],
    ['a level that is none', "UPDATE graph_node SET body = '[1,[[9,1,{},[]]]]'"],
    ['a level twice', "UPDATE graph_node SET body = '[1,[[0,1,{},[]],[0,1,{},[]]]]'"],
    ['no properties', "UPDATE graph_node SET body = '[1,[[0,1,null,[]]]]'"],
    ['a target that is no text', "UPDATE graph_node SET body = '[1,[[0,1,{},[[0,7,0,1]]]]]'"],
    ['a depth that is none', 'UPDATE graph_node SET body = \'[1,[[0,1,{},[[0,"b",7,1]]]]]\''],
    ['a relation that is none', 'UPDATE graph_node SET body = \'[1,[[0,1,{},[[7,"b",0,1]]]]]\''],
    ['prerequisites that are no list', "UPDATE graph_node SET prerequisites = '{}'"],
    ['prerequisites that are no rows', "UPDATE graph_node SET prerequisites = '[null]'"],
    ['prerequisites that are not there', "UPDATE graph_node SET prerequisites = '[99]'"],
    ['provenance that is not there', 'DELETE FROM graph_provenance'],
    ['no version', 'DELETE FROM graph_meta'],
  ])('rows with %s are a typed error, and a look through the file finds them', async (_, sql) => {
    const path = folder()('rows.db');
    const file = openSqlite(path);
    cleanups.push(() => file.close());
    await createSqliteGraphStore({ file }).apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    expect(findGraphDamage(file)).toEqual([]);
    file.write((db) => void db.run(sql));
    expect(findGraphDamage(file).length).toBeGreaterThan(0);
    const store = createSqliteGraphStore({ file });
    await expect(store.view(['a'])).rejects.toMatchObject({ code: 'GRAPH_FILE_CORRUPT' });
  });

  test('a file that is no database, or a damaged one, is a typed error', async () => {
    const path = folder();
    writeFileSync(path('text.db'), 'not a database, just a text that is long enough to be one'.repeat(100));
    expect(() => open(path('text.db'))).toThrow(expect.objectContaining({ code: 'SQLITE_CORRUPT' }));
    const file = openSqlite(path('rows.db'));
    const store = createSqliteGraphStore({ file });
    await store.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    file.write((db) => void db.run("UPDATE graph_node SET body = '[0' WHERE id = 'b'"));
    file.close();
    await expect(open(path('rows.db')).view(['a'])).rejects.toMatchObject({ code: 'GRAPH_FILE_CORRUPT' });
    const second = openSqlite(path('rows.db'));
    second.write((db) => void db.run("DELETE FROM graph_node WHERE id = 'b'"));
    second.close();
    await expect(open(path('rows.db')).view(['a'])).rejects.toMatchObject({ code: 'GRAPH_FILE_CORRUPT' });
  });

  test('tables of a newer version are refused', async () => {
    const path = folder()('graph.db');
    const file = openSqlite(path);
    createSqliteGraphStore({ file });
    file.write((db) => void db.run("UPDATE warrant_layers SET version = 99 WHERE layer = 'graph'"));
    expect(() => createSqliteGraphStore({ file })).toThrow(expect.objectContaining({ code: 'SQLITE_SCHEMA_NEWER' }));
    file.close();
  });

  test('a file that is deleted while open takes no more writes', async () => {
    const path = folder()('graph.db');
    const store = open(path);
    await store.apply([put('a')], { id: '1', expected: 'any' });
    rmSync(path);
    await expect(store.apply([put('b')], { id: '2', expected: 'any' })).rejects.toMatchObject({
      code: 'SQLITE_FILE_GONE',
    });
  });

  test('an older copy that replaces the file under an open store is an error there, and a conflict to writers', async () => {
    const path = folder();
    const file = openSqlite(path('graph.db'));
    cleanups.push(() => file.close());
    const store = createSqliteGraphStore({ file });
    const older = await store.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    file.copyTo(path('backup.db'));
    await store.apply([put('a'), put('c')], { id: '2', expected: 'any' });
    const newer = await store.version();
    renameSync(path('backup.db'), path('graph.db'));
    for (const rest of ['-wal', '-shm']) rmSync(path(`graph.db${rest}`), { force: true });
    await expect(store.apply([put('d')], { id: '3', expected: 'any' })).rejects.toMatchObject({
      code: 'SQLITE_FILE_GONE',
    });
    // Reads look for the file now and then.
    await new Promise((resolve) => setTimeout(resolve, 250));
    await expect(store.view(['a'])).rejects.toMatchObject({ code: 'SQLITE_FILE_GONE' });
    const again = open(path('graph.db'));
    expect(older).toEqual({ type: 'applied', version: await again.version() });
    expect((await again.view(['a', 'c'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'b']);
    expect(await again.apply([put('d')], { id: '4', expected: newer })).toMatchObject({ type: 'conflict' });
  });

  test('an older copy put back into the file is what an open store answers from', async () => {
    const path = folder();
    const file = openSqlite(path('graph.db'));
    cleanups.push(() => file.close());
    const store = createSqliteGraphStore({ file });
    await store.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    const older = await store.version();
    file.copyTo(path('backup.db'));
    await store.apply([put('a'), put('c')], { id: '2', expected: 'any' });
    const newer = await store.version();
    expect((await store.view(['a', 'c'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'c']);
    putBack(path('backup.db'), path('graph.db'));
    expect(await store.version()).toEqual(older);
    expect((await store.view(['a', 'c'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'b']);
    expect(await store.apply([put('d')], { id: '3', expected: newer })).toEqual({ type: 'conflict', actual: older });
    expect((await store.apply([put('a'), put('c')], { id: '2', expected: older })).type).toBe('applied');
  });

  test.each([1, 2])(
    'an older copy that was put back and written past %i times is not taken for what an idle store saw',
    async (times) => {
      const path = folder();
      const [idle, busy] = [open(path('graph.db')), open(path('graph.db'))];
      await busy.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
      const copy = openSqlite(path('graph.db'));
      copy.copyTo(path('backup.db'));
      copy.close();
      await busy.apply([put('a'), put('lost')], { id: '2', expected: 'any' });
      const names = async (store: LocalGraphStore) =>
        (await store.view(['a', 'lost', 'found'])).snapshot().primitives.map((one) => one.name);
      expect(await names(idle)).toEqual(['a', 'lost']);
      putBack(path('backup.db'), path('graph.db'));
      for (let time = 0; time < times; time += 1) {
        await busy.apply([put(time === 0 ? 'found' : 'more')], { id: `again ${time}`, expected: 'any' });
      }
      expect((await idle.version()).revision).toBe(1 + times);
      expect(await names(idle)).toEqual(['a', 'found', 'b']);
      expect(await names(busy)).toEqual(['a', 'found', 'b']);
    },
  );

  test('a graph of another epoch in the same file is not mistaken for the one before', async () => {
    const path = folder();
    const [store, other] = [open(path('graph.db')), open(path('other.db'))];
    await store.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    await other.apply([put('a', 'x'), put('x')], { id: '1', expected: 'any' });
    const version = await store.version();
    expect((await store.view(['a'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'b']);
    putBack(path('other.db'), path('graph.db'));
    expect(await store.version()).toEqual(await other.version());
    expect((await store.view(['a'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'x']);
    expect(await store.apply([put('d')], { id: '2', expected: version })).toMatchObject({ type: 'conflict' });
  });

  /** Writes the tables of one file over those of another, in a transaction, as a restore through SQLite does. */
  function putBack(from: string, to: string): void {
    const database = new Database(to);
    database.prepare('ATTACH ? AS backup').run(from);
    const tables = database.prepare(
      "SELECT name FROM backup.sqlite_schema WHERE type = 'table' AND name LIKE 'graph_%'",
    );
    database.transaction(() => {
      for (const name of tables.pluck().all() as readonly string[]) {
        database.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} SELECT * FROM backup.${name}`);
      }
    })();
    database.close();
  }
});

describe('the cache', () => {
  test('a view of an unchanged graph reads nothing but the version', async () => {
    const file = openSqlite(folder()('graph.db'));
    cleanups.push(() => file.close());
    let reads = 0;
    const counted = {
      ...file,
      read: ((work) => {
        reads += 1;
        return file.read(work);
      }) as typeof file.read,
    };
    const store = createSqliteGraphStore({ file: counted });
    await store.apply([put('a', 'b'), put('b')], { id: '1', expected: 'any' });
    await store.view(['a', 'unknown']);
    reads = 0;
    for (let round = 0; round < 10; round += 1) await store.view(['B', 'a', 'unknown']);
    expect(reads).toBe(0);
    store.count([{ concept: 'a', outcome: 'depth' }]);
    await store.apply([put('c')], { id: '2', expected: 'any' });
    reads = 0;
    await store.view(['a', 'b', 'c']);
    expect(reads).toBe(1);
  });

  test('stays within its limit, and right, when the graph is larger', async () => {
    const file = openSqlite(folder()('graph.db'));
    cleanups.push(() => file.close());
    const store = createSqliteGraphStore({ file, cacheLimit: 2000 });
    const changes = Array.from({ length: 50 }, (_, index) =>
      put(`c${index}`, ...(index === 0 ? [] : [`c${index - 1}`])),
    );
    await store.apply(changes, { id: '1', expected: 'any' });
    for (const index of [49, 3, 20, 49, 0]) {
      expect((await store.view([`c${index}`])).snapshot().primitives).toHaveLength(index + 1);
    }
  });

  test('follows more foreign changes than it goes through one by one', async () => {
    const path = folder()('graph.db');
    const [store, other] = [open(path), open(path)];
    await store.apply([put('a')], { id: '1', expected: 'any' });
    await other.view(['a']);
    const many = Array.from({ length: 2500 }, (_, index) => put(`n${index}`));
    await store.apply([...many, put('a', 'n2499')], { id: '2', expected: 'any' });
    expect((await other.view(['a'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'n2499']);
    await store.apply([put('a', 'n1')], { id: '3', expected: 'any' });
    expect((await other.view(['a', 'n2499'])).snapshot().primitives.map((one) => one.name)).toEqual([
      'a',
      'n2499',
      'n1',
    ]);
    await store.apply([{ type: 'remove-primitive', primitive: 'n2499', dangling: 'refuse' }], {
      id: '4',
      expected: 'any',
    });
    expect((await other.view(['n2499', 'a'])).snapshot().primitives.map((one) => one.name)).toEqual(['a', 'n1']);
  });
});

test('metrics are counted by fold key, survive the process, and move no version', async () => {
  const path = folder()('graph.db');
  const clock = createVirtualClock();
  const file = openSqlite(path);
  const store = createSqliteGraphStore({ file, clock });
  const version = await store.version();
  store.count([
    { concept: 'Straße', outcome: 'grounded' },
    { concept: 'STRASSE', outcome: 'depth' },
  ]);
  clock.advance(1000);
  store.count([
    { concept: 'unknown', outcome: 'existence' },
    { concept: 'straße', outcome: 'grounded' },
  ]);
  await store.close();
  expect(await open(path).metrics()).toEqual([
    {
      concept: 'Straße',
      checked: 3,
      grounded: 2,
      existence: 0,
      depth: 1,
      relational: 0,
      reachability: 0,
      lastGroundedAt: '2026-01-01T00:00:01.000Z',
      lastFailedAt: '2026-01-01T00:00:00.000Z',
    },
    {
      concept: 'unknown',
      checked: 1,
      grounded: 0,
      existence: 1,
      depth: 0,
      relational: 0,
      reachability: 0,
      lastGroundedAt: null,
      lastFailedAt: '2026-01-01T00:00:01.000Z',
    },
  ]);
  expect(await open(path).version()).toEqual(version);
  file.close();
});

test('a hub of 100,000 relata is stored, viewed, changed and checked for cycles', {
  timeout: 300_000,
}, async () => {
  const store = open(folder()('graph.db'), { synchronous: 'normal' });
  const ids = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
  expect(
    (await store.apply([...ids.map((id) => put(id)), put('hub', ...ids)], { id: '1', expected: 'any' })).type,
  ).toBe('applied');
  expect((await store.view(['hub'])).snapshot().primitives).toHaveLength(100_001);
  const cycle = await store.apply([put('n5', 'hub')], { id: '2', expected: 'any' });
  expect(cycle).toMatchObject({
    type: 'refused',
    reasons: [{ code: 'graph.cycle', data: { path: ['n5', 'hub', 'n5'] } }],
  });
  expect((await store.apply([put('top', 'hub')], { id: '3', expected: 'any' })).type).toBe('applied');
});
