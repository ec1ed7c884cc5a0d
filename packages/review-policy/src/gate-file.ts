import type { Cancel, JsonObject, Proposal, Reason, ReviewDecision, ReviewEvent, ReviewRecord } from '@warrant/core';
import { digest } from '@warrant/core';
import type { PolicyDecision } from './evaluate.ts';
import { carryOut, type Landing } from './gate-apply.ts';
import { proposalFaults } from './gate-check.ts';
import {
  askPeople,
  digestOf,
  type GateCore,
  hasPolicy,
  type Judged,
  judge,
  reason,
  retrying,
  withdrawQuestions,
} from './gate-core.ts';
import type { ReviewSettings } from './gate-types.ts';
import { POLICY_ACTOR } from './proposal.ts';
import { decisionOf, event, pendingRecord, proposalDigest, unstoredDecision } from './record.ts';

/** Checks, judges and stores one proposal; with `dryRun` only the event of the dry run is written. */
export async function fileProposal(
  core: GateCore,
  proposal: Proposal,
  options: { readonly dryRun?: boolean } & Cancel,
): Promise<ReviewDecision> {
  const faults = await proposalFaults(proposal, core.kinds(), core.registered);
  if (faults.length > 0) return unstoredDecision(proposal, 'invalid', { reasons: faults });
  options.signal?.throwIfAborted();
  const settings = await core.settings();
  const judged = await judge(core, settings, proposal);
  if (options.dryRun === true) return dryRun(core, settings, proposal, judged);
  const decision = await retrying(() => fileOnce(core, settings, proposal, judged));
  return decision;
}

/** What filing would do; nothing is written. */
export async function checkProposal(core: GateCore, proposal: Proposal): Promise<ReviewDecision> {
  const faults = await proposalFaults(proposal, core.kinds(), core.registered);
  if (faults.length > 0) return unstoredDecision(proposal, 'invalid', { reasons: faults });
  const settings = await core.settings();
  return previewOf(core, settings, proposal, await judge(core, settings, proposal));
}

function previewOf(core: GateCore, settings: ReviewSettings, proposal: Proposal, { verdict }: Judged): ReviewDecision {
  const held = verdict.action === 'auto_approve' ? heldBack(core, verdict, proposal) : null;
  return unstoredDecision(proposal, 'dry-run', {
    would: held === null ? verdict.would : 'queue',
    rule: verdict.rule,
    facts: verdict.facts,
    reasons: held === null ? verdictReasons(verdict) : [held, ...verdictReasons(verdict)],
    policy: digestOf(settings),
  });
}

async function dryRun(
  core: GateCore,
  settings: ReviewSettings,
  proposal: Proposal,
  judged: Judged,
): Promise<ReviewDecision> {
  const data = { policy_action: judged.verdict.action, policy_rule: judged.verdict.rule };
  const name = `proposal.${proposal.kind}.dry_run`;
  const events = [event(name, proposal.proposedBy, { at: core.now(), objectIds: [proposal.id], data, dryRun: true })];
  await core.options.store.commit({ id: proposal.id, expected: null, record: null, artifacts: [], events });
  return previewOf(core, settings, proposal, judged);
}

async function fileOnce(
  core: GateCore,
  settings: ReviewSettings,
  proposal: Proposal,
  judged: Judged,
): Promise<ReviewDecision | 'conflict'> {
  const existing = await core.options.store.read(proposal.id);
  if (existing !== undefined) return alreadyFiled(proposal, existing.record);
  const { verdict } = judged;
  if (verdict.action === 'block') return block(core, settings, proposal, verdict);
  const record = pendingRecord(proposal, verdict, {
    policy: digestOf(settings),
    context: judged.context as unknown as JsonObject,
  });
  const created = createdEvent(core, settings, record);
  if (verdict.action === 'auto_approve') {
    const held = heldBack(core, verdict, proposal);
    const landing: Landing = {
      by: POLICY_ACTOR,
      reason: verdict.reason,
      at: core.now(),
      auto: true,
      before: [created],
    };
    if (held === null) return carryOut(core, { record, expected: null }, landing);
    return queue(core, settings, { ...record, failure: [held] }, created);
  }
  return queue(core, settings, record, created);
}

