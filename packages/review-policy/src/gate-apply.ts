import type { ProposalApproval, Reason, ReviewDecision, ReviewEvent, ReviewRecord } from '@warrant/core';
import { askPeople, digestOf, type GateCore, plan, reason, withdrawQuestions } from './gate-core.ts';
import type { ReviewKind } from './gate-types.ts';
import { decisionOf, event, proposalDigest } from './record.ts';

/** An approval that is to be carried out. */
export type Landing = {
  readonly by: string;
  readonly reason: string | null;
  readonly at: string;
  readonly auto: boolean;
  /** Events that belong before those of the approval. */
  readonly before: readonly ReviewEvent[];
};

type Target = { readonly record: ReviewRecord; readonly expected: string | null };

/**
 * Lands an approved proposal. Knowledge is written in the same commit as the decision. Other kinds are applied between
 * two commits: the first says what is going on, so that a restart can finish it; until the second the proposal is pending.
 */
export async function carryOut(core: GateCore, target: Target, landing: Landing): Promise<ReviewDecision | 'conflict'> {
  const kind = core.registered.get(target.record.proposal.kind);
  if (kind !== undefined) return carryOutElsewhere(core, target, landing, kind);
  const { proposal } = target.record;
  const planned = await plan(core, proposal, landing);
  if (planned.type === 'refused') return stayPending(core, target, landing, planned.reasons);
  const record = approvedRecord(target.record, landing);
  const events = [...landing.before, ...(await approvedEvents(core, record, landing, planned.artifactId))];
  const change = { id: proposal.id, expected: target.expected, record, artifacts: planned.changes, events };
  const result = await core.options.store.commit(change);
  if (result.type === 'conflict') return 'conflict';
  if (result.type === 'artifact-conflict') {
    const data = { kind: result.kind, id: result.id };
    return stayPending(core, target, landing, [
      reason('review.artifact-exists', 'the artifact is there already', data),
    ]);
  }
  await withdrawQuestions(core, record, 'approved');
  return decisionOf(record);
}

async function carryOutElsewhere(
  core: GateCore,
  target: Target,
  landing: Landing,
  kind: ReviewKind,
): Promise<ReviewDecision | 'conflict'> {
  const { by, reason: why, at, auto } = landing;
  const started: ReviewRecord = { ...target.record, approval: { by, reason: why, at, auto }, failure: [] };
  const { id } = target.record.proposal;
  const begun = await core.options.store.commit({
    id,
    expected: target.expected,
    record: started,
    artifacts: [],
    events: landing.before,
  });
  if (begun.type !== 'committed') return 'conflict';
  return finish(core, { record: started, expected: begun.version }, kind);
}

/** Applies what was approved before and records the end of it; also after a restart, since applying twice changes nothing. */
export async function finish(core: GateCore, target: Target, kind: ReviewKind): Promise<ReviewDecision | 'conflict'> {
  const { record } = target;
  const { approval } = record;
  if (approval === null) return decisionOf(record);
  const landing: Landing = { ...approval, before: [] };
  const { by, at, auto } = approval;
  const outcome = await applied(kind, record, { by, at, auto });
  if (outcome.length > 0) return stayPending(core, target, landing, outcome);
  const done = approvedRecord(record, landing);
  const events = await approvedEvents(core, done, landing, record.proposal.id);
  const change = { id: record.proposal.id, expected: target.expected, record: done, artifacts: [], events };
  const result = await core.options.store.commit(change);
  if (result.type !== 'committed') return 'conflict';
  await withdrawQuestions(core, done, 'approved');
  return decisionOf(done);
}

async function applied(kind: ReviewKind, record: ReviewRecord, approval: ProposalApproval): Promise<readonly Reason[]> {
  const result = await kind.apply(record.proposal, approval);
  if (result.type === 'applied') return [];
  return result.reasons.length > 0 ? result.reasons : [reason('review.apply-refused', 'the kind refused to apply it')];
}

// Approval without effect is no approval: the proposal waits on and says why.
async function stayPending(
  core: GateCore,
  target: Target,
  landing: Landing,
  failure: readonly Reason[],
): Promise<ReviewDecision | 'conflict'> {
  const record: ReviewRecord = { ...withoutVote(target.record, landing), approval: null, failure };
  const { proposal } = record;
  const data = { reason: failure[0]?.message ?? null, code: failure[0]?.code ?? null, policy_rule: record.rule };
  const failed = event('proposal.apply_failed', landing.by, { at: core.now(), objectIds: [proposal.id], data });
  const change = {
    id: proposal.id,
    expected: target.expected,
    record,
    artifacts: [],
    events: [...landing.before, failed],
  };
  const result = await core.options.store.commit(change);
  if (result.type !== 'committed') return 'conflict';
  await askPeople(core, await core.settings(), record);
  return decisionOf(record);
}

// The vote that led nowhere is given back, so that the same person can approve once the cause is gone; its question is used up.
function withoutVote(record: ReviewRecord, { auto, by }: Landing): ReviewRecord {
  const votes = auto ? record.votes : record.votes.filter((vote) => vote.answeredBy !== by);
  return { ...record, votes, asked: record.asked + record.votes.length - votes.length };
}

function approvedRecord(record: ReviewRecord, landing: Landing): ReviewRecord {
  return {
    ...record,
    status: 'approved',
    decidedAt: landing.at,
    decidedBy: landing.by,
    decisionReason: landing.reason,
    autoApproved: landing.auto,
    approval: null,
    failure: [],
  };
}

async function approvedEvents(
  core: GateCore,
  record: ReviewRecord,
  landing: Landing,
  artifactId: string,
): Promise<readonly ReviewEvent[]> {
  const { proposal } = record;
  const rule = landing.auto ? record.rule : null;
  const objectIds = [proposal.id, ...(artifactId === proposal.id ? [] : [artifactId])];
  const settings = await core.settings();
  const approve = event(`proposal.${proposal.kind}.approve`, landing.by, {
    at: landing.at,
    objectIds,
    data: {
      reason: landing.reason,
      policy_rule: rule,
      policy_digest: record.policy ?? digestOf(settings),
      proposal_digest: proposalDigest(proposal),
    },
  });
  if (!landing.auto) return [approve];
  const data = { policy_rule: rule, reason: landing.reason, policy_digest: record.policy };
  return [approve, event('proposal.auto_approved', landing.by, { at: landing.at, objectIds, data })];
}
