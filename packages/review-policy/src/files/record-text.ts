import type { Answer, Json, JsonObject, Reason, ReviewApproval, ReviewRecord } from '@warrant/core';
import { isMapping, member } from '../faults.ts';
import { parseYaml } from '../yaml/document.ts';
import { readQuickly } from './yaml-quick.ts';
import { toYaml } from './yaml-text.ts';

type Mapping = { readonly [key: string]: unknown };

/** A file of `proposed/` or `decided/` as a record with everything that the file says, or why it is passed over. */
export type ReadRecord =
  | { readonly type: 'record'; readonly record: ReviewRecord; readonly raw: Mapping }
  | { readonly type: 'skipped'; readonly reason: string };

/** A YAML file as a mapping, or why it is none. */
export type ReadMapping =
  | { readonly type: 'mapping'; readonly value: Mapping }
  | { readonly type: 'skipped'; readonly reason: string };

const KINDS: readonly string[] = ['claim', 'page', 'entity', 'relation', 'delete'];
const STATUSES: readonly string[] = ['pending', 'approved', 'rejected'];
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readMapping(bytes: Uint8Array): ReadMapping {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { type: 'skipped', reason: 'not UTF-8' };
  }
  const quick = readQuickly(text);
  if (quick !== undefined) return { type: 'mapping', value: quick.value };
  const document = parseYaml(text);
  if (document.type === 'refused') return { type: 'skipped', reason: `not YAML: ${document.message}` };
  return isMapping(document.value)
    ? { type: 'mapping', value: document.value }
    : { type: 'skipped', reason: 'not a mapping' };
}

/** @param options.now what an absent `proposed_at` stands for */
export function readRecord(
  bytes: Uint8Array,
  options: { readonly now: string; readonly kinds?: (kind: string) => boolean },
): ReadRecord {
  const read = readMapping(bytes);
  if (read.type === 'skipped') return read;
  const raw = read.value;
  const fault = faultOf(raw, options.kinds ?? ((kind) => KINDS.includes(kind)));
  if (fault !== null) return { type: 'skipped', reason: fault };
  return { type: 'record', record: toRecord(raw, options.now), raw };
}

function faultOf(raw: Mapping, isKind: (kind: string) => boolean): string | null {
  for (const key of ['id', 'kind', 'proposed_by', 'payload']) {
    if (!Object.hasOwn(raw, key)) return `lacks ${key}`;
  }
  for (const key of ['id', 'kind', 'proposed_by']) if (typeof raw[key] !== 'string') return `${key} is not a text`;
  if (!isKind(raw['kind'] as string)) return 'unknown kind';
  if (!isMapping(raw['payload'])) return 'payload is not a mapping';
  const status = raw['status'] ?? 'pending';
  if (typeof status !== 'string' || !STATUSES.includes(status)) return 'unknown status';
  for (const key of ['proposed_at', 'decided_at']) if (!isTimeOrAbsent(raw[key])) return `${key} is not a time`;
  for (const key of ['rationale', 'decided_by', 'decision_reason', 'session_id']) {
    const value = raw[key] ?? null;
    if (value !== null && typeof value !== 'string') return `${key} is not a text`;
  }
  return null;
}

function isTimeOrAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) < 8e12;
  return typeof value === 'string' && /\d{4}-\d\d?-\d\d?/.test(value) && !Number.isNaN(Date.parse(value));
}

function toTime(value: unknown): string | null {
  if (typeof value === 'number') return new Date(value * 1000).toISOString();
  return typeof value === 'string' ? value : null;
}

function toRecord(raw: Mapping, now: string): ReviewRecord {
  const text = (key: string): string | null => (typeof raw[key] === 'string' ? raw[key] : null);
  const found = member(raw, 'review');
  const review: Mapping = isMapping(found) ? found : {};
  const rationale = text('rationale');
  const approvals = review['approvals'];
  const context = review['context'];
  return {
    proposal: {
      id: raw['id'] as string,
      kind: raw['kind'] as string,
      proposedBy: raw['proposed_by'] as string,
      proposedAt: toTime(raw['proposed_at']) ?? now,
      payload: raw['payload'] as JsonObject,
      ...(rationale !== null && { rationale }),
    },
    status: (text('status') ?? 'pending') as ReviewRecord['status'],
    decidedAt: toTime(raw['decided_at']),
    decidedBy: text('decided_by'),
    decisionReason: text('decision_reason'),
    autoApproved: raw['auto_approved'] === true,
    rule: text('policy_rule') ?? (typeof review['rule'] === 'string' ? review['rule'] : null),
    policy: isDigest(review['policy']) ? review['policy'] : null,
    facts: texts(review['facts']),
    context: isMapping(context) ? (context as JsonObject) : { known_ids: null },
    votes: list(review['votes']).flatMap(toVote),
    approvals: typeof approvals === 'number' && approvals >= 1 ? approvals : 1,
    asked: typeof review['asked'] === 'number' && review['asked'] > 0 ? review['asked'] : 0,
    approval: toApproval(review['approval']),
    failure: list(review['failure']).flatMap(toReason),
  };
}

