import { createIdSource } from '@warrant/core';
import Database from 'better-sqlite3';

/** Rows as the journal stores them, put by the driver alone: same columns, same two indexes, same settings. */
export function openRaw(path: string): {
  /** @param streams how many streams take turns, a batch each. @default 1 */
  readonly batches: (count: number, size: number, streams?: number) => void;
  readonly close: () => void;
} {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`CREATE TABLE entries (
    seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
    version INTEGER NOT NULL, time INTEGER NOT NULL, previous BLOB NOT NULL, digest BLOB NOT NULL, data TEXT) STRICT;
    CREATE UNIQUE INDEX position ON entries (stream, position);
    CREATE UNIQUE INDEX id ON entries (id, stream)`);
  const insert =
    database.prepare(`INSERT INTO entries (stream, position, id, type, version, time, previous, digest, data)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const ids = createIdSource();
  const data = JSON.stringify({ id: 'x'.repeat(24), payload: 'p'.repeat(140) });
  const digest = Buffer.alloc(32, 0xdd);
  let position = 0;
  const transaction = database.transaction((size: number, stream: number) => {
    for (let row = 0; row < size; row += 1) {
      position += 1;
      insert.run(stream, position, ids.next(), 'order.placed', 1, 1_700_000_000_000 + position, digest, digest, data);
    }
  });
  return {
    batches: (count, size, streams = 1) => {
      for (let index = 0; index < count; index += 1) transaction.immediate(size, 1 + (index % streams));
    },
    close: () => database.close(),
  };
}
