import { resolve } from 'node:path';
import { importFile } from '@warrant/journal/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<file>', 'an export (JSONL)'),
  run: (call) =>
    withWorkspace(call, async ({ journal }) => {
      const progress = createProgress(call.terminal);
      const file = resolve(call.terminal.directory, call.words[0] ?? '');
      const imported = await importFile(journal, file, { onProgress: ({ lines }) => progress.show(`${lines} lines`) });
      progress.done();
      const lines = imported.problems.map((problem) => `${file}:${problem.line}: ${problem.kind}: ${problem.message}`);
      print(
        call,
        imported,
        [
          ...lines,
          `${imported.entries} entries and ${imported.forks} forks taken over, ${imported.problemCount} lines not`,
        ].join('\n'),
      );
      return imported.problemCount === 0 ? exitCodes.ok : exitCodes.no;
    }),
};
