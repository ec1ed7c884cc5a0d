import { openSqlite, type SqliteDb, type SqliteFile } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { createSqliteJournal } from './index.ts';

test('known ids are looked up by their index, however long the stream is', async () => {
  const opened = openSqlite(':memory:');
  const plans: string[] = [];
  const spying = (db: SqliteDb): SqliteDb => ({
    ...db,
    arrays: (sql, ...parameters) => {
      if (/\bid IN \(/.test(sql)) {
        for (const row of db.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters))
          plans.push(row.detail);
      }
      return db.arrays(sql, ...parameters);
    },
  });
  const file: SqliteFile<SqliteDb> = {
    ...opened,
    write: (work) => opened.write((db, outbox) => work(spying(db), outbox)),
    writeSoon: (work) => opened.writeSoon((db, outbox) => work(spying(db), outbox)),
  };
  const journal = createSqliteJournal(file);
  const entry = (id: string) => ({ id, type: 'noted', data: null, schemaVersion: 1 });
  // An id that sorts between others, as content ids do among time-ordered ones.
  await journal.append('s', [entry('a'), entry('z')], { expected: 'any' });
  await journal.append('s', [entry('a'), entry('m')], { expected: 'any' });
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) expect(plan).toContain('INDEX journal_entries_ids (id=? AND stream=?)');
  await journal.close();
  opened.close();
});
