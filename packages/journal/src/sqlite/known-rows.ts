import type { SqliteDb } from '@warrant/core/sqlite';
import type { Row } from '../row.ts';
import type { Lineage } from '../store.ts';
import { ENTRY, type EntryColumns, toRow } from './rows.ts';

const IDS_A_STATEMENT = 20;
// The plus keeps the planner off the index of positions, through which it would read the whole stream.
const KNOWN = `SELECT ${ENTRY} FROM journal_entries e
  WHERE stream = ? AND +position <= ? AND id IN (${Array<string>(IDS_A_STATEMENT).fill('?').join(', ')})`;

/** Rows of the stream, or inherited by it, that have one of the ids. */
export function knownRows(db: SqliteDb, { segments }: Lineage, ids: readonly string[]): ReadonlyMap<string, Row> {
  const known = new Map<string, Row>();
  if (areAllNew(db, ids)) return known;
  for (const segment of segments) {
    const to = Math.min(segment.to, Number.MAX_SAFE_INTEGER);
    for (let from = 0; from < ids.length; from += IDS_A_STATEMENT) {
      const some = ids.slice(from, from + IDS_A_STATEMENT);
      while (some.length < IDS_A_STATEMENT) some.push(some[0] as string);
      for (const columns of db.arrays<EntryColumns>(KNOWN, segment.key, to, ...some)) {
        const row = toRow(columns, segment.stream);
        known.set(row.id, row);
      }
    }
  }
  return known;
}

/** Text of these has the same order in UTF-8 and UTF-16. */
const ASCII = /^[ -~]*$/;

/** Whether ids come after one by the order of the file. */
export function areAfter(greatest: string, ids: readonly string[]): boolean {
  return ids.every((id) => id > greatest && ASCII.test(id));
}

/** Ids of one kind lie together in the index, those of all streams: one look at it instead of one an id. */
function areAllNew(db: SqliteDb, ids: readonly string[]): boolean {
  let least = ids[0] as string;
  let greatest = least;
  for (const id of ids) {
    if (!ASCII.test(id)) return false;
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  return db.get('SELECT 1 FROM journal_entries WHERE id BETWEEN ? AND ? LIMIT 1', least, greatest) === undefined;
}
