import type { ReviewSettings } from './gate-types.ts';
import { POLICY_ACTOR } from './proposal.ts';

/** Why somebody may not decide a proposal by hand. */
export type DecideRefusal = 'reserved_actor' | 'not_pending' | 'forbidden_self_approval';

/**
 * Whether `approver` may approve by hand; `null` when they may. With any policy set, also a faulty one, proposers never
 * approve their own; without one, a trusted role or verified receipts allow it, protected page kinds excepted.
 */
export function mayApprove(
  settings: Pick<ReviewSettings, 'approverRole' | 'autoApproveOnReceipt'> & { readonly hasPolicy: boolean },
  proposal: { readonly kind: string; readonly status: string; readonly isOwn: boolean },
  facts: { readonly approver: string; readonly receiptsVerify: boolean; readonly protectedKind: boolean },
): DecideRefusal | null {
  if (facts.approver === POLICY_ACTOR) return 'reserved_actor';
  if (proposal.status !== 'pending') return 'not_pending';
  if (!proposal.isOwn) return null;
  if (settings.hasPolicy || facts.protectedKind) return 'forbidden_self_approval';
  if (settings.approverRole === 'trusted-agent') return null;
  const byReceipt = settings.autoApproveOnReceipt === true && proposal.kind === 'claim' && facts.receiptsVerify;
  return byReceipt ? null : 'forbidden_self_approval';
}
