import type { Proposal, ProposalKind, ReviewDecision, Reviewer } from '@warrant/core';
import { digest, type Json } from '@warrant/core';

/** A review queue in this process's memory: nobody approves their own, votes are bound to the digest. */
export function queueReviewer(): Reviewer & { readonly proposals: readonly Proposal[] } {
  const kinds = new Map<string, ProposalKind>();
  const waiting = new Map<string, { readonly proposal: Proposal; decision: ReviewDecision }>();
  const decisionOf = (proposal: Proposal, more: Partial<ReviewDecision> = {}): ReviewDecision => ({
    type: 'queued',
    proposalId: proposal.id,
    proposal: digest(proposal as unknown as Json),
    would: 'queue',
    decidedBy: null,
    votes: [],
    applied: 'no',
    rule: null,
    facts: [],
    reasons: [],
    policy: null,
    ...more,
  });
  return {
    get proposals() {
      return [...waiting.values()].map(({ proposal }) => proposal);
    },
    register: (kind) => void kinds.set(kind.kind, kind),
    file: async (proposal) => {
      const faults = (await kinds.get(proposal.kind)?.check(proposal.payload)) ?? [];
      if (faults.length > 0) return decisionOf(proposal, { type: 'invalid', reasons: faults });
      const decision = decisionOf(proposal);
      waiting.set(proposal.id, { proposal, decision });
      return decision;
    },
    decide: async ({ proposalId, proposal: bound, choice, by }) => {
      const item = waiting.get(proposalId);
      if (item === undefined || item.decision.type !== 'queued' || item.decision.proposal !== bound)
        return { ...decisionOf({ id: proposalId } as Proposal), type: 'invalid' };
      if (by === item.proposal.proposedBy)
        return { ...item.decision, reasons: [{ code: 'review.own', message: 'own', data: {} }] };
      if (choice === 'reject') {
        item.decision = { ...item.decision, type: 'rejected', decidedBy: by };
        return item.decision;
      }
      const result = await kinds
        .get(item.proposal.kind)
        ?.apply(item.proposal, { by, at: item.proposal.proposedAt, auto: false });
      if (result?.type !== 'applied') return { ...item.decision, applied: 'failed', reasons: result?.reasons ?? [] };
      item.decision = { ...item.decision, type: 'approved', decidedBy: by, applied: 'yes' };
      return item.decision;
    },
    status: async (id) => waiting.get(id)?.decision,
    list: async function* ({ type, kind } = {}) {
      for (const item of waiting.values())
        if ((type === undefined || item.decision.type === type) && (kind === undefined || item.proposal.kind === kind))
          yield item;
    },
  };
}

/** Votes for a proposal as it stands. */
export async function vote(
  reviewer: Reviewer,
  proposalId: string,
  by: string,
  choice: 'approve' | 'reject' = 'approve',
): Promise<ReviewDecision> {
  const seen = await reviewer.status(proposalId);
  return reviewer.decide({ proposalId, proposal: seen?.proposal ?? 'sha256:0', choice, by });
}
