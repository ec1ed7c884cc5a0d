import { foldName, type MemoryChange, type MemoryConflict, type MemoryRecord, type Reason } from '@warrant/core';
import { type Actor, originOf } from './actor.ts';
import { changeRecord } from './change-record.ts';
import { isLive } from './current.ts';
import { decideWrite, type WritePlan } from './decide-write.ts';
import type { MemoryEvent } from './events.ts';
import { tierOf } from './keys.ts';
import { type AccessVerdict, decideAccess } from './permissions.ts';
import { frozen, type Setup } from './setup.ts';
import { knowsOf } from './shown.ts';
import type { WriteLog } from './write-log.ts';
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
  /** Nothing is left of it once what was recalled is taken out. */
  readonly isEcho: boolean;
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
  readonly events: readonly MemoryEvent[];
};
/** What the writes of one transaction share. @internal */
export type Batch = {
  readonly now: string;
  readonly log: WriteLog;
  readonly recordId: string | undefined;
  readonly absent: readonly string[];
};

/** Decides one write on the rows as they stand, and moves them on. @internal */
export function decideStep(setup: Setup, actor: Actor, prepared: Prepared, heads: Rows, batch: Batch): Step {
  const { draft } = prepared;
  const head = heads.get(foldName(draft.key)) as { readonly revision: number; rows: readonly MemoryRecord[] };
  const { now, log } = batch;
  const access = accessTo(setup, actor, draft.key, openRows(head.rows, now));
  if (!access.allowed) return refusal(log, draft, access, access.reasons);
  if (prepared.isEcho) return refusal(log, draft, access, [echo(draft.key)]);
  const stored = head.rows.find((row) => row.key !== draft.key);
  if (stored !== undefined) return refusal(log, draft, access, [spelling(draft.key, stored.key)]);
  const common = { access, trust: prepared.label.trust, subject: draft.subject };
  const made = { id: batch.recordId ?? setup.ids.next(), auditEntry: log.entryFor(common), now };
  const ids = new Map<string, string>();
  const plan = decideWrite({
    rows: head.rows,
    incoming: recordOf(actor, prepared, made),
    resolution: setup.resolution,
    now,
    isKnown: (row) => knowsOf(setup, actor, row),
    idOf: (name) => {
      const known = ids.get(name) ?? setup.ids.next();
      ids.set(name, known);
      return known;
    },
  });
  const done = carryOut(setup, actor, prepared, plan, { log, common, absent: batch.absent });
  if (done.changes.length > 0) head.rows = rowsAfter(head.rows, done.changes);
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
  return {
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
  };
}

function carryOut(
  setup: Setup,
  actor: Actor,
  prepared: Prepared,
  plan: WritePlan,
  made: { readonly log: WriteLog; readonly common: Parameters<WriteLog['add']>[0]; readonly absent: readonly string[] },
): Step {
  const { log, common } = made;
  const { draft } = prepared;
  const facts = { key: draft.key, rule: common.access.rule, permissions: common.access.permissions };
  if (plan.type === 'confirmed') {
    log.note('memory.confirmed', { ...facts, record: plan.record.id }, draft.subject);
    return { result: plan, changes: [], events: [] };
  }
  if (plan.type === 'outranked') {
    const reason = outranked(draft.key, knowsOf(setup, actor, plan.by) ? plan.by : null);
    log.note('memory.refused', { ...facts, codes: [reason.code], standing: plan.by.id }, draft.subject);
    return { result: { type: 'refused', reasons: [reason] }, changes: [], events: [] };
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
  const closed = plan.changes.flatMap((change) => (change.type === 'close' ? [change.id] : []));
  log.add(common, { record: plan.record, current: plan.current, closed, conflicts });
  const result: WriteResult = {
    type: 'stored',
    record: frozen(conflicts.length === 0 ? plan.record : { ...plan.record, conflicts: conflicts.map(({ id }) => id) }),
    current: plan.current,
    conflicts,
    absent: made.absent,
  };
  return { result, changes, events: conflicts.map((conflict) => eventOf(conflict, plan.record)) };
}

/** What the caller may want to know was not there. */
export function absences(setup: Setup): readonly string[] {
  return [
    ...(setup.permissions === null ? ['no permissions: a handle reaches its own records under memory/ only'] : []),
    ...(setup.reviewer === null ? ['no reviewer: a write against a more trusted record is refused'] : []),
    ...(setup.embedder === null ? ['no embedder: recall goes by words, semantic conflicts are not looked for'] : []),
    ...(setup.audit === null ? ['no journal: audit entries wait in the store until one takes them'] : []),
  ];
}

/** Later writes of the same batch see earlier ones. */
function rowsAfter(rows: readonly MemoryRecord[], changes: readonly MemoryChange[]): readonly MemoryRecord[] {
  const [lone] = changes;
  if (changes.length === 1 && lone?.type === 'put') return [...rows, lone.record];
  const after = new Map(rows.map((row) => [row.id, row]));
  for (const change of changes) {
    if (change.type === 'put') after.set(change.record.id, change.record);
    if (change.type !== 'close') continue;
    const row = after.get(change.id);
    if (row !== undefined) after.set(change.id, changeRecord(row, change));
  }
  return [...after.values()];
}

function refusal(log: WriteLog, draft: Draft, access: AccessVerdict, reasons: readonly Reason[]): Step {
  const codes = reasons.map(({ code }) => code);
  log.note('memory.refused', { key: draft.key, codes, rule: access.rule, permissions: access.permissions });
  return { result: { type: 'refused', reasons }, changes: [], events: [] };
}

function spelling(key: string, stored: string): Reason {
  return {
    code: 'memory.key-spelling',
    message: 'a stored key differs from this one in spelling only',
    data: { key, stored },
    remedy: { key: stored },
  };
}

function echo(key: string): Reason {
  return { code: 'memory.echo', message: 'this is what was recalled, and nothing else', data: { key } };
}

/** @param by `null` for a record that the writer may not know of */
function outranked(key: string, by: MemoryRecord | null): Reason {
  return {
    code: 'memory.outranked',
    message: 'a more trusted record stands against this value',
    data: by === null ? { key } : { key, standing: by.id, origin: by.origin },
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
