import { openSqlite } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { createJournal } from '../journal.ts';
import { verifyJournal } from '../verify-journal.ts';
import { createSqliteJournal } from './index.ts';
import { LAYER, STEPS } from './schema.ts';
import { SqliteStore } from './store.ts';

const entry = (id: string) => ({ id, type: 't', data: id, schemaVersion: 1 });
const any = { expected: 'any' } as const;

test('a file of the first version is brought forward with all it holds', async () => {
  const file = openSqlite(':memory:');
  file.migrate(LAYER, STEPS.slice(0, 1));
  const before = createJournal(new SqliteStore(file));
  await before.append('a', [entry('1'), entry('2')], any);
  await before.append('b', [entry('2'), entry('1')], any);
  await before.fork('a', 1, 'fork');
  const journal = createSqliteJournal(file);
  const duplicate = (position: number) => ({ type: 'duplicate', positions: [position] });
  expect(await journal.append('a', [entry('2')], any)).toEqual(duplicate(2));
  expect(await journal.append('b', [entry('2')], any)).toEqual(duplicate(1));
  expect(await journal.append('fork', [entry('1')], any)).toEqual(duplicate(1));
  expect(await journal.append('fork', [entry('2')], any)).toMatchObject({ type: 'appended', last: 2 });
  expect(await verifyJournal(journal)).toMatchObject({ type: 'intact', entries: 5 });

  const fresh = openSqlite(':memory:');
  createSqliteJournal(fresh);
  const parts = (one: typeof file) => one.read((db) => db.all('SELECT name, sql FROM sqlite_schema ORDER BY name'));
  expect(parts(file)).toEqual(parts(fresh));
  expect(file.layers()[LAYER]).toBe(STEPS.length);
  fresh.close();
  file.close();
});

test('an id is one of its stream alone, whoever writes the row', () => {
  const file = openSqlite(':memory:');
  createSqliteJournal(file);
  const insert = (stream: number, position: number): void => {
    file.write((db) =>
      db.run(
        `INSERT INTO journal_entries (stream, position, id, type, version, time, previous, digest) VALUES (?, ?, 'i', 't', 1, 0, x'', x'')`,
        stream,
        position,
      ),
    );
  };
  insert(1, 1);
  insert(2, 1);
  expect(() => insert(1, 2)).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT' }));
  file.close();
});
