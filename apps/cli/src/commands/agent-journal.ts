import { readRecords } from '@warrant/decide';
import { entryText } from '../agent/entry-text.ts';
import { chartOption, namedMachine, refuseOtherChart } from '../agent/machine-of-run.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly chart?: string };

export const command: CommandModule<Options> = {
  configure: (command) => void command.argument('<actor>', 'name of the run').option(...chartOption),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const [actor = ''] = call.words;
        const { chart } = call.options;
        const machine = await namedMachine(journal, actor, { directory: call.terminal.directory, chart });
        if (machine === 'other-chart') return refuseOtherChart(call, actor, chart ?? '');
        const entries = [];
        const lines: string[] = [];
        for await (const { entry, record } of readRecords(journal, actor, { machine })) {
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
