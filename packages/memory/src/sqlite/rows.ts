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

/** Columns that say something in few rows: these are handed over as one text, which costs a tenth of so many nulls. */
const RARE = [
  'subject',
  'grouping',
  'valid_to',
  'closed_at',
  'expires_at',
  'archived',
  'disputed',
  'last_retrieved',
  'extra',
  'words',
] as const;
type Rare = ColumnsOf<typeof RARE>;
const USUAL_RARE: Rare = [null, null, null, null, null, 0, 0, null, null, null];
const NULLS = RARE.filter((_, index) => USUAL_RARE[index] === null).map((name) => `r.${name}`);
const RARELY = `iif(coalesce(${NULLS.join(', ')}) IS NULL AND r.archived = 0 AND r.disputed = 0, NULL,
  json_array(${RARE.map((name) => `r.${name}`).join(', ')}))`;

/** What a statement selects for {@link rowOf}. */
export const COLUMNS = `r.seq, ${idText('r.id')}, r.key, r.origin, r.agent, r.recorded_at, r.valid_from, r.confidence,
  r.retrievals, ${idText('r.audit')}, r.value, ${RARELY}`;
export type Columns = readonly [
  ...ColumnsOf<
    readonly [
      'seq',
      'id',
      'key',
      'origin',
      'agent',
      'recorded_at',
      'valid_from',
      'confidence',
      'retrievals',
      'audit',
      'value',
    ]
  >,
  rare: string | null,
];
type ColumnsOf<Names extends readonly (keyof Row)[]> = { readonly [Index in keyof Names]: Row[Names[Index]] };

/** Rows of a statement that selects {@link COLUMNS} first: as lists, which costs a third of what objects cost. */
export function selectRows(db: SqliteDb, sql: string, ...parameters: readonly SqliteValue[]): Row[] {
  return db.arrays<Columns>(sql, ...parameters).map(rowOf);
}

/** @param columns what {@link COLUMNS} selects, and perhaps more */
export function rowOf(columns: readonly [...Columns, ...unknown[]]): Row {
  const rare = columns[11] === null ? USUAL_RARE : (JSON.parse(columns[11]) as Rare);
  return {
    seq: columns[0],
    id: idOf(columns[1]),
    key: columns[2],
    origin: columns[3],
    agent: columns[4],
    subject: rare[0],
    grouping: rare[1],
    recorded_at: columns[5],
    valid_from: columns[6],
    valid_to: rare[2],
    closed_at: rare[3],
    expires_at: rare[4],
    archived: rare[5],
    disputed: rare[6],
    confidence: columns[7],
    retrievals: columns[8],
    last_retrieved: rare[7],
    audit: idOf(columns[9]),
    value: columns[10],
    extra: rare[8],
    words: rare[9],
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
  return rows.map((row) => disputedRecord(db, row));
}

function disputedRecord(db: SqliteDb, row: Row): MemoryRecord {
  return toRecord(row, row.disputed === 0 ? NONE : conflictsOf(db, packId(row.id)));
}

const NONE: readonly string[] = [];

/** The same of one row, and of one that is damaged nothing: it keeps nobody from the others. `check` names it. */
export function readableRecord(db: SqliteDb, row: Row): MemoryRecord | undefined {
  try {
    return disputedRecord(db, row);
  } catch (error) {
    if (isWarrantError(error, 'MEMORY_DAMAGED')) return undefined;
    throw error;
  }
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
