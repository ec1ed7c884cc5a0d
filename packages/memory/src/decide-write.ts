import { canonicalJson, type MemoryChange, type MemoryConflict, type MemoryRecord } from '@warrant/core';
import { currentOf, isLive, type Resolution, rankOf } from './current.ts';
import { timeOf } from './times.ts';

export type WriteInput = {
  /** All rows of the key. */
  readonly rows: readonly MemoryRecord[];
  /** What is to be stored, complete but for what the decision gives it: `version`, an earlier `validTo`. */
  readonly incoming: MemoryRecord;
  readonly resolution: Resolution;
  /** ISO-8601. */
  readonly now: string;
  /** False for rows that the writer knows nothing of: it is not told that one says the same. @default always true */
  readonly isKnown?: (row: MemoryRecord) => boolean;
  /** An id that no row has, the same for the same name. */
  readonly idOf: (name: string) => string;
};
export type WritePlan =
  /** The same value is there already. */
  | { readonly type: 'confirmed'; readonly record: MemoryRecord }
  /** A more trusted record stands against it; nothing is to be stored. */
  | { readonly type: 'outranked'; readonly by: MemoryRecord }
  | {
      readonly type: 'stored';
      readonly record: MemoryRecord;
      readonly current: boolean;
      readonly changes: readonly MemoryChange[];
      readonly conflicts: readonly MemoryConflict[];
    };

/** What a write means for a key's rows. Pure: the same rows and the same write give the same plan. */
export function decideWrite(input: WriteInput): WritePlan {
  const version = input.rows.reduce((most, row) => Math.max(most, row.version), 0) + 1;
  const { incoming } = input;
  const next = incoming.version === version ? input : { ...input, incoming: { ...incoming, version } };
  return input.resolution === 'record-only' ? recordOnly(next) : supersede(next);
}

function supersede(input: WriteInput): WritePlan {
  const { incoming, now } = input;
  const live = input.rows.filter((row) => isOpen(row, now) && !isEmpty(row));
  const standing = currentOf(live, { validAt: incoming.validFrom, knownAt: now }, 'supersede');
  const isKnown = standing === undefined || (input.isKnown?.(standing) ?? true);
  if (standing !== undefined && isKnown && rankOf(standing) >= rankOf(incoming) && isSame(standing, incoming))
    return { type: 'confirmed', record: standing };
  if (standing !== undefined && rankOf(standing) > rankOf(incoming)) {
    if (incoming.origin !== 'provider-ingested') return { type: 'outranked', by: standing };
    return keepAside(input, standing);
  }
  const from = timeOf(incoming.validFrom);
  const later = live.filter((row) => timeOf(row.validFrom) > from && endsNew(row, incoming, now));
  const validTo = [incoming.validTo, ...later.map((row) => row.validFrom)].reduce(earlier, null);
  const record = incoming.validTo === validTo ? incoming : { ...incoming, validTo };
  const covered = live.filter((row) => !later.includes(row) && overlaps(row, record));
  const conflicts = covered
    .filter((row) => canonicalJson(row.value) !== canonicalJson(record.value))
    .map((row) => conflictOf(input, row, record, rankOf(row) === rankOf(record) ? 'temporal' : 'authority', record.id));
  return {
    type: 'stored',
    record,
    current: true,
    changes: [
      ...covered.flatMap((row) => ending(input, row, record)),
      { type: 'put', record },
      ...conflicts.map((conflict) => ({ type: 'put-conflict', conflict }) as const),
    ],
    conflicts,
  };
}

/** A later row ends a new one, unless it is less trusted and lies in the future: nobody books the future ahead of a person. */
function endsNew(row: MemoryRecord, incoming: MemoryRecord, now: string): boolean {
  return rankOf(row) >= rankOf(incoming) || timeOf(row.validFrom) <= Date.parse(now);
}

/** What we knew is closed; what stays true of it before the new record begins is known from now on. */
function ending(input: WriteInput, row: MemoryRecord, record: MemoryRecord): readonly MemoryChange[] {
  const close = { type: 'close', id: row.id, at: input.now } as const;
  if (timeOf(row.validFrom) >= timeOf(record.validFrom)) return [close];
  const before: MemoryRecord = {
    ...row,
    id: input.idOf(`before/${row.id}`),
    validTo: record.validFrom,
    recordedAt: input.now,
    closedAt: null,
    auditEntry: record.auditEntry,
  };
  return [close, { type: 'put', record: before }];
}

function keepAside(input: WriteInput, standing: MemoryRecord): WritePlan {
  const record = input.incoming;
  const conflict = conflictOf(input, standing, record, 'authority', standing.id);
  return {
    type: 'stored',
    record,
    current: false,
    changes: [
      { type: 'put', record },
      { type: 'put-conflict', conflict },
    ],
    conflicts: [conflict],
  };
}

function recordOnly(input: WriteInput): WritePlan {
  const { incoming, now } = input;
  const first = currentOf(input.rows, { validAt: now, knownAt: now }, 'record-only');
  const type = first === undefined ? undefined : recordedType(first, incoming);
  const conflicts = first === undefined || type === undefined ? [] : [conflictOf(input, first, incoming, type, null)];
  return {
    type: 'stored',
    record: incoming,
    current: first === undefined,
    changes: [
      { type: 'put', record: incoming },
      ...conflicts.map((conflict) => ({ type: 'put-conflict', conflict }) as const),
    ],
    conflicts,
  };
}

function recordedType(first: MemoryRecord, incoming: MemoryRecord): MemoryConflict['type'] | undefined {
  if (rankOf(first) === rankOf(incoming)) return 'temporal';
  return first.origin === 'human-approved' ? 'authority' : undefined;
}

function conflictOf(
  input: WriteInput,
  earlierRecord: MemoryRecord,
  record: MemoryRecord,
  type: MemoryConflict['type'],
  kept: string | null,
): MemoryConflict {
  return {
    id: input.idOf(`conflict/${earlierRecord.id}/${record.id}`),
    type,
    records: [earlierRecord.id, record.id],
    state: kept === null ? 'open' : 'resolved',
    kept,
  };
}

/** Known and unexpired now, whenever it is valid. */
function isOpen(row: MemoryRecord, now: string): boolean {
  return isLive(row, { validAt: row.validFrom, knownAt: now });
}

function isEmpty(row: MemoryRecord): boolean {
  return timeOf(row.validTo) <= timeOf(row.validFrom);
}

function isSame(standing: MemoryRecord, incoming: MemoryRecord): boolean {
  return (
    canonicalJson(standing.value) === canonicalJson(incoming.value) &&
    (incoming.validTo === null || incoming.validTo === standing.validTo) &&
    (incoming.expiresAt === null || incoming.expiresAt === standing.expiresAt)
  );
}

function overlaps(row: MemoryRecord, record: MemoryRecord): boolean {
  return timeOf(row.validFrom) < timeOf(record.validTo) && timeOf(record.validFrom) < timeOf(row.validTo);
}

function earlier(a: string | null, b: string | null): string | null {
  return timeOf(a) <= timeOf(b) ? a : b;
}
