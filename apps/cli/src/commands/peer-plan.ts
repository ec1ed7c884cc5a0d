import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { planBundle } from '@warrant/peers';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { describeReasons } from '../learn/describe.ts';
import { peerPlanText } from '../peers/plan-text.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<bundle>', 'a bundle file'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ peers }) => {
        const text = await readFile(resolve(call.terminal.directory, call.words[0] ?? ''), 'utf8');
        const plan = await planBundle(peers, text);
        if (plan.type === 'refused') {
          print(call, plan, `Refused:\n${describeReasons(plan.reasons)}`);
          return exitCodes.no;
        }
        if (plan.type === 'duplicate') {
          print(call, plan, `This bundle of ${plan.peer} was imported already.`);
          return exitCodes.ok;
        }
        const { changesAt: _, ...shown } = plan;
        print(call, shown, `${peerPlanText(call, plan)}\nNothing was changed; \`warrant peer import\` proposes it.`);
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
