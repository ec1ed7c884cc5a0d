import { isWarrantError, type Json, type MemoryConflict, type MemoryOrigin, type MemoryRecord } from '@warrant/core';
import type { SqliteDb, SqliteValue } from '@warrant/core/sqlite';
import { usualLabel } from '../actor.ts';
import { fault } from '../errors.ts';
import { tierOf } from '../keys.ts';
import { iso, isoOf, ms } from '../times.ts';
import { idOf, idText, type PackedId, packId, unpackId } from './packed-id.ts';

export type Row = {
  readonly seq: number;
  readonly id: string;
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
  readonly audit: string;
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

const NAMES = [
  'seq',
  'id',
  'key',
  'origin',
  'agent',
  'subject',
  'grouping',
  'recorded_at',
  'valid_from',
  'valid_to',
  'closed_at',
  'expires_at',
  'archived',
  'disputed',
  'confidence',
  'retrievals',
  'last_retrieved',
  'audit',
  'value',
  'extra',
  'words',
] as const;
const PACKED: ReadonlySet<string> = new Set(['id', 'audit']);
export const COLUMNS = NAMES.map((name) => (PACKED.has(name) ? idText(`r.${name}`) : `r.${name}`)).join(', ');
export type Columns = ColumnsOf<typeof NAMES>;
type ColumnsOf<Names extends readonly (keyof Row)[]> = { readonly [Index in keyof Names]: Row[Names[Index]] };

/** Rows of a statement that selects {@link COLUMNS} first: as lists, which costs a third of what objects cost. */
export function selectRows(db: SqliteDb, sql: string, ...parameters: readonly SqliteValue[]): Row[] {
  return db.arrays<Columns>(sql, ...parameters).map(rowOf);
}

/** @param columns what {@link COLUMNS} selects, and perhaps more */
export function rowOf(columns: readonly [...Columns, ...unknown[]]): Row {
  return {
    seq: columns[0],
    id: idOf(columns[1]),
    key: columns[2],
    origin: columns[3],
    agent: columns[4],
    subject: columns[5],
    grouping: columns[6],
    recorded_at: columns[7],
    valid_from: columns[8],
    valid_to: columns[9],
    closed_at: columns[10],
    expires_at: columns[11],
    archived: columns[12],
    disputed: columns[13],
    confidence: columns[14],
    retrievals: columns[15],
    last_retrieved: columns[16],
    audit: idOf(columns[17]),
    value: columns[18],
    extra: columns[19],
    words: columns[20],
  };
}

const ORIGINS: readonly MemoryOrigin[] = ['agent-inferred', 'human-approved', 'provider-ingested'];

/** The least where a damaged row has none: who may read it does not hang on it. */
export function originOfRow(number: number): MemoryOrigin {
  return ORIGINS[number] ?? 'provider-ingested';
}

/** The columns of a new row that need nothing but the record. */
export function valuesOf(record: MemoryRecord): readonly SqliteValue[] {
  return [
    packId(record.id),
    record.key,
    ORIGINS.indexOf(record.origin),
    record.agent,
    record.subject,
    ms(record.recordedAt),
    record.validFrom === record.recordedAt ? null : ms(record.validFrom),
    ms(record.validTo),
    ms(record.closedAt),
    ms(record.expiresAt),
    record.archived ? 1 : 0,
    record.confidence,
    record.retrievals,
    ms(record.lastRetrievedAt),
    packId(record.auditEntry),
    JSON.stringify(record.value),
    extraOf(record),
  ];
}

type Fixed = Omit<Rest, 'label' | 'tier'>;
/** What these fields nearly always are. */
const USUAL: Fixed = {
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
const FIXED = Object.keys(USUAL) as (keyof Fixed)[];

/** What is not as usual, as JSON. */
function extraOf(record: MemoryRecord): string | null {
  const extra: { [name: string]: Json } = {};
  let count = 0;
  for (const name of FIXED) {
    const part = record[name];
    if (part === USUAL[name] || (Array.isArray(part) && part.length === 0)) continue;
    extra[name] = part;
    count += 1;
  }
  const { label, tier } = record;
  if (!isUsualLabel(record)) Object.assign(extra, { label });
  else if (count === 0 && tier === tierOf(record.key)) return null;
  return JSON.stringify(tier === tierOf(record.key) ? extra : { ...extra, tier });
}

function isUsualLabel({ label, origin, agent }: MemoryRecord): boolean {
  const usual = usualLabel(origin, agent);
  return label.trust === usual.trust && label.sources.length === 1 && label.sources[0] === usual.sources[0];
}

/** @throws MEMORY_DAMAGED for a row whose texts are not what was stored; other rows stay readable */
export function toRecord(row: Row, conflicts: readonly string[]): MemoryRecord {
  const { value, extra } = parsedOf(row);
  const { id } = row;
  const origin = ORIGINS[row.origin];
  if (origin === undefined) throw fault('MEMORY_DAMAGED', 'a stored record has no known origin', { id });
  const recordedAt = isoOf(row.recorded_at);
  // Each field by its name, which costs a third of copying one object over another.
  return {
    entities: extra?.entities ?? USUAL.entities,
    inferred: extra?.inferred ?? USUAL.inferred,
    sources: extra?.sources ?? USUAL.sources,
    user: extra?.user ?? USUAL.user,
    session: extra?.session ?? USUAL.session,
    speaker: extra?.speaker ?? USUAL.speaker,
    sequence: extra?.sequence ?? USUAL.sequence,
    version: extra?.version ?? USUAL.version,
    consolidated: extra?.consolidated ?? USUAL.consolidated,
    directories: extra?.directories ?? USUAL.directories,
    label: extra?.label ?? usualLabel(origin, row.agent),
    tier: extra?.tier ?? tierOf(row.key),
    id,
    key: row.key,
    value,
    origin,
    agent: row.agent,
    subject: row.subject,
    confidence: row.confidence,
    retrievals: row.retrievals,
    validFrom: iso(row.valid_from) ?? recordedAt,
    validTo: iso(row.valid_to),
    recordedAt,
    closedAt: iso(row.closed_at),
    expiresAt: iso(row.expires_at),
    archived: row.archived === 1,
    lastRetrievedAt: iso(row.last_retrieved),
    auditEntry: row.audit,
    conflicts,
  };
}

function parsedOf(row: Row): { readonly value: Json; readonly extra: Partial<Rest> | null } {
  try {
    const extra = row.extra === null ? null : (JSON.parse(row.extra) as Partial<Rest>);
    return { value: JSON.parse(row.value) as Json, extra };
  } catch (cause) {
    throw fault('MEMORY_DAMAGED', 'a stored record cannot be read', { id: row.id }, cause);
  }
}

/** What of a row its words are made from, without the price of a whole record. @throws MEMORY_DAMAGED */
export function textPartsOf(row: Row): Pick<MemoryRecord, 'key' | 'value' | 'entities' | 'speaker'> {
  const { value, extra } = parsedOf(row);
  return { key: row.key, value, entities: extra?.entities ?? [], speaker: extra?.speaker ?? null };
}

const CONFLICTS_OF = `SELECT id, seq FROM memory_conflicts WHERE earlier = ?
  UNION SELECT id, seq FROM memory_conflicts WHERE later = ? ORDER BY seq`;

/** Records of rows, with the conflicts that each is part of. */
export function toRecords(db: SqliteDb, rows: readonly Row[]): readonly MemoryRecord[] {
  return rows.map((row) => toRecord(row, row.disputed === 0 ? [] : conflictsOf(db, packId(row.id))));
}

/** The same, without rows that are damaged: one of them keeps nobody from the others. `check` names them. */
export function readableRecords(
  db: SqliteDb,
  rows: readonly Row[],
): readonly { readonly seq: number; readonly record: MemoryRecord }[] {
  return rows.flatMap((row) => {
    try {
      const [record] = toRecords(db, [row]);
      return record === undefined ? [] : [{ seq: row.seq, record }];
    } catch (error) {
      if (isWarrantError(error, 'MEMORY_DAMAGED')) return [];
      throw error;
    }
  });
}

function conflictsOf(db: SqliteDb, id: PackedId): readonly string[] {
  return db.all<{ id: PackedId }>(CONFLICTS_OF, id, id).map((row) => unpackId(row.id));
}

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
