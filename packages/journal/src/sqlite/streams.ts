import type { SqliteDb } from '@warrant/core/sqlite';
import { fault } from '../errors.ts';
import type { Row } from '../row.ts';
import type { JournalStore } from '../store.ts';
import { bytesOf, insertRows, lineageByName, streamByName } from './rows.ts';

/** Writes rows that follow a stream's head, or begin it, and moves the head. @throws JOURNAL_UNAVAILABLE when the head is elsewhere by now */
export function putRows(db: SqliteDb, stream: string, rows: readonly Omit<Row, 'cursor'>[]): void {
  const last = rows[rows.length - 1] as Omit<Row, 'cursor'>;
  const { position, previous } = rows[0] as Omit<Row, 'cursor'>;
  const key = db.get<{ key: number }>(
    `INSERT INTO journal_streams (name, position, digest) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET position = excluded.position, digest = excluded.digest
     WHERE journal_streams.position = ? AND journal_streams.digest = ? RETURNING key`,
    stream,
    last.position,
    bytesOf(last.digest),
    position - 1,
    bytesOf(previous),
  )?.key;
  if (key === undefined) {
    throw fault('JOURNAL_UNAVAILABLE', `stream ${stream} was written to meanwhile`, { stream, position });
  }
  insertRows(
    db,
    rows.map((row) => ({ key, row })),
  );
}

/** Begins a stream with the history of another up to a position. */
export function forkStream(
  db: SqliteDb,
  stream: string,
  position: number,
  target: string,
): Awaited<ReturnType<JournalStore['fork']>> {
  const lineage = lineageByName(db, stream);
  const segment = lineage?.segments.find((one) => position >= one.from && position <= one.to);
  const text = 'SELECT digest FROM journal_entries WHERE stream = ? AND position = ?';
  const row = segment && db.get<{ digest: Uint8Array }>(text, segment.key, position);
  if (lineage === undefined || row === undefined) return { type: 'no-such-position', head: lineage?.row.position ?? 0 };
  if (streamByName(db, target) !== undefined) return { type: 'exists' };
  db.run(
    `INSERT INTO journal_streams (name, position, digest, parent, parent_position, parent_digest)
     VALUES (?, ?, ?, ?, ?, ?)`,
    target,
    position,
    row.digest,
    lineage.row.key,
    position,
    row.digest,
  );
  return { type: 'forked' };
}
