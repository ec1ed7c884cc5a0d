import { resolve } from 'node:path';
import { archiveJournal } from '@warrant/journal/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { withSealProgress } from '../journal/seal-progress.ts';

type Options = { readonly before: string; readonly folder?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .requiredOption('--before <time>', 'move sealed entries older than this, ISO-8601')
      .option('--folder <folder>', 'where segments go (default: .warrant/archive)'),
  run: (call) =>
    withWorkspace(call, async ({ journal, paths }) => {
      const progress = createProgress(call.terminal);
      const folder =
        call.options.folder === undefined
          ? resolve(paths.folder, 'archive')
          : resolve(call.terminal.directory, call.options.folder);
      await withSealProgress(call.terminal, (onProgress) => journal.seal({ onProgress }));
      const archived = await archiveJournal(journal, {
        folder,
        before: call.options.before,
        onProgress: ({ entries }) => progress.show(`${entries} entries`),
      });
      progress.done();
      const lines = archived.segments.map(
        (segment) => `${segment.path}  leaves ${segment.from} to ${segment.to}, ${segment.bytes} bytes`,
      );
      print(
        call,
        archived,
        [...lines, `${archived.entries} entries moved out; proofs over them still verify`].join('\n'),
      );
      return exitCodes.ok;
    }),
};
