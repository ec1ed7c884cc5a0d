import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { viewJson, viewOf, viewText } from '../review/view.ts';

export const command: CommandModule<DeskOptions> = {
  configure: (command) => void withDeskOptions(command).argument('<id>', 'the proposal'),
  run: (call) =>
    atDesk(
      call,
      async (desk) => {
        const [id = ''] = call.words;
        const found = await desk.gate.find(id);
        if (found === undefined) {
          return refuse(call, exitCodes.missing, 'CLI_PROPOSAL_UNKNOWN', `There is no proposal ${id}.`);
        }
        const view = await viewOf(desk, found);
        print(call, viewJson(view), viewText(call, view));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
