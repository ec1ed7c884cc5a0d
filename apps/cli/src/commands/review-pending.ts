import type { Proposal, ReviewDecision } from '@warrant/core';
import { renderPending } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { atDesk, type DeskOptions, type ReviewDesk, withDeskOptions } from '../review/desk.ts';

type Options = DeskOptions & { readonly showRule?: boolean };
type Waiting = {
  readonly proposal: Proposal;
  readonly decision: ReviewDecision;
  /** The rule was not recorded when it was filed. */
  readonly judgedNow: boolean;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command).option(
      '--show-rule',
      'also the rule that lets each wait; judged now where none is on record',
    ),
  run: (call) =>
    atDesk(
      call,
      async (desk) => {
        const showRule = call.options.showRule === true;
        const items: Waiting[] = [];
        for await (const item of desk.gate.list({ type: 'queued' })) {
          items.push(showRule ? await withRule(desk, item) : { ...item, judgedNow: false });
        }
        const text = items.map((item) => line(item, showRule)).join('');
        const rows = items.map((item) => row(item, showRule));
        print(call, rows, items.length === 0 ? 'Nothing waits.' : text);
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};

/** What was filed before there was a policy, or by vouch itself, carries no rule. */
async function withRule(desk: ReviewDesk, item: Omit<Waiting, 'judgedNow'>): Promise<Waiting> {
  const { policy } = await desk.gate.settings();
  if (item.decision.policy !== null || policy.type !== 'policy') return { ...item, judgedNow: false };
  const explained = await desk.gate.explain(item.proposal);
  if (explained.type === 'invalid-proposal') return { ...item, judgedNow: false };
  return { ...item, decision: { ...item.decision, rule: explained.decision.rule }, judgedNow: true };
}

function line(item: Waiting, showRule: boolean): string {
  const text = renderPending(item, { showRule });
  return item.judgedNow ? `${text.trimEnd()}  (judged now)\n` : text;
}

function row({ proposal, decision, judgedNow }: Waiting, showRule: boolean): object {
  return {
    id: proposal.id,
    kind: proposal.kind,
    proposed_by: proposal.proposedBy,
    proposed_at: proposal.proposedAt,
    ...(showRule && { policy_rule: decision.rule, judged_now: judgedNow }),
    reasons: decision.reasons.map((reason) => reason.message),
  };
}
