import { renderPending } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { type WithRule, withRule } from '../review/rule-now.ts';

type Options = DeskOptions & { readonly showRule?: boolean };
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
        const items: WithRule[] = [];
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

function line(item: WithRule, showRule: boolean): string {
  const text = renderPending(item, { showRule });
  return item.judgedNow ? `${text.trimEnd()}  (judged now)\n` : text;
}

function row({ proposal, decision, judgedNow }: WithRule, showRule: boolean): object {
  return {
    id: proposal.id,
    kind: proposal.kind,
    proposed_by: proposal.proposedBy,
    proposed_at: proposal.proposedAt,
    ...(showRule && { policy_rule: decision.rule, judged_now: judgedNow }),
    reasons: decision.reasons.map((reason) => reason.message),
  };
}
