import type { ReviewDecision } from '@warrant/core';
import { type CommandCall, paint } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import type { ReviewDesk } from './desk.ts';

/** A decision about one proposal as it is printed. */
export type VoteResult = {
  readonly id: string;
  readonly type: ReviewDecision['type'] | 'missing';
  readonly rule: string | null;
  readonly reasons: ReviewDecision['reasons'];
  readonly exit: ExitCode;
};

/** Takes one vote; it is bound to `seen`, or else to the proposal as it stands. */
export async function vote(
  desk: ReviewDesk,
  id: string,
  how: { readonly choice: 'approve' | 'reject'; readonly reason?: string; readonly seen?: string },
): Promise<VoteResult> {
  const status = await desk.gate.status(id);
  if (status === undefined) return { id, type: 'missing', rule: null, reasons: [], exit: exitCodes.missing };
  const decision = await desk.gate.decide({
    proposalId: id,
    proposal: (how.seen ?? status.proposal) as ReviewDecision['proposal'],
    choice: how.choice,
    by: desk.person,
    ...(how.reason === undefined ? {} : { reason: how.reason }),
  });
  return {
    id,
    type: decision.type,
    rule: decision.rule,
    reasons: decision.reasons,
    exit: exitOf(decision, how.choice),
  };
}

function exitOf(decision: ReviewDecision, choice: 'approve' | 'reject'): ExitCode {
  const wanted = choice === 'approve' ? 'approved' : 'rejected';
  const isRefused = decision.reasons.some((reason) => reason.code === 'review.not-pending');
  if (decision.type === wanted && !isRefused) return exitCodes.ok;
  const waits = decision.type === 'queued' && decision.reasons.every((reason) => reason.code === 'review.waiting');
  return waits ? exitCodes.pending : exitCodes.no;
}

/** `id: approved`, or why not. */
export function voteLine(call: CommandCall, result: VoteResult): string {
  if (result.type === 'missing') return `${result.id}: there is no such proposal`;
  const isDone = result.exit === exitCodes.ok;
  const why = isDone ? '' : `: ${result.reasons.map((reason) => reason.message).join('; ')}`;
  return `${result.id}: ${paint(call, isDone ? 'green' : 'yellow', result.type)}${why}`;
}

/** The worst of the exits: a file that failed, a missing one, a no, a wait. */
export function worst(results: readonly { readonly exit: ExitCode }[]): ExitCode {
  const order: readonly ExitCode[] = [exitCodes.missing, exitCodes.no, exitCodes.pending];
  return order.find((code) => results.some((result) => result.exit === code)) ?? exitCodes.ok;
}
