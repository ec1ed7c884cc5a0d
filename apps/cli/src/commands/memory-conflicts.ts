import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { conflictLine } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly all?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) => void withMemoryOptions(command).option('--all', 'resolved ones too'),
  run: (call) =>
    withMemory(call, async ({ human }) => {
      const conflicts = await human.conflicts(call.options.all === true ? undefined : 'open');
      const lines = conflicts.map((conflict) => conflictLine(call, conflict));
      print(call, conflicts, lines.length === 0 ? 'No conflicts.' : lines.join('\n'));
      return exitCodes.ok;
    }),
};
