import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Appended, createIdSource, type Entry } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryJournal, type ProvenJournal } from '../journal.ts';
import { verifyJournal } from '../verify-journal.ts';
import { createSqliteJournal } from './index.ts';

let folder: string;
let file: ReturnType<typeof openSqlite>;
let journal: ProvenJournal;
const open = (): ReturnType<typeof openSqlite> => openSqlite(join(folder, 'workspace.db'));
const entry = (id: string, data: string | number = id): Entry => ({ id, type: 't', data, schemaVersion: 1 });
const put = (id: string, into = journal, stream = 's'): Promise<Appended> =>
  into.append(stream, [entry(id)], { expected: 'any' });
type Group = Readonly<{ stream: string; ids: readonly string[]; data: number; expected: 'any' | 'none' | number }>;
/** What was appended where, or why not, without what differs by the time. */
async function outcomeOf(into: ProvenJournal, { stream, ids, data, expected }: Group): Promise<unknown> {
  try {
    const appended = await into.append(
      stream,
      ids.map((id) => entry(id, data)),
      { expected },
    );
    return appended.type === 'appended' ? { ...appended, digest: undefined } : appended;
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
}
const lastOf = (appended: Appended): unknown => (appended.type === 'appended' ? appended.last : appended);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-group-'));
  file = open();
  journal = createSqliteJournal(file);
});
afterEach(async () => {
  expect(await verifyJournal(journal)).toMatchObject({ type: 'intact' });
  file.close();
  rmSync(folder, { recursive: true });
});

describe('appends at the same time', () => {
  test('share one transaction on one stream', async () => {
    const before = file.dataVersion();
    const appended = await Promise.all(Array.from({ length: 100 }, (_, index) => put(`e${index}`)));
    expect(appended.map(lastOf)).toEqual(appended.map((_, index) => index + 1));
    expect(file.dataVersion()).toBe(before + 1);
  });

  test('on many streams get the cursors of their own rows', async () => {
    const names = Array.from({ length: 33 }, (_, index) => `s${index % 30}`);
    const appended = await Promise.all(
      names.map((name, index) => journal.append(name, [entry(`a${index}`), entry(`b${index}`)], { expected: 'any' })),
    );
    for (const [index, name] of names.entries()) {
      const { cursor, last } = appended[index] as Extract<Appended, { type: 'appended' }>;
      for await (const found of journal.read(name, { from: last, to: last })) {
        expect([found.id, found.cursor]).toEqual([`b${index}`, cursor]);
      }
    }
  });

  test('on many streams write little more than one page a stream', async () => {
    const ids = createIdSource();
    const fresh = (): Entry => entry(ids.next(), 'x');
    const names = Array.from({ length: 32 }, (_, index) => `s${index}`);
    const appendAll = (count: number) =>
      Promise.all(names.map((name) => journal.append(name, Array.from({ length: count }, fresh), { expected: 'any' })));
    // Enough of each that no two streams share a page of the index of positions.
    await appendAll(300);
    file.truncateLog();
    await appendAll(1);
    const pages = Math.floor(statSync(join(folder, 'workspace.db-wal')).size / 4096);
    expect(pages).toBeLessThan(1.5 * names.length);
  });

  test('come to what they come to one after the other', async () => {
    const append = fc.record({
      stream: fc.constantFrom('a', 'b', 'c'),
      ids: fc.array(fc.constantFrom('1', '2', '3', 'm', '~', '\uff5e', '\u{1f600}'), { minLength: 1, maxLength: 3 }),
      data: fc.constantFrom(0, 0, 0, 1),
      expected: fc.constantFrom('any' as const, 'any' as const, 'none' as const, 1, 3),
    });
    const groups = fc.array(fc.array(append, { minLength: 1, maxLength: 6 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(groups, async (all) => {
        const inMemory = openSqlite(':memory:');
        const [together, apart] = [createSqliteJournal(inMemory), createMemoryJournal()];
        for (const group of all) {
          const found = await Promise.all(group.map((one) => outcomeOf(together, one)));
          for (const [index, one] of group.entries()) expect(found[index]).toEqual(await outcomeOf(apart, one));
        }
        inMemory.close();
      }),
    );
  });

  test('fail one by one', async () => {
    await put('known');
    const results = await Promise.allSettled([
      put('a'),
      journal.append('s', [entry('known', 'other')], { expected: 'any' }),
      put('known'),
      journal.append('s', [entry('late')], { expected: 1 }),
      put('b'),
    ]);
    expect(results.map((one) => (one.status === 'fulfilled' ? lastOf(one.value) : one.reason.code))).toEqual([
      2,
      'JOURNAL_ID_REUSED',
      { type: 'duplicate', positions: [1] },
      { type: 'conflict', actual: 2 },
      3,
    ]);
  });

  test('come from two journals on one file', async () => {
    const second = createSqliteJournal(file);
    const appended = await Promise.all([put('a'), put('b', second), put('c'), put('a', second)]);
    expect(appended.map(lastOf)).toEqual([1, 2, 3, { type: 'duplicate', positions: [1] }]);
  });

  test('are all refused when the transaction is taken back, and leave nothing behind', async () => {
    await put('a');
    file.write((db) => {
      db.exec(`CREATE TRIGGER full BEFORE INSERT ON journal_entries WHEN new.id = 'c'
        BEGIN SELECT raise(ROLLBACK, 'full'); END`);
    });
    const results = await Promise.allSettled([put('b'), put('c', journal, 'other'), put('d')]);
    expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
    file.write((db) => db.exec('DROP TRIGGER full'));
    expect(lastOf(await put('b'))).toBe(2);
    expect(await journal.streams()).toEqual(['s']);
  });
});

describe('a head that is remembered', () => {
  test('is forgotten when another connection appends', async () => {
    const other = open();
    const theirs = createSqliteJournal(other);
    const appended: Appended[] = [];
    for (let round = 0; round < 5; round += 1) {
      appended.push(await put(`z${round}`), await put(`a${round}`, theirs));
    }
    expect(appended.map(lastOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await put('a3')).toEqual({ type: 'duplicate', positions: [8] });
    other.close();
  });

  test('is forgotten when a row is taken away through the same connection', async () => {
    await put('a');
    const { digest } = (await journal.head('s')) as { digest: string };
    await put('b');
    file.write((db) => {
      db.run('DELETE FROM journal_entries WHERE id = ?', 'b');
      db.run('UPDATE journal_streams SET position = 1, digest = ?', Buffer.from(digest.slice(7), 'hex'));
    });
    expect(lastOf(await put('c'))).toBe(2);
  });

  test('does not hide an id in any order of text', async () => {
    const ids = ['m', '\u{1f600}', '\uff5e', 'z', 'a', '\u{1f601}', '~'];
    for (const id of ids) await put(id);
    const other = open();
    for (const reader of [journal, createSqliteJournal(other)]) {
      for (const [index, id] of ids.entries()) {
        expect(await put(id, reader)).toEqual({ type: 'duplicate', positions: [index + 1] });
      }
    }
    other.close();
  });

  test('does not hide the ids that a fork inherited', async () => {
    for (const id of ['a', 'x', 'c']) await put(id);
    await journal.fork('s', 2, 'fork');
    expect(lastOf(await put('b', journal, 'fork'))).toBe(3);
    expect(await put('x', journal, 'fork')).toEqual({ type: 'duplicate', positions: [2] });
    expect(lastOf(await put('c', journal, 'fork'))).toBe(4);
  });
});
