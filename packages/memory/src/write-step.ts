import {
  type Entry,
  foldName,
  type JsonObject,
  type MemoryChange,
  type MemoryConflict,
  type MemoryRecord,
  type Reason,
} from '@warrant/core';
import { type Actor, originOf } from './actor.ts';
import { auditEntry } from './audit.ts';
import { changeRecord } from './change-record.ts';
import { isLive } from './current.ts';
import { decideWrite, type WritePlan } from './decide-write.ts';
import type { MemoryEvent } from './events.ts';
import { tierOf } from './keys.ts';
import { type AccessVerdict, decideAccess } from './permissions.ts';
import { frozen, type Setup } from './setup.ts';
import type { Draft } from './write-request.ts';

/** What became of a write. A refusal is a value; its reasons say what stood against it. */
export type WriteResult =
  | {
      readonly type: 'stored';
      readonly record: MemoryRecord;
      /** False when it is kept beside a more trusted record. */
      readonly current: boolean;
      readonly conflicts: readonly MemoryConflict[];
      /** Permissions, conflict checks and reviews that were not there. */
      readonly absent: readonly string[];
    }
  | { readonly type: 'confirmed'; readonly record: MemoryRecord }
  | { readonly type: 'proposed'; readonly proposalId: string; readonly reasons: readonly Reason[] }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** A write that needs nothing more from outside. @internal */
export type Prepared = {
  readonly draft: Draft;
  readonly vector: Float32Array | undefined;
  readonly near: readonly string[];
  readonly label: MemoryRecord['label'];
};
/** The rows of each key, by its folded name. @internal */
export type Rows = Map<string, { readonly revision: number; rows: readonly MemoryRecord[] }>;
/** What one write comes to. @internal */
export type Step = {
  readonly result: WriteResult;
  readonly changes: readonly MemoryChange[];
  readonly audit: Entry;
  readonly events: readonly MemoryEvent[];
};

/** Decides one write on the rows as they stand, and moves them on. @internal */
export function decideStep(setup: Setup, actor: Actor, prepared: Prepared, heads: Rows, recordId?: string): Step {
  const { draft } = prepared;
  const head = heads.get(foldName(draft.key)) as { readonly revision: number; rows: readonly MemoryRecord[] };
  const now = setup.now();
  const access = accessTo(setup, actor, draft.key, openRows(head.rows, now));
  if (!access.allowed) return refusal(setup, actor, draft, access, access.reasons);
  const stored = head.rows.find((row) => row.key !== draft.key);
  if (stored !== undefined) return refusal(setup, actor, draft, access, [spelling(draft.key, stored.key)]);
  const entryId = setup.ids.next();
  const ids = new Map<string, string>();
  const incoming = recordOf(actor, prepared, { id: recordId ?? setup.ids.next(), auditEntry: entryId, now });
  const plan = decideWrite({
    rows: head.rows,
    incoming,
    resolution: setup.resolution,
    now,
    idOf: (name) => {
      const known = ids.get(name) ?? setup.ids.next();
      ids.set(name, known);
      return known;
    },
  });
  const done = carryOut(setup, actor, prepared, plan, { access, entryId });
  head.rows = rowsAfter(head.rows, done.changes);
  return done;
}

/** Rows that the write could end: known now and not expired, whenever they are valid. */
function openRows(rows: readonly MemoryRecord[], now: string): readonly MemoryRecord[] {
  return rows.filter((row) => isLive(row, { validAt: row.validFrom, knownAt: now }));
}

/** The first denial over everything that the write could touch. */
function accessTo(setup: Setup, actor: Actor, key: string, rows: readonly MemoryRecord[]): AccessVerdict {
  const verdicts = [null, ...rows].map((record) =>
    decideAccess(setup.permissions, { action: 'write', key, actor, record }),
  );
  return verdicts.find(({ allowed }) => !allowed) ?? (verdicts[0] as AccessVerdict);
}

function recordOf(
  actor: Actor,
  prepared: Prepared,
  made: { readonly id: string; readonly auditEntry: string; readonly now: string },
): MemoryRecord {
  const { draft } = prepared;
  return frozen({
    key: draft.key,
    value: draft.value,
    confidence: draft.confidence,
    entities: draft.entities,
    subject: draft.subject,
    validFrom: draft.validFrom,
    validTo: draft.validTo,
    expiresAt: draft.expiresAt,
    sources: draft.sources,
    session: draft.session,
    user: draft.user,
    speaker: draft.speaker,
    sequence: draft.sequence,
    directories: draft.directories,
    label: prepared.label,
    id: made.id,
    origin: originOf(actor),
    tier: tierOf(draft.key),
    recordedAt: made.now,
    closedAt: null,
    inferred: draft.infer,
    agent: actor.onBehalfOf ?? actor.key,
    version: 1,
    conflicts: [],
    auditEntry: made.auditEntry,
    archived: false,
    consolidated: false,
    retrievals: 0,
    lastRetrievedAt: null,
  });
}

