import { renderRecheck } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { readPolicyFile } from '../review/input.ts';

type Options = DeskOptions & { readonly policy: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command).requiredOption('--policy <file>', 'the policy that past decisions are made again by'),
  run: (call) =>
    atDesk(
      call,
      async ({ gate }) => {
        const policy = await readPolicyFile(call.terminal.directory, call.options.policy);
        if (policy.type === 'invalid') {
          const faults = policy.faults.map((fault) => `${fault.code} ${fault.path}`);
          return refuse(call, exitCodes.usage, 'CLI_POLICY_INVALID', `The policy is invalid: ${faults.join(', ')}`);
        }
        const items = await gate.recheck(policy);
        print(call, items, renderRecheck(items));
        return items.every((item) => item.same) ? exitCodes.ok : exitCodes.no;
      },
      { readOnly: true },
    ),
};
