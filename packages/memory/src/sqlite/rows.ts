import { createHash } from 'node:crypto';
import { foldName, type Json, type MemoryConflict, type MemoryOrigin, type MemoryRecord } from '@warrant/core';
import type { SqliteDb, SqliteValue } from '@warrant/core/sqlite';
import { usualLabel } from '../actor.ts';
import { fault } from '../errors.ts';
import { tierOf } from '../keys.ts';
import { timeOf } from '../times.ts';
import { type PackedId, packId, unpackId } from './packed-id.ts';

export type Row = {
  readonly seq: number;
  readonly id: PackedId;
  readonly key: string;
  readonly origin: number;
  readonly agent: string;
  readonly subject: string | null;
  readonly grouping: number | null;
  readonly recorded_at: number;
  readonly valid_from: number | null;
  readonly valid_to: number | null;
  readonly closed_at: number | null;
  readonly expires_at: number | null;
  readonly archived: number;
  readonly disputed: number;
  readonly confidence: number;
  readonly retrievals: number;
  readonly last_retrieved: number | null;
  readonly audit: PackedId;
  readonly value: string;
  readonly extra: string | null;
  readonly words: string | null;
};
type Columned =
  | 'id'
  | 'key'
  | 'value'
  | 'origin'
  | 'agent'
  | 'subject'
  | 'confidence'
  | 'recordedAt'
  | 'validFrom'
  | 'validTo'
  | 'closedAt'
  | 'expiresAt'
  | 'archived'
  | 'retrievals'
  | 'lastRetrievedAt'
  | 'auditEntry'
  | 'conflicts';
/** What of a record no column holds. */
type Rest = Omit<MemoryRecord, Columned>;

export const COLUMNS =
  'r.seq, r.id, r.key, r.origin, r.agent, r.subject, r.grouping, r.recorded_at, r.valid_from, r.valid_to, r.closed_at, r.expires_at, r.archived, r.disputed, r.confidence, r.retrievals, r.last_retrieved, r.audit, r.value, r.extra, r.words';

const ORIGINS: readonly MemoryOrigin[] = ['agent-inferred', 'human-approved', 'provider-ingested'];

/** Milliseconds, or null for an open end. */
export function ms(text: string | null): number | null {
  return text === null ? null : timeOf(text);
}

function iso(value: number | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}

/** A number for all spellings of a key. Should two keys ever share one, their revisions move together, which costs a retry. */
export function keyNumber(key: string): number {
  return createHash('sha256').update(foldName(key)).digest().readUIntBE(0, 6);
}

/** The columns of a new row that need nothing but the record. */
export function valuesOf(record: MemoryRecord): readonly SqliteValue[] {
  const { id, key, value, origin, agent, subject, confidence, retrievals, recordedAt, auditEntry, ...more } = record;
  const { validFrom, validTo, closedAt, expiresAt, archived, lastRetrievedAt, conflicts: _conflicts, ...rest } = more;
  const usual = usualOf(record);
  const unusual = Object.entries(rest).filter(([name, part]) => !isSame(part, usual[name as keyof Rest]));
  return [
    packId(id),
    key,
    ORIGINS.indexOf(origin),
    agent,
    subject,
    ms(recordedAt),
    validFrom === recordedAt ? null : ms(validFrom),
    ms(validTo),
    ms(closedAt),
    ms(expiresAt),
    archived ? 1 : 0,
    confidence,
    retrievals,
    ms(lastRetrievedAt),
    packId(auditEntry),
    JSON.stringify(value),
    unusual.length === 0 ? null : JSON.stringify(Object.fromEntries(unusual)),
  ];
}

/** What the rest of a record nearly always is. */
function usualOf(record: Pick<MemoryRecord, 'key' | 'origin' | 'agent'>): Rest {
  return {
    label: usualLabel(record.origin, record.agent),
    tier: tierOf(record.key),
    entities: [],
    inferred: false,
    sources: [],
    user: null,
    session: null,
    speaker: null,
    sequence: null,
    version: 1,
    consolidated: false,
    directories: [],
  };
}

