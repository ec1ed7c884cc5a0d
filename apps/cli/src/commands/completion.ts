import { type CommandModule, print } from '../cli/command.ts';
import { completionScript, isShell, shells } from '../cli/completion.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<shell>', shells.join(', ')),
  run: async (call) => {
    const { words, table } = call;
    const shell = words[0] ?? '';
    if (!isShell(shell)) {
      const message = `No completion for '${shell}'; there is one for ${shells.join(', ')}.`;
      return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
    }
    const script = await completionScript(shell, table);
    print(call, { shell, script }, script);
    return exitCodes.ok;
  },
};
