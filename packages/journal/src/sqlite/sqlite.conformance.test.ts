import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJournalConformance } from '@warrant/conformance';
import type { Journal } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteJournal } from './index.ts';

describeJournalConformance({
  name: 'the SQLite journal',
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-'));
    const open = (): { journal: Journal; close: () => void } => {
      const file = openSqlite(join(folder, 'workspace.db'));
      return { journal: createSqliteJournal(file), close: () => file.close() };
    };
    let first = open();
    const others: (typeof first)[] = [];
    return {
      journal: first.journal,
      reopen: async () => {
        await first.journal.close();
        first.close();
        first = open();
        return first.journal;
      },
      another: async () => {
        const other = open();
        others.push(other);
        return other.journal;
      },
      dispose: async () => {
        for (const one of [first, ...others]) {
          await one.journal.close();
          one.close();
        }
        rmSync(folder, { recursive: true });
      },
    };
  },
});
