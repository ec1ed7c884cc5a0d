import { resolve } from 'node:path';
import { exportJsonl } from '@warrant/journal';
import { exportFile } from '@warrant/journal/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly stream?: readonly string[]; readonly output?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--stream <name...>', 'only these streams (default: all)')
      .option('-o, --output <file>', 'write to a file instead of printing'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const { stream, output } = call.options;
        const streams = stream === undefined ? {} : { streams: stream };
        if (output === undefined) {
          for await (const line of exportJsonl(journal, streams)) call.terminal.write(line);
          return exitCodes.ok;
        }
        const progress = createProgress(call.terminal);
        const file = resolve(call.terminal.directory, output);
        const bytes = await exportFile(journal, file, {
          ...streams,
          onProgress: ({ entries }) => progress.show(`${entries} entries`),
        });
        progress.done();
        print(call, { file, bytes }, `wrote ${bytes} bytes to ${file}`);
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
