import type { MemoryConflict, MemoryRecord } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { fault } from '../errors.ts';
import { timeOf } from '../times.ts';

/** Stands for a time that never comes. */
export const NEVER = Number.MAX_SAFE_INTEGER;

export type Row = {
  readonly seq: number;
  readonly id: string;
  readonly key: string;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_at: number;
  readonly closed_at: number;
  readonly expires_at: number;
  readonly archived: number;
  readonly confidence: number;
  readonly retrievals: number;
  readonly last_retrieved: number | null;
  readonly subject: string | null;
  readonly body: string;
};
/** What of a record no column holds. */
type Body = Pick<
  MemoryRecord,
  | 'value'
  | 'origin'
  | 'label'
  | 'tier'
  | 'entities'
  | 'inferred'
  | 'sources'
  | 'agent'
  | 'user'
  | 'session'
  | 'speaker'
  | 'sequence'
  | 'version'
  | 'auditEntry'
  | 'consolidated'
  | 'directories'
>;

export const COLUMNS =
  'r.seq, r.id, r.key, r.valid_from, r.valid_to, r.recorded_at, r.closed_at, r.expires_at, r.archived, r.confidence, r.retrievals, r.last_retrieved, r.subject, r.body';

/** Milliseconds, or the largest number for an open end. */
export function ms(text: string | null): number {
  return text === null ? NEVER : timeOf(text);
}

function iso(value: number): string | null {
  return value === NEVER ? null : new Date(value).toISOString();
}

/** The part of a record that is stored as JSON. */
export function bodyOf(record: MemoryRecord): string {
  const {
    value,
    origin,
    label,
    tier,
    entities,
    inferred,
    sources,
    agent,
    user,
    session,
    speaker,
    sequence,
    version,
    auditEntry,
    consolidated,
    directories,
  } = record;
  const body: Body = {
    value,
    origin,
    label,
    tier,
    entities,
    inferred,
    sources,
    agent,
    user,
    session,
    speaker,
    sequence,
    version,
    auditEntry,
    consolidated,
    directories,
  };
  return JSON.stringify(body);
}

/** @throws MEMORY_DAMAGED for a row whose body is not what was stored; other rows stay readable */
export function toRecord(row: Row, conflicts: readonly string[]): MemoryRecord {
  let body: Body;
  try {
    body = JSON.parse(row.body) as Body;
  } catch (cause) {
    throw fault('MEMORY_DAMAGED', 'a stored record cannot be read', { id: row.id }, cause);
  }
  return {
    ...body,
    id: row.id,
    key: row.key,
    subject: row.subject,
    confidence: row.confidence,
    validFrom: new Date(row.valid_from).toISOString(),
    validTo: iso(row.valid_to),
    recordedAt: new Date(row.recorded_at).toISOString(),
    closedAt: iso(row.closed_at),
    expiresAt: iso(row.expires_at),
    archived: row.archived === 1,
    retrievals: row.retrievals,
    lastRetrievedAt: row.last_retrieved === null ? null : new Date(row.last_retrieved).toISOString(),
    conflicts,
  };
}

/** Records of rows, with the conflicts that each is part of. */
export function toRecords(db: SqliteDb, rows: readonly Row[]): readonly MemoryRecord[] {
  if (rows.length === 0) return [];
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const conflicts = new Map<string, string[]>();
  for (const { record, id } of db.all<{ record: string; id: string }>(CONFLICTS_OF, ids, ids)) {
    const known = conflicts.get(record);
    if (known === undefined) conflicts.set(record, [id]);
    else known.push(id);
  }
  return rows.map((row) => toRecord(row, conflicts.get(row.id) ?? []));
}

const CONFLICTS_OF = `SELECT earlier AS record, id, seq FROM memory_conflicts WHERE earlier IN (SELECT value FROM json_each(?))
  UNION ALL SELECT later, id, seq FROM memory_conflicts WHERE later IN (SELECT value FROM json_each(?)) ORDER BY 3`;

export type ConflictRow = {
  readonly id: string;
  readonly type: MemoryConflict['type'];
  readonly earlier: string;
  readonly later: string;
  readonly state: MemoryConflict['state'];
  readonly kept: string | null;
};

export function toConflict(row: ConflictRow): MemoryConflict {
  const { id, type, earlier, later, state, kept } = row;
  return { id, type, records: [earlier, later], state, kept };
}
