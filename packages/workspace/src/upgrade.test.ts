import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock } from '@warrant/core';
import { openSqlite, type SqliteDb } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { withCopyBeforeUpgrade } from './upgrade.ts';

const one = (db: SqliteDb) => db.exec('CREATE TABLE t_one (a)');
const two = (db: SqliteDb) => db.exec('CREATE TABLE t_two (a)');

test('the file is copied once, before a layer that is there is brought forward', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-upgrade-'));
  const backups = join(folder, 'backups');
  const file = openSqlite(join(folder, 'a.db'));
  const guarded = withCopyBeforeUpgrade(file, backups, createVirtualClock());
  guarded.migrate('t', [one]);
  guarded.migrate('other', [two]);
  expect(existsSync(backups)).toBe(false);
  guarded.migrate('t', [one, (db) => db.exec('ALTER TABLE t_one ADD b')]);
  guarded.migrate('other', [two, () => {}]);
  const [copy, ...more] = readdirSync(backups);
  expect(more).toEqual([]);
  const old = openSqlite(join(backups, copy ?? ''));
  expect(old.layers()).toMatchObject({ t: 1, other: 1 });
  expect(file.layers()).toMatchObject({ t: 2, other: 2 });
  old.close();
  file.close();

  const later = openSqlite(join(folder, 'a.db'));
  // The same clock: it reads what it read at the first copy.
  withCopyBeforeUpgrade(later, backups, createVirtualClock()).migrate('t', [one, two, () => {}]);
  expect(later.layers()).toMatchObject({ t: 3 });
  expect(readdirSync(backups).sort()).toEqual([copy, copy?.replace('.db', '-2.db')].sort());
  later.close();
});
