import { MODES } from '@warrant/adapter-claude-agent';
import type { CommandModule } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { runHook } from '../hook/run-hook.ts';
import { meantWords } from '../hook/unread-words.ts';
import { hookEndCode } from '../start/hook-end-code.ts';

/** A word that lacks its value is `true`. */
type Options = { readonly mode: string | true; readonly from: string | true };

export const command: CommandModule<Options> = {
  // Whatever cannot be read, a hook that only watches stands in no way.
  usageExit: (words) => (hookEndCode(['hook', 'claude-code', ...words]) === 0 ? exitCodes.ok : exitCodes.usage),
  configure: (command) =>
    void command
      .option('--mode [mode]', `${MODES.join(', ')}: what happens where a layer refuses`, 'observe')
      .option('--from [place]', 'where this hook is installed; tells two of them apart', 'default')
      .allowUnknownOption()
      .allowExcessArguments(),
  run: async (call) => {
    const { mode: given, from, directory } = call.options;
    const { environment } = call.terminal;
    const input = await call.terminal.readInput();
    const told = { input, source: from === true ? 'default' : from, directory, environment };
    const { mode, unread } = await meantWords({ mode: given, others: call.words }, told);
    if (mode === null || (unread !== null && mode !== 'observe')) {
      return refuse(call, exitCodes.usage, 'CLI_USAGE', `Warrant: ${unread}.`);
    }
    if (unread !== null) call.terminal.writeError(`Warrant: ${unread}; it only watches\n`);
    const { code, out, error } = await runHook({ ...told, mode });
    if (error !== '') call.terminal.writeError(error);
    if (out !== '') call.terminal.write(out);
    return code === 0 ? exitCodes.ok : exitCodes.usage;
  },
};
