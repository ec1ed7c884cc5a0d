import { renderExplanation } from '@warrant/review-policy';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { findProposal, readPolicyFile } from '../review/input.ts';

type Options = DeskOptions & { readonly policy?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command)
      .argument('<proposal>', 'a file in the form of a proposal, or the id of one in the queue')
      .option('--policy <file>', 'explain by this policy instead of the one in force'),
  run: (call) =>
    atDesk(
      call,
      async ({ gate }) => {
        const [what = ''] = call.words;
        const { directory } = call.terminal;
        const found = await findProposal(gate, directory, what);
        if (found.type === 'missing') {
          return refuse(call, exitCodes.missing, 'CLI_PROPOSAL_UNKNOWN', `There is no file or proposal ${what}.`);
        }
        const { policy: file } = call.options;
        const policy = file === undefined ? undefined : await readPolicyFile(directory, file);
        const explained =
          found.type === 'invalid'
            ? ({ type: 'invalid-proposal', paths: found.paths } as const)
            : await gate.explain(found.proposal, policy);
        print(call, explained, renderExplanation(explained));
        return explained.type === 'explained' ? exitCodes.ok : exitCodes.usage;
      },
      { readOnly: true },
    ),
};