function alreadyFiled(proposal: Proposal, record: ReviewRecord): ReviewDecision {
  if (proposalDigest(record.proposal) === proposalDigest(proposal)) return decisionOf(record);
  const reasons = [reason('review.id-reused', 'another proposal has this id', { id: proposal.id })];
  return unstoredDecision(proposal, 'invalid', { reasons });
}

async function block(
  core: GateCore,
  settings: ReviewSettings,
  proposal: Proposal,
  verdict: PolicyDecision,
): Promise<ReviewDecision> {
  const data = {
    policy_rule: verdict.rule,
    reason: verdict.reason,
    kind: proposal.kind,
    proposed_by: proposal.proposedBy,
    payload_digest: digest(proposal.payload),
    policy_digest: digestOf(settings),
  };
  const blocked = event('proposal.policy_blocked', POLICY_ACTOR, { at: core.now(), objectIds: [proposal.id], data });
  await core.options.store.commit({ id: proposal.id, expected: null, record: null, artifacts: [], events: [blocked] });
  return unstoredDecision(proposal, 'blocked', {
    rule: verdict.rule,
    facts: verdict.facts,
    reasons: [reason('review.policy-blocked', verdict.reason, { rule: verdict.rule })],
    policy: digestOf(settings),
  });
}

async function queue(
  core: GateCore,
  settings: ReviewSettings,
  record: ReviewRecord,
  created: ReviewEvent,
): Promise<ReviewDecision | 'conflict'> {
  const id = record.proposal.id;
  const result = await core.options.store.commit({ id, expected: null, record, artifacts: [], events: [created] });
  if (result.type !== 'committed') return 'conflict';
  await askPeople(core, settings, record);
  return decisionOf(record, record.failure.length > 0 ? record.failure : waitingReasons(settings, record));
}

function createdEvent(core: GateCore, settings: ReviewSettings, record: ReviewRecord): ReviewEvent {
  const { proposal } = record;
  const slug = proposal.payload['id'];
  const data: JsonObject = {
    ...(typeof slug === 'string' && { slug_hint: slug }),
    ...(hasPolicy(settings) && { policy_rule: record.rule, policy_digest: record.policy }),
  };
  return event(`proposal.${proposal.kind}.create`, proposal.proposedBy, {
    at: core.now(),
    objectIds: [proposal.id],
    data,
  });
}

// Deletions, superseding claims and page overwrites are never approved by a rule that does not name them.
function heldBack(core: GateCore, verdict: PolicyDecision, proposal: Proposal): Reason | null {
  if (core.options.floor === false || core.registered.has(proposal.kind)) return null;
  const named = (fact: string): boolean => verdict.facts.includes(fact);
  const namesKey = (key: string): boolean =>
    verdict.facts.some((fact) => fact.startsWith('payload_has=') && fact.slice(12).split('+').includes(key));
  const list = (key: string): boolean => {
    const value = proposal.payload[key];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  };
  const remedy = (missing: string): Reason => ({
    ...reason('review.needs-person', 'such changes land unattended only by a rule that names them', { missing }),
    remedy: { rule: missing },
  });
  if (proposal.kind === 'delete' && !named('kind=delete')) return remedy('kind: delete');
  if (proposal.kind === 'claim' && list('supersedes') && !namesKey('supersedes'))
    return remedy('payload_has: supersedes');
  if (proposal.kind === 'page' && list('replaces') && !namesKey('replaces')) return remedy('payload_has: replaces');
  return null;
}

function verdictReasons(verdict: PolicyDecision): readonly Reason[] {
  const base = reason('review.policy', verdict.reason, { rule: verdict.rule, action: verdict.action });
  const faults = verdict.faults.map((fault) =>
    reason('review.policy-invalid', `${fault.code} at ${fault.path}`, { ...fault }),
  );
  const unknown = verdict.unknown.map((type) =>
    reason('policy.condition-error', `the condition ${type} could not be evaluated`, { condition: type }),
  );
  return [base, ...faults, ...unknown];
}

