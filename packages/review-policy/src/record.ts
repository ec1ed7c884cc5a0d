import {
  digest,
  type Json,
  type JsonObject,
  type Proposal,
  type Reason,
  type ReviewDecision,
  type ReviewEvent,
  type ReviewRecord,
} from '@warrant/core';
import type { PolicyDecision } from './evaluate.ts';
import { POLICY_ACTOR } from './proposal.ts';

/** The actor of expiries, as vouch names it. */
export const EXPIRE_ACTOR = 'vouch-expire';

/** The digest that votes and questions are bound to: what would land, and for whom. Key order and number spelling do not matter. */
export function proposalDigest(proposal: Proposal): ReviewDecision['proposal'] {
  return digest({
    id: proposal.id,
    kind: proposal.kind,
    proposedBy: proposal.proposedBy,
    payload: proposal.payload,
    rationale: proposal.rationale ?? null,
  } satisfies JsonObject as Json);
}

/** The record of a proposal that waits. */
export function pendingRecord(
  proposal: Proposal,
  verdict: PolicyDecision,
  rest: Pick<ReviewRecord, 'policy' | 'context'>,
): ReviewRecord {
  return {
    proposal,
    status: 'pending',
    decidedAt: null,
    decidedBy: null,
    decisionReason: null,
    autoApproved: false,
    rule: verdict.rule,
    policy: rest.policy,
    facts: verdict.facts,
    context: rest.context,
    votes: [],
    approvals: verdict.quorum?.approvals ?? 1,
    asked: 0,
    approval: null,
    failure: [],
  };
}

/** What a stored record says about its proposal. */
export function decisionOf(record: ReviewRecord, reasons: readonly Reason[] = record.failure): ReviewDecision {
  const type = typeOf(record);
  return {
    type,
    proposalId: record.proposal.id,
    proposal: proposalDigest(record.proposal),
    would: type === 'approved' ? 'approve' : type === 'queued' ? 'queue' : 'refuse',
    decidedBy: record.decidedBy,
    votes: record.votes,
    applied: record.status === 'approved' ? 'yes' : record.failure.length > 0 ? 'failed' : 'no',
    rule: record.rule,
    facts: record.facts,
    reasons: reasons.length > 0 ? reasons : reasonsOf(record),
    policy: record.policy,
  };
}

function typeOf(record: ReviewRecord): ReviewDecision['type'] {
  if (record.status === 'approved') return 'approved';
  if (record.status === 'pending') return 'queued';
  return record.decidedBy === EXPIRE_ACTOR ? 'expired' : 'rejected';
}

function reasonsOf(record: ReviewRecord): readonly Reason[] {
  if (record.decisionReason === null) {
    if (record.status !== 'pending') return [];
    const data = { votes: record.votes.length, approvals: record.approvals };
    return [{ code: 'review.waiting', message: `${data.votes} of ${data.approvals} approvals`, data }];
  }
  return [{ code: 'review.decided', message: record.decisionReason, data: { rule: record.rule } }];
}

/** A decision about a proposal of which nothing is stored. */
export function unstoredDecision(
  proposal: Proposal,
  type: 'blocked' | 'invalid' | 'dry-run',
  rest: Partial<ReviewDecision> & { readonly reasons: readonly Reason[] },
): ReviewDecision {
  return {
    proposalId: proposal.id,
    proposal: type === 'invalid' ? EMPTY_DIGEST : proposalDigest(proposal),
    would: 'refuse',
    decidedBy: type === 'blocked' ? POLICY_ACTOR : null,
    votes: [],
    applied: 'no',
    rule: null,
    facts: [],
    policy: null,
    ...rest,
    type,
  };
}

// What is not a proposal has no digest of its own: it may not even be JSON.
const EMPTY_DIGEST: ReviewDecision['proposal'] = digest(null);

/** An event of the audit log. */
export function event(
  name: string,
  actor: string,
  rest: {
    readonly at: string;
    readonly objectIds: readonly string[];
    readonly data: JsonObject;
    readonly dryRun?: boolean;
  },
): ReviewEvent {
  return { event: name, actor, at: rest.at, objectIds: rest.objectIds, data: rest.data, dryRun: rest.dryRun === true };
}
