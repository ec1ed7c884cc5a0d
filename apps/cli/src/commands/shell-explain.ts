import { resolve } from 'node:path';
import { analyzeCommand, renderAnalysis } from '@warrant/shell';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { analyzeOptions } from '../shell/options.ts';

type Options = { readonly ascii?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<command...>', "the command line, in quotes, such as 'rm -rf build'")
      .option('--ascii', 'only ASCII signs'),
  run: async (call) => {
    const directory = resolve(call.terminal.directory, call.options.directory ?? '.');
    const analysis = analyzeCommand(call.words.join(' '), await analyzeOptions(directory));
    print(
      call,
      analysis,
      renderAnalysis(analysis, { colour: call.terminal.colour, ascii: call.options.ascii === true }),
    );
    return analysis.class === 'unknown' ? exitCodes.no : exitCodes.ok;
  },
};
