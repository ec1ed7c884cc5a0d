import { type CommandModule, paint } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { entryLine } from '../journal/entry-line.ts';

type Options = { readonly data?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command.argument('[stream]', 'one stream (default: all)').option('--data', 'show what each entry holds'),
  run: (call) =>
    withWorkspace(call, async ({ journal }) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      const [stream] = call.words;
      let after: string | undefined;
      for await (const entry of journal.readAll()) after = entry.cursor;
      try {
        for await (const entry of journal.subscribe({
          ...(stream === undefined ? {} : { stream }),
          ...(after === undefined ? {} : { after }),
          signal: stop.signal,
        })) {
          const line = entryLine(entry, (text) => paint(call, 'cyan', text), call.options.data === true);
          call.terminal.write(`${call.options.json === true ? JSON.stringify(entry) : line}\n`);
        }
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      }
      return exitCodes.ok;
    }),
};