function carryOut(
  setup: Setup,
  actor: Actor,
  prepared: Prepared,
  plan: WritePlan,
  made: { readonly access: AccessVerdict; readonly entryId: string },
): Step {
  const { draft } = prepared;
  const facts = { key: draft.key, rule: made.access.rule, permissions: made.access.permissions };
  const entry = (type: Parameters<typeof auditEntry>[2], data: JsonObject): Entry => ({
    ...auditEntry(setup.ids, actor, type, { ...facts, ...data }, draft.subject),
    id: made.entryId,
  });
  if (plan.type === 'confirmed')
    return { result: plan, changes: [], audit: entry('memory.confirmed', { record: plan.record.id }), events: [] };
  if (plan.type === 'outranked') {
    const reason = outranked(draft.key, plan.by);
    const result: WriteResult = { type: 'refused', reasons: [reason] };
    return {
      result,
      changes: [],
      audit: entry('memory.refused', { codes: [reason.code], standing: plan.by.id }),
      events: [],
    };
  }
  const semantic = prepared.near.map(
    (id): MemoryConflict => ({
      id: setup.ids.next(),
      type: 'semantic',
      records: [id, plan.record.id],
      state: 'open',
      kept: null,
    }),
  );
  const conflicts = [...plan.conflicts, ...semantic];
  const changes = [
    ...plan.changes.map((change) =>
      change.type === 'put' && change.record.id === plan.record.id && prepared.vector !== undefined
        ? { ...change, vector: prepared.vector }
        : change,
    ),
    ...semantic.map((conflict) => ({ type: 'put-conflict', conflict }) as const),
  ];
  const audit = entry('memory.written', {
    record: plan.record.id,
    origin: plan.record.origin,
    trust: plan.record.label.trust,
    current: plan.current,
    closed: plan.changes.flatMap((change) => (change.type === 'close' ? [change.id] : [])),
    conflicts: conflicts.map(({ id, type }) => ({ id, type })),
  });
  const record = { ...plan.record, conflicts: conflicts.map(({ id }) => id) };
  const result: WriteResult = {
    type: 'stored',
    record: frozen(record),
    current: plan.current,
    conflicts,
    absent: absences(setup),
  };
  return { result, changes, audit, events: conflicts.map((conflict) => eventOf(conflict, plan.record)) };
}

/** What the caller may want to know was not there. */
export function absences(setup: Setup): readonly string[] {
  return [
    ...(setup.permissions === null ? ['no permissions: a handle reaches its own records under memory/ only'] : []),
    ...(setup.reviewer === null ? ['no reviewer: a write against a more trusted record is refused'] : []),
    ...(setup.embedder === null ? ['no embedder: recall goes by words, semantic conflicts are not looked for'] : []),
  ];
}

/** Later writes of the same batch see earlier ones. */
function rowsAfter(rows: readonly MemoryRecord[], changes: readonly MemoryChange[]): readonly MemoryRecord[] {
  const after = new Map(rows.map((row) => [row.id, row]));
  for (const change of changes) {
    if (change.type === 'put') after.set(change.record.id, change.record);
    if (change.type !== 'close') continue;
    const row = after.get(change.id);
    if (row !== undefined) after.set(change.id, changeRecord(row, change));
  }
  return [...after.values()];
}

function refusal(setup: Setup, actor: Actor, draft: Draft, access: AccessVerdict, reasons: readonly Reason[]): Step {
  const data = {
    key: draft.key,
    codes: reasons.map(({ code }) => code),
    rule: access.rule,
    permissions: access.permissions,
  };
  return {
    result: { type: 'refused', reasons },
    changes: [],
    audit: auditEntry(setup.ids, actor, 'memory.refused', data),
    events: [],
  };
}

function spelling(key: string, stored: string): Reason {
  return {
    code: 'memory.key-spelling',
    message: 'a stored key differs from this one in spelling only',
    data: { key, stored },
    remedy: { key: stored },
  };
}

function outranked(key: string, by: MemoryRecord): Reason {
  return {
    code: 'memory.outranked',
    message: 'a more trusted record stands against this value',
    data: { key, standing: by.id, origin: by.origin },
    remedy: { review: 'a person approves the new value' },
  };
}

function eventOf(conflict: MemoryConflict, record: MemoryRecord): MemoryEvent {
  return {
    type: 'conflict-detected',
    conflictId: conflict.id,
    conflictType: conflict.type,
    key: record.key,
    agent: record.agent,
    session: record.session,
  };
}
