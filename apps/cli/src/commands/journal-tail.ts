import type { Journal } from '@warrant/core';
import { type CommandCall, type CommandModule, paint } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
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
      const after = stream === undefined ? await lastOf(call, journal) : (await journal.head(stream))?.cursor;
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

/** The cursor of the log's last entry. */
async function lastOf(call: CommandCall, journal: Journal): Promise<string | undefined> {
  const progress = createProgress(call.terminal);
  let after: string | undefined;
  let passed = 0;
  for await (const entry of journal.readAll()) {
    after = entry.cursor;
    passed += 1;
    if (passed % 10_000 === 0) progress.show(`${passed} entries passed`);
  }
  progress.done();
  return after;
}
