import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { createSqliteJournal } from './index.ts';

test('appends to one stream at the same time share one transaction', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-group-'));
  const file = openSqlite(join(folder, 'workspace.db'));
  const journal = createSqliteJournal(file);
  const before = file.dataVersion();
  const appended = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      journal.append('s', [{ id: `e${index}`, type: 't', data: index, schemaVersion: 1 }], { expected: 'any' }),
    ),
  );
  expect(appended.map((one) => one.type === 'appended' && one.last)).toEqual(appended.map((_, index) => index + 1));
  expect(file.dataVersion()).toBe(before + 1);
  file.close();
  rmSync(folder, { recursive: true });
});
