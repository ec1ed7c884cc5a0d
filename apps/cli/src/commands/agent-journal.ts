import { recordOf, streamOf } from '@warrant/decide';
import { entryText } from '../agent/entry-text.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<actor>', 'name of the run'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const [actor = ''] = call.words;
        const entries = [];
        const lines: string[] = [];
        for await (const entry of journal.read(streamOf(actor))) {
          const record = recordOf(entry);
          entries.push({ position: entry.position, time: entry.time, ...record });
          lines.push(
            `${String(entry.position).padStart(4)}  ${entry.type.slice('agent.'.length).padEnd(12)} ${entryText(record)}`,
          );
        }
        if (entries.length === 0)
          return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${actor} is in the journal`);
        print(call, entries, lines.join('\n'));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