function isSame(part: unknown, usual: unknown): boolean {
  if (part === usual) return true;
  if (Array.isArray(part)) return part.length === 0 && Array.isArray(usual) && usual.length === 0;
  return typeof part === 'object' && JSON.stringify(part) === JSON.stringify(usual);
}

/** @throws MEMORY_DAMAGED for a row whose texts are not what was stored; other rows stay readable */
export function toRecord(row: Row, conflicts: readonly string[]): MemoryRecord {
  const id = unpackId(row.id);
  const origin = ORIGINS[row.origin];
  let value: Json;
  let extra: Partial<Rest>;
  try {
    value = JSON.parse(row.value) as Json;
    extra = row.extra === null ? {} : (JSON.parse(row.extra) as Partial<Rest>);
  } catch (cause) {
    throw fault('MEMORY_DAMAGED', 'a stored record cannot be read', { id }, cause);
  }
  if (origin === undefined) throw fault('MEMORY_DAMAGED', 'a stored record has no known origin', { id });
  const { key, agent, subject, confidence, retrievals } = row;
  return {
    ...usualOf({ key, origin, agent }),
    ...extra,
    id,
    key,
    value,
    origin,
    agent,
    subject,
    confidence,
    retrievals,
    validFrom: new Date(row.valid_from ?? row.recorded_at).toISOString(),
    validTo: iso(row.valid_to),
    recordedAt: new Date(row.recorded_at).toISOString(),
    closedAt: iso(row.closed_at),
    expiresAt: iso(row.expires_at),
    archived: row.archived === 1,
    lastRetrievedAt: iso(row.last_retrieved),
    auditEntry: unpackId(row.audit),
    conflicts,
  };
}

const CONFLICTS_OF = `SELECT id, seq FROM memory_conflicts WHERE earlier = ?
  UNION SELECT id, seq FROM memory_conflicts WHERE later = ? ORDER BY seq`;

/** Records of rows, with the conflicts that each is part of. */
export function toRecords(db: SqliteDb, rows: readonly Row[]): readonly MemoryRecord[] {
  return rows.map((row) => toRecord(row, row.disputed === 0 ? [] : conflictsOf(db, row.id)));
}

function conflictsOf(db: SqliteDb, id: PackedId): readonly string[] {
  return db.all<{ id: PackedId }>(CONFLICTS_OF, id, id).map((row) => unpackId(row.id));
}

/** Rows of keys, by the keys' folded names. */
export function rowsByFold(db: SqliteDb, folds: readonly string[]): ReadonlyMap<string, readonly MemoryRecord[]> {
  const byFold = new Map<string, MemoryRecord[]>();
  for (const record of toRecords(db, db.all<Row>(ROWS_OF_KEYS, JSON.stringify(folds)))) {
    const fold = foldName(record.key);
    const known = byFold.get(fold);
    if (known === undefined) byFold.set(fold, [record]);
    else known.push(record);
  }
  return byFold;
}

const ROWS_OF_KEYS = `SELECT ${COLUMNS} FROM memory_records r
  WHERE coalesce(r.fold, r.key) IN (SELECT value FROM json_each(?)) ORDER BY r.seq`;

export type ConflictRow = {
  readonly id: PackedId;
  readonly type: MemoryConflict['type'];
  readonly earlier: PackedId;
  readonly later: PackedId;
  readonly state: MemoryConflict['state'];
  readonly kept: PackedId | null;
};

export function toConflict(row: ConflictRow): MemoryConflict {
  const { id, type, earlier, later, state, kept } = row;
  return {
    id: unpackId(id),
    type,
    records: [unpackId(earlier), unpackId(later)],
    state,
    kept: kept === null ? null : unpackId(kept),
  };
}
