import {
  type Clock,
  createIdSource,
  type IdSource,
  isoTime,
  type JsonObject,
  type Proposal,
  type Question,
  type Reason,
  type ReviewDecision,
  type ReviewRecord,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { decide, type PolicyDecision } from './evaluate.ts';
import { evidenceIds, quotaWindows, type StoredContext, toContext, usesCondition } from './gate-check.ts';
import type { GateOptions, ReviewKind, ReviewSettings } from './gate-types.ts';
import { DEFAULT_KINDS, type KindProfile, type KindTable } from './kinds.ts';
import { type Approved, type Planned, planKnowledge } from './knowledge.ts';
import type { ParsedPolicy, Quorum } from './policy.ts';
import { proposalDigest } from './record.ts';

/** What the parts of the gate share. */
export type GateCore = {
  readonly options: GateOptions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly registered: Map<string, ReviewKind>;
  kinds(): KindTable;
  settings(): Promise<ReviewSettings>;
  now(): string;
};

export function createGateCore(options: GateOptions): GateCore {
  const clock = options.clock ?? systemClock;
  const registered = new Map<string, ReviewKind>();
  const knowledge: KindTable = options.knowledge === false ? new Map() : DEFAULT_KINDS;
  let table: KindTable | null = null;
  let size = -1;
  return {
    options,
    clock,
    ids: options.ids ?? createIdSource({ clock }),
    registered,
    kinds: () => {
      if (table === null || size !== registered.size) {
        size = registered.size;
        table = new Map([
          ...knowledge,
          ...[...registered.values()].map((kind) => [kind.kind, profileOf(kind)] as const),
        ]);
      }
      return table;
    },
    settings: async () => (await options.settings?.()) ?? { policy: { type: 'none' } },
    now: () => isoTime(clock),
  };
}

function profileOf(kind: ReviewKind): KindProfile {
  const fallback = { evidenceKeys: [], hasConfidence: false, hasClaimType: false, payloadKeys: null };
  return { ...fallback, ...kind.profile, kind: kind.kind };
}

/** A verdict with what it read. */
export type Judged = { readonly verdict: PolicyDecision; readonly context: StoredContext };

/** Judges a checked proposal with everything that the policy asks for. */
export async function judge(core: GateCore, settings: ReviewSettings, proposal: Proposal): Promise<Judged> {
  const { subject, profile, context } = await gather(core, settings.policy, proposal);
  const verdict = decide(settings.policy, subject, profile, toContext(context));
  const voters = votersOf(settings.policy, verdict.quorum);
  return { verdict, context: voters === null ? context : { ...context, voters } };
}

/** Members of the groups that may vote; `null` when anybody may. */
export function votersOf(policy: ParsedPolicy, quorum: Quorum | null): readonly string[] | null {
  if (policy.type !== 'policy' || quorum === null || quorum.roles === null) return null;
  return [...new Set(quorum.roles.flatMap((role) => policy.groups.get(role) ?? []))];
}

/** What rules look at: the proposal as its kind shows it, and everything beside it that the policy asks for. */
export async function gather(
  core: GateCore,
  policy: ParsedPolicy,
  proposal: Proposal,
): Promise<{ readonly subject: Proposal; readonly profile: KindProfile; readonly context: StoredContext }> {
  const kinds = core.kinds();
  const profile = kinds.get(proposal.kind) as KindProfile;
  const subject = subjectOf(core, proposal, profile);
  const context: StoredContext = {
    known_ids: await core.options.store.known(evidenceIds(subject, kinds), proposal.kind),
    ...((usesCondition(policy, 'window') || usesCondition(policy, 'cel')) && { now: core.now() }),
    ...(quotaWindows(policy).length > 0 && { filed: await countFiled(core, proposal, quotaWindows(policy)) }),
    ...(usesCondition(policy, 'similar') && core.options.similar && { similar: await core.options.similar(proposal) }),
  };
  return { subject, profile, context };
}

/** The proposal as rules see it. */
export function subjectOf(core: GateCore, proposal: Proposal, profile: KindProfile): Proposal {
  const kind = core.registered.get(proposal.kind);
  return kind === undefined ? proposal : { ...proposal, payload: mirrored(kind, proposal, profile) };
}

// A registered kind says itself what its evidence and confidence are; rules then find them where profiles point.
function mirrored(kind: ReviewKind, proposal: Proposal, profile: KindProfile): JsonObject {
  const evidenceKey = profile.evidenceKeys[0];
  const evidence = kind.evidence(proposal.payload);
  const confidence = kind.confidence(proposal.payload);
  return {
    ...proposal.payload,
    ...(evidenceKey !== undefined && evidence !== null && { [evidenceKey]: evidence }),
    ...(profile.hasConfidence && confidence !== null && { confidence }),
  };
}

async function countFiled(
  core: GateCore,
  proposal: Proposal,
  windows: readonly number[],
): Promise<{ readonly [windowMs: string]: number }> {
  const now = core.clock.now();
  const counts: Record<string, number> = Object.fromEntries(windows.map((window) => [String(window), 0]));
  for await (const item of core.options.store.events()) {
    if (item.dryRun || item.actor !== proposal.proposedBy || !item.event.endsWith('.create')) continue;
    if (item.objectIds[0] === proposal.id) continue;
    const age = now - Date.parse(item.at);
    for (const window of windows) if (age < window) counts[String(window)] = (counts[String(window)] as number) + 1;
  }
  return counts;
}

/** What approving changes, or why it cannot be applied. Kinds beside the knowledge kinds plan nothing: they apply themselves. */
export async function plan(core: GateCore, proposal: Proposal, approved: Approved): Promise<Planned> {
  if (core.registered.has(proposal.kind)) return { type: 'changes', changes: [], artifactId: proposal.id };
  const { store } = core.options;
  const planned = await planKnowledge(proposal, approved, (kind, id) => store.artifact(kind, id));
  if (planned.type === 'refused') return planned;
  const ids = evidenceIds(proposal, core.kinds());
  const known = await store.known(ids, proposal.kind);
  const missing = known === null ? [] : ids.filter((id) => !known.includes(id));
  if (missing.length === 0) return planned;
  const message = 'evidence names what is not there';
  return { type: 'refused', reasons: [{ code: 'review.evidence-unknown', message, data: { ids: missing } }] };
}

/** Repeats a read-decide-commit round while others change the same proposal. */
export async function retrying<T>(attempt: () => Promise<T | 'conflict'>): Promise<T> {
  for (let count = 0; count < 50; count += 1) {
    const result = await attempt();
    if (result !== 'conflict') return result;
  }
  throw new WarrantError('REVIEW_CONTENDED', 'the proposal kept changing while it was being decided', {
    retryable: true,
  });
}

/** Asks people about a waiting proposal, one question a vote; asking again changes nothing. */
export async function askPeople(core: GateCore, settings: ReviewSettings, record: ReviewRecord): Promise<boolean> {
  const { inbox } = core.options;
  if (inbox === undefined || record.status !== 'pending' || record.approval !== null) return false;
  let asked = false;
  for (let index = record.votes.length + 1; index <= record.approvals; index += 1) {
    const answer = await inbox.ask(questionOf(core, settings, record, index));
    asked ||= answer.type === 'asked';
  }
  return asked;
}

function questionOf(core: GateCore, settings: ReviewSettings, record: ReviewRecord, index: number): Question {
  const { proposal } = record;
  const days = settings.expirePendingAfterDays ?? 90;
  const filed = Date.parse(proposal.proposedAt);
  return {
    id: `${proposal.id}/${record.asked + index}`,
    kind: 'review',
    subject: proposalDigest(proposal),
    title: `${proposal.kind} ${proposal.id}`,
    details: {
      kind: proposal.kind,
      payload: proposal.payload,
      rationale: proposal.rationale ?? null,
      rule: record.rule,
    },
    choices: ['approve', 'reject'],
    group: proposal.id,
    askedBy: proposal.proposedBy,
    expiresAt: new Date((Number.isNaN(filed) ? core.clock.now() : filed) + days * 86_400_000).toISOString(),
  };
}

/** Takes back what was asked about a proposal that is decided or changed. */
export async function withdrawQuestions(core: GateCore, record: ReviewRecord, reason: string): Promise<void> {
  const { inbox } = core.options;
  if (inbox === undefined) return;
  for (let index = 1; index <= record.approvals; index += 1)
    await inbox.withdraw(`${record.proposal.id}/${record.asked + index}`, reason);
}

export function digestOf(settings: ReviewSettings): ReviewDecision['policy'] {
  return settings.policy.type === 'policy' ? settings.policy.digest : null;
}

export function hasPolicy(settings: ReviewSettings): boolean {
  return settings.policy.type !== 'none';
}

export function reason(code: string, message: string, data: JsonObject = {}): Reason {
  return { code, message, data };
}
