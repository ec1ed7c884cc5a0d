import type { SqliteDb } from '@warrant/core/sqlite';
import { isAfter, parseCursor } from '../cursor.ts';
import { continues, entryDigest } from '../row.ts';
import type { Followed, FollowQuery } from '../store.ts';
import { ENTRY, entryRows, toRow } from './rows.ts';

type LeanColumns = readonly [
  position: number,
  id: string,
  type: string,
  version: number,
  time: number,
  links: string,
  data: string,
  isLean: 0 | 1,
  seq: number,
];
/** Many rows of such data at a time fill no memory. */
const SHORT_BYTES = 16 * 1024;
const WHERE = 'FROM journal_entries e WHERE stream = ? AND position > ? ORDER BY position LIMIT ?';
/** Most entries have nothing but these, and fetching columns is what a walk costs. */
const LEAN = `SELECT position, id, type, version, time, lower(hex(previous || digest)), iif(octet_length(data) < ${SHORT_BYTES}, data, NULL),
  octet_length(data) < ${SHORT_BYTES} AND coalesce(causation, correlation, agent, subject, segment, sealed) IS NULL, seq ${WHERE}`;
const WHOLE = `SELECT ${ENTRY} ${WHERE}`;

/** Walks rows for as long as each continues the one before: lean ones where the next is one, else whole ones. @internal */
export function followRows(db: SqliteDb, query: FollowQuery): Followed {
  const next = followLean(db, { ...query, limit: 1 });
  return next.position > query.position ? followLean(db, query) : followWhole(db, query);
}

function followLean(db: SqliteDb, { key, stream, limit, ...start }: FollowQuery): Followed {
  let { position, digest } = start;
  let last = parseCursor(start.cursor);
  let bytes = 0;
  for (const columns of db.arrays<LeanColumns>(LEAN, key, position, limit)) {
    const [at, id, type, schemaVersion, time, links, data, isLean, seq] = columns;
    if (isLean !== 1 || at !== position + 1 || seq <= last || !links.startsWith(digest)) break;
    const found = entryDigest({ id, type, schemaVersion }, { stream, position: at, time, previous: digest }, { data });
    if (links.slice(digest.length) !== found) break;
    position = at;
    digest = found;
    last = seq;
    bytes += data.length;
  }
  return { position, digest, cursor: last === 0 ? undefined : String(last), bytes, archived: 0 };
}

function followWhole(db: SqliteDb, { key, stream, limit, ...start }: FollowQuery): Followed {
  let { position, digest, cursor } = start;
  let bytes = 0;
  let archived = 0;
  for (const columns of entryRows(db, WHOLE, key, position, limit)) {
    const row = toRow(columns, stream);
    if (!continues(row, position, digest) || !isAfter(row.cursor, cursor ?? '0')) break;
    position = row.position;
    digest = row.digest;
    cursor = row.cursor;
    bytes += (row.data ?? row.sealed ?? '').length;
    if (row.segment !== undefined) archived += 1;
  }
  return { position, digest, cursor, bytes, archived };
}
