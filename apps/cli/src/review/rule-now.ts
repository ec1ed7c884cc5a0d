import type { Proposal, ReviewDecision } from '@warrant/core';
import type { ReviewDesk } from './desk.ts';

/** A proposal of the queue; `judgedNow`: no rule is on record for it, this is the one that would decide now. */
export type WithRule = {
  readonly proposal: Proposal;
  readonly decision: ReviewDecision;
  readonly judgedNow: boolean;
};

/** What was filed before there was a policy, or by vouch itself, carries no rule. */
export async function withRule(
  { gate }: ReviewDesk,
  item: { readonly proposal: Proposal; readonly decision: ReviewDecision },
): Promise<WithRule> {
  const { policy } = await gate.settings();
  const isOpen = item.decision.type === 'queued' && item.decision.policy === null && policy.type === 'policy';
  const explained = isOpen ? await gate.explain(item.proposal) : undefined;
  if (!isOpen || explained?.type !== 'explained') return { ...item, judgedNow: false };
  const decision = { ...item.decision, rule: explained.decision.rule, policy: policy.digest };
  return { ...item, decision, judgedNow: true };
}