function isDigest(value: unknown): value is `sha256:${string}` {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((entry) => typeof entry === 'string');
}

function toVote(value: unknown): readonly Answer[] {
  if (!isMapping(value) || typeof value['by'] !== 'string' || !isDigest(value['proposal'])) return [];
  const reason = value['reason'];
  return [
    {
      questionId: typeof value['question'] === 'string' ? value['question'] : '',
      subject: value['proposal'],
      choice: 'approve',
      answeredBy: value['by'],
      answeredAt: typeof value['at'] === 'string' ? value['at'] : '',
      ...(typeof reason === 'string' && { reason }),
    },
  ];
}

function toApproval(value: unknown): ReviewApproval | null {
  if (!isMapping(value) || typeof value['by'] !== 'string' || typeof value['at'] !== 'string') return null;
  const reason = value['reason'];
  return {
    by: value['by'],
    at: value['at'],
    auto: value['auto'] === true,
    reason: typeof reason === 'string' ? reason : null,
  };
}

function toReason(value: unknown): readonly Reason[] {
  if (!isMapping(value) || typeof value['code'] !== 'string' || typeof value['message'] !== 'string') return [];
  const data = value['data'];
  return [{ code: value['code'], message: value['message'], data: isMapping(data) ? (data as JsonObject) : {} }];
}

const OWN_KEYS: readonly string[] = [
  'id',
  'kind',
  'proposed_by',
  'session_id',
  'proposed_at',
  'payload',
  'rationale',
  'status',
  'decided_at',
  'decided_by',
  'decision_reason',
  'auto_approved',
  'policy_rule',
  'review',
];

/** The text of a record's file. Members of `before` that we do not know are kept. */
export function recordText(record: ReviewRecord, before: Mapping = {}): string {
  const { proposal } = record;
  const unknown = Object.entries(before).filter(([key]) => !OWN_KEYS.includes(key));
  const isDecided = record.status !== 'pending';
  const review = reviewMember(record);
  const mapping: JsonObject = {
    id: proposal.id,
    kind: proposal.kind,
    proposed_by: proposal.proposedBy,
    session_id: (before['session_id'] ?? null) as Json,
    proposed_at: proposal.proposedAt,
    payload: proposal.payload,
    rationale: proposal.rationale ?? null,
    status: record.status,
    decided_at: record.decidedAt,
    decided_by: record.decidedBy,
    decision_reason: record.decisionReason,
    ...(isDecided && { auto_approved: record.autoApproved, policy_rule: record.autoApproved ? record.rule : null }),
    ...(Object.fromEntries(unknown) as JsonObject),
    ...(Object.keys(review).length > 0 && { review }),
  };
  return toYaml(mapping);
}

// What vouch does not know sits in one member, which it passes over; nothing is there when nothing is to be said.
function reviewMember(record: ReviewRecord): JsonObject {
  const votes = record.votes.map(
    (vote): JsonObject => ({
      question: vote.questionId,
      by: vote.answeredBy,
      at: vote.answeredAt,
      proposal: vote.subject,
      ...(vote.reason !== undefined && { reason: vote.reason }),
    }),
  );
  return {
    ...(record.policy !== null && {
      rule: record.rule,
      policy: record.policy,
      facts: record.facts,
      context: record.context,
    }),
    ...(record.approvals > 1 && { approvals: record.approvals }),
    ...(record.asked > 0 && { asked: record.asked }),
    ...((votes.length > 1 || (votes.length > 0 && record.status === 'pending')) && { votes }),
    ...(record.approval !== null && { approval: { ...record.approval } }),
    ...(record.failure.length > 0 && {
      failure: record.failure.map(({ code, message, data }) => ({ code, message, data })),
    }),
  };
}
