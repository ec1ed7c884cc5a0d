import { foldName, isWarrantError, type MemoryConflict, type MemoryRecord } from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { sql } from 'kysely';
import { fault } from '../errors.ts';
import { iso } from '../times.ts';
import type { Db, Tables } from './schema.ts';

/** 64-bit integers come as double precision, which holds every one that is used here. */
export type Row = {
  readonly seq: number;
  readonly id: string;
  readonly grouping: string | null;
  readonly closed_at: number | null;
  readonly archived: boolean;
  readonly confidence: number;
  readonly retrievals: number;
  readonly last_retrieved: number | null;
  readonly body: string;
};

/** Of `memory_records r`. @internal */
export const ROW = sql.raw(`r.seq::float8 AS seq, r.id, r.grouping, r.closed_at::float8 AS closed_at, r.archived,
  r.confidence, r.retrievals::float8 AS retrievals, r.last_retrieved::float8 AS last_retrieved, r.body`);

/** @throws MEMORY_DAMAGED for a row whose body is not what was stored; other rows stay readable */
export function toRecord(row: Row, conflicts: readonly string[]): MemoryRecord {
  let body: MemoryRecord;
  try {
    body = JSON.parse(row.body) as MemoryRecord;
  } catch (cause) {
    throw fault('MEMORY_DAMAGED', 'a stored record cannot be read', { id: decodeText(row.id) }, cause);
  }
  return {
    ...body,
    closedAt: iso(row.closed_at),
    archived: row.archived,
    confidence: row.confidence,
    retrievals: row.retrievals,
    lastRetrievedAt: iso(row.last_retrieved),
    conflicts,
  };
}

/** Records of rows, with the conflicts that each is part of. */
export async function toRecords(db: Db, tables: Tables, rows: readonly Row[]): Promise<readonly MemoryRecord[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await sql<{ record: string; id: string }>`
    SELECT earlier AS record, id, seq FROM ${tables('memory_conflicts')} WHERE earlier = ANY (${ids}::text[])
    UNION SELECT later, id, seq FROM ${tables('memory_conflicts')} WHERE later = ANY (${ids}::text[]) ORDER BY seq`.execute(
    db,
  );
  const conflicts = new Map<string, string[]>();
  for (const { record, id } of found.rows) {
    const known = conflicts.get(record);
    if (known === undefined) conflicts.set(record, [decodeText(id)]);
    else known.push(decodeText(id));
  }
  return rows.map((row) => toRecord(row, conflicts.get(row.id) ?? []));
}

/** The same without rows that cannot be read, each with its row: one of them must not hide the others. `check` names them. */
export async function readableRecords(
  db: Db,
  tables: Tables,
  rows: readonly Row[],
): Promise<readonly { readonly row: Row; readonly record: MemoryRecord }[]> {
  const readable = rows.filter(isReadable);
  const records = await toRecords(db, tables, readable);
  return readable.map((row, index) => ({ row, record: records[index] as MemoryRecord }));
}

function isReadable(row: Row): boolean {
  try {
    toRecord(row, []);
    return true;
  } catch (error) {
    if (isWarrantError(error, 'MEMORY_DAMAGED')) return false;
    throw error;
  }
}

/** The name under which all spellings of a key are one. */
export function foldOf(key: string): string {
  return encodeText(foldName(key));
}

export type ConflictRow = {
  readonly id: string;
  readonly type: MemoryConflict['type'];
  readonly earlier: string;
  readonly later: string;
  readonly state: MemoryConflict['state'];
  readonly kept: string | null;
};

export function toConflict({ id, type, earlier, later, state, kept }: ConflictRow): MemoryConflict {
  return {
    id: decodeText(id),
    type,
    records: [decodeText(earlier), decodeText(later)],
    state,
    kept: kept === null ? null : decodeText(kept),
  };
}
