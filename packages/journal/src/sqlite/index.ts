import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { createJournal, type JournalOptions, type ProvenJournal } from '../journal.ts';
import { LAYER, STEPS } from './schema.ts';
import { SqliteStore } from './store.ts';

/**
 * A journal in a file that was opened by `openSqlite`, beside the tables of other layers. Closing it leaves the file
 * open: whoever opened the file closes it.
 * @throws SQLITE_SCHEMA_NEWER for a file of a newer version
 */
export function createSqliteJournal(file: SqliteFile<SqliteDb>, options: JournalOptions = {}): ProvenJournal {
  file.migrate(LAYER, STEPS);
  return createJournal(new SqliteStore(file), options);
}
