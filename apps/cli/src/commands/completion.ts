import type { CommandModule } from '../cli/command.ts';
import { completionScript, isShell, shells } from '../cli/completion.ts';
import { exitCodes } from '../cli/exit-codes.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<shell>', shells.join(', ')),
  run: async ({ words, terminal, table }) => {
    const shell = words[0] ?? '';
    if (!isShell(shell)) {
      terminal.writeError(`No completion for '${shell}'; there is one for ${shells.join(', ')}.\n`);
      return exitCodes.usage;
    }
    terminal.write(await completionScript(shell, table));
    return exitCodes.ok;
  },
};
