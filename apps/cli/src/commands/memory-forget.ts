import type { Forgotten } from '@warrant/memory';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly yes?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command).argument('<subject>', 'whom to forget').option('--yes', 'without asking'),
  run: (call) =>
    withMemory(call, async ({ human }) => {
      const [subject = ''] = call.words;
      const answer =
        call.options.yes === true
          ? subject
          : await call.terminal.ask(`Everything about ${subject} will be erased for good. Type the name again: `);
      if (answer?.trim() !== subject) return refuse(call, exitCodes.usage, 'CLI_NOT_CONFIRMED', 'Nothing was erased.');
      const forgotten = await human.forget(subject);
      print(call, forgotten, textOf(forgotten));
      return exitCodes.ok;
    }),
};

function textOf({ covered, notCovered }: Forgotten): string {
  return [
    ...covered.map(({ place, count }) => `erased: ${count} ${place}`),
    ...notCovered.map((place) => `not covered: ${place}`),
  ].join('\n');
}