function waitingReasons(settings: ReviewSettings, record: ReviewRecord): readonly Reason[] {
  const waiting = decisionOf(record).reasons;
  if (settings.policy.type !== 'invalid') return waiting;
  const faults = settings.policy.faults.map((fault) => ({ code: fault.code, path: fault.path }));
  return [...waiting, reason('review.policy-invalid', 'review.policy is invalid', { faults })];
}

/** Files each for itself. */
export async function fileBatch(
  core: GateCore,
  proposals: readonly Proposal[],
  options: { readonly dryRun?: boolean } & Cancel,
): Promise<readonly ReviewDecision[]> {
  const decisions: ReviewDecision[] = [];
  for (const proposal of proposals) {
    options.signal?.throwIfAborted();
    decisions.push(await fileProposal(core, proposal, options));
  }
  return decisions;
}

/** Judges a changed payload of a waiting proposal again; the old one stays when the new one is refused. */
export async function updateProposal(
  core: GateCore,
  change: {
    readonly proposalId: string;
    readonly payload: JsonObject;
    readonly by: string;
    readonly rationale?: string;
  },
): Promise<ReviewDecision> {
  return retrying(async () => {
    const current = await core.options.store.read(change.proposalId);
    const missing = { id: change.proposalId, kind: '', proposedBy: change.by, proposedAt: '', payload: {} };
    if (current === undefined) {
      const reasons = [reason('review.unknown-proposal', 'there is no such proposal', { id: change.proposalId })];
      return unstoredDecision(missing, 'invalid', { reasons });
    }
    const { record, version } = current;
    const refusal = updateRefusal(record, change.by);
    if (refusal !== null) return decisionOf(record, [refusal]);
    const proposal: Proposal = {
      ...record.proposal,
      payload: change.payload,
      ...(change.rationale !== undefined && { rationale: change.rationale }),
    };
    const faults = await proposalFaults(proposal, core.kinds(), core.registered);
    if (faults.length > 0) return unstoredDecision(proposal, 'invalid', { reasons: faults });
    return updateOnce(core, { record, version }, proposal);
  });
}

function updateRefusal(record: ReviewRecord, by: string): Reason | null {
  if (record.status !== 'pending' || record.approval !== null) {
    return reason('review.not-pending', 'the proposal is decided', { status: record.status });
  }
  if (record.proposal.proposedBy === by) return null;
  return reason('review.not-proposer', 'only the proposer may change a proposal', { by });
}

async function updateOnce(
  core: GateCore,
  current: { readonly record: ReviewRecord; readonly version: string },
  proposal: Proposal,
): Promise<ReviewDecision | 'conflict'> {
  const settings = await core.settings();
  const judged = await judge(core, settings, proposal);
  const before = proposalDigest(current.record.proposal);
  const after = proposalDigest(proposal);
  const isSame = before === after;
  const data = {
    before,
    after,
    votes_kept: isSame,
    policy_rule: judged.verdict.rule,
    policy_action: judged.verdict.action,
  };
  const updated = event('proposal.update', proposal.proposedBy, { at: core.now(), objectIds: [proposal.id], data });
  if (judged.verdict.action === 'block') return block(core, settings, proposal, judged.verdict);
  const fresh = pendingRecord(proposal, judged.verdict, {
    policy: digestOf(settings),
    context: judged.context as unknown as JsonObject,
  });
  const asked =
    current.record.asked + (isSame && fresh.approvals === current.record.approvals ? 0 : current.record.approvals);
  const record = { ...fresh, asked, votes: isSame ? current.record.votes : [] };
  if (judged.verdict.action === 'auto_approve' && heldBack(core, judged.verdict, proposal) === null) {
    const landing: Landing = {
      by: POLICY_ACTOR,
      reason: judged.verdict.reason,
      at: core.now(),
      auto: true,
      before: [updated],
    };
    const landed = await carryOut(core, { record, expected: current.version }, landing);
    if (landed !== 'conflict') await withdrawQuestions(core, current.record, 'changed');
    return landed;
  }
  const change = { id: proposal.id, expected: current.version, record, artifacts: [], events: [updated] };
  const result = await core.options.store.commit(change);
  if (result.type !== 'committed') return 'conflict';
  if (asked !== current.record.asked) await withdrawQuestions(core, current.record, 'changed');
  await askPeople(core, settings, record);
  return decisionOf(record);
}
