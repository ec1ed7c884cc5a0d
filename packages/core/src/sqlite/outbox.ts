import { canonicalJson } from '../canonical.ts';
import { WarrantError } from '../error.ts';
import type { Entry, Outbox } from '../journal.ts';
import type { Json } from '../json.ts';
import { isWellFormed } from '../well-formed.ts';
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
  // The id stands in its own column, for which there is an index; once is enough.
  (db) => db.exec(`UPDATE warrant_outbox SET entry = json_remove(entry, '$.id') WHERE json_valid(entry)`),
];

/** Puts an entry beside the change it tells of. The same entry twice is one; other content under its id is refused. */
export function putOutbox(db: SqliteDb, stream: string, entry: Entry): void {
  const { id, ...rest } = entry;
  // A text that the column could not hold as it is must not pass for another.
  if (!isWellFormed(id)) canonicalJson(id);
  const text = canonicalJson(rest as Json);
  const { changes } = db.run(
    'INSERT INTO warrant_outbox (id, stream, entry) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    id,
    stream,
    text,
  );
  if (changes === 1) return;
  const known = db.get<{ stream: string; entry: string }>('SELECT stream, entry FROM warrant_outbox WHERE id = ?', id);
  if (known?.stream === stream && known.entry === text) return;
  throw new WarrantError('SQLITE_OUTBOX_ID_REUSED', `the outbox holds another entry under the id ${id}`, {
    data: { id, stream },
  });
}

/** Entries in the order in which they were put, until they are removed. */
export function createOutbox(transactions: Transactions): Outbox {
  return {
    pending: async (limit) =>
      transactions.read((db) =>
        db
          .all<{ id: string; stream: string; entry: string }>(
            'SELECT id, stream, entry FROM warrant_outbox ORDER BY seq LIMIT ?',
            limit,
          )
          .map(({ id, stream, entry }) => ({ stream, entry: { ...(JSON.parse(entry) as Omit<Entry, 'id'>), id } })),
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
