import type { Mode } from '@warrant/adapter-claude-agent';
import type { CommandModule } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { runHook } from '../hook/run-hook.ts';

type Options = { readonly mode: string; readonly from: string };

const MODES: readonly string[] = ['observe', 'ask', 'enforce'] satisfies readonly Mode[];

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--mode <mode>', `${MODES.join(', ')}: what happens where a layer refuses`, 'observe')
      .option('--from <place>', 'where this hook is installed; tells two of them apart', 'default'),
  run: async (call) => {
    const { mode, from, directory } = call.options;
    if (!MODES.includes(mode)) return refuse(call, exitCodes.usage, 'CLI_USAGE', `There is no mode '${mode}'.`);
    const input = await call.terminal.readInput();
    const { environment } = call.terminal;
    const { code, out, error } = await runHook({ input, mode: mode as Mode, source: from, directory, environment });
    if (error !== '') call.terminal.writeError(error);
    if (out !== '') call.terminal.write(out);
    return code === 0 ? exitCodes.ok : exitCodes.usage;
  },
};
