import type { Recorded } from '@warrant/core';
import { type CommandModule, paint } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { entryLine, plain } from '../journal/entry-line.ts';

type Options = { readonly from?: number; readonly to?: number; readonly last?: number; readonly data?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('[stream]', 'one stream (default: a line for each stream)')
      .option('--from <position>', 'first position', wholeNumber(1))
      .option('--to <position>', 'last position', wholeNumber(1))
      .option('-n, --last <count>', 'only the last entries', wholeNumber(1))
      .option('--data', 'show what each entry holds'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const write = (value: unknown, text: string) =>
          call.terminal.write(`${call.options.json === true ? JSON.stringify(value) : text}\n`);
        const [stream] = call.words;
        if (stream === undefined) {
          let after: string | undefined;
          for (;;) {
            const names = await journal.streams(after === undefined ? {} : { after });
            if (names.length === 0) return exitCodes.ok;
            for (const name of names) {
              const head = await journal.head(name);
              write({ stream: name, position: head?.position ?? 0 }, `${plain(name)}  ${head?.position ?? 0} entries`);
            }
            after = names.at(-1);
          }
        }
        if ((await journal.head(stream)) === undefined) {
          return refuse(call, exitCodes.missing, 'CLI_NO_STREAM', `There is no stream ${stream}.`);
        }
        const entries: Recorded[] = [];
        const { last, from, to } = call.options;
        const show = (entry: Recorded) =>
          write(
            entry,
            entryLine(entry, (text) => paint(call, 'cyan', text), call.options.data === true),
          );
        const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
        if (last === undefined) for await (const entry of journal.read(stream, range)) show(entry);
        else {
          for await (const entry of journal.read(stream, { ...range, direction: 'backward', limit: last }))
            entries.push(entry);
          entries.reverse().forEach(show);
        }
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
