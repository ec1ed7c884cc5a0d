import { canonicalJson } from '../canonical.ts';
import { WarrantError } from '../error.ts';
import type { Entry, Outbox } from '../journal.ts';
import type { Json } from '../json.ts';
import type { SqliteDb } from './database.ts';
import type { Transactions } from './transactions.ts';

export const OUTBOX_LAYER = 'outbox';
export const OUTBOX_STEPS: readonly ((db: SqliteDb) => void)[] = [
  (db) =>
    db.exec(`CREATE TABLE warrant_outbox (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      stream TEXT NOT NULL,
      entry TEXT NOT NULL
    ) STRICT`),
];

/** Puts an entry beside the change it tells of. The same entry twice is one; other content under its id is refused. */
export function putOutbox(db: SqliteDb, stream: string, entry: Entry): void {
  const text = canonicalJson(entry as Json);
  const { changes } = db.run(
    'INSERT INTO warrant_outbox (id, stream, entry) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    entry.id,
    stream,
    text,
  );
  if (changes === 1) return;
  const known = db.get<{ stream: string; entry: string }>(
    'SELECT stream, entry FROM warrant_outbox WHERE id = ?',
    entry.id,
  );
  if (known?.stream === stream && known.entry === text) return;
  throw new WarrantError('SQLITE_OUTBOX_ID_REUSED', `the outbox holds another entry under the id ${entry.id}`, {
    data: { id: entry.id, stream },
  });
}

/** Entries in the order in which they were put, until they are removed. */
export function createOutbox(transactions: Transactions): Outbox {
  return {
    pending: async (limit) =>
      transactions.read((db) =>
        db
          .all<{ stream: string; entry: string }>(
            'SELECT stream, entry FROM warrant_outbox ORDER BY seq LIMIT ?',
            limit,
          )
          .map((row) => ({ stream: row.stream, entry: JSON.parse(row.entry) as Entry })),
      ),
    remove: async (ids) => {
      if (ids.length === 0) return;
      // What comes back after a power failure is moved once more, which changes nothing: the disk need not be waited for.
      transactions.writeRelaxed((db) =>
        db.run('DELETE FROM warrant_outbox WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)),
      );
    },
  };
}
