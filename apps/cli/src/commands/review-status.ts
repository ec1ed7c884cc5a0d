import { renderCounts } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';

export const command: CommandModule<DeskOptions> = {
  configure: (command) => void withDeskOptions(command),
  run: (call) =>
    atDesk(
      call,
      async ({ gate, base }) => {
        const counts = await gate.counts();
        const skipped = (await base?.skipped()) ?? [];
        const chain = await base?.verify();
        const lines = [
          ...skipped.map(({ file, reason }) => `skipped: ${JSON.stringify(file)}: ${reason}\n`),
          ...(chain === undefined || chain.ok ? [] : [`audit log: line ${chain.line}: ${chain.reason}\n`]),
        ];
        const json = {
          pending: counts.pending,
          approved: counts.approved,
          rejected: counts.rejected,
          auto_approved_today: counts.autoApprovedToday,
          blocked_today: counts.blockedToday,
          policy: counts.policy,
          ...(base !== undefined && { skipped, audit: chain }),
        };
        print(call, json, `${renderCounts(counts)}${lines.join('')}`);
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
