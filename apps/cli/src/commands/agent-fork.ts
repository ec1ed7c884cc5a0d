import { forkAgent } from '@warrant/decide';
import { machineOfRun, refuseOtherChart } from '../agent/machine-of-run.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) =>
    void command
      .argument('<chart>', 'the chart that the run was started with')
      .argument('<actor>', 'name of the run')
      .argument('<position>', 'the last entry that both share')
      .argument('<target>', 'name of the new run'),
  run: (call) =>
    withWorkspace(call, async ({ journal }) => {
      const [chart = '', actor = '', position = '', target = ''] = call.words;
      if (!/^[1-9]\d{0,14}$/.test(position))
        return refuse(call, exitCodes.usage, 'CLI_USAGE', 'a position is a whole number from 1 on');
      const machine = await machineOfRun(journal, actor, { directory: call.terminal.directory, chart });
      if (machine === 'no-run')
        return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${actor} is in the journal`);
      if (machine === 'other-chart') return refuseOtherChart(call, actor, chart);
      const forked = await forkAgent(journal, { actor, position: Number(position), target, machine });
      const text = {
        forked: `${target} goes on from ${actor} at ${position}; nobody was asked and nothing was called`,
        exists: `${target} is there already; nothing was changed`,
        'no-such-position': forked.type === 'no-such-position' ? `${actor} ends at ${forked.head}` : '',
      }[forked.type];
      print(call, forked, text);
      return forked.type === 'forked' ? exitCodes.ok : forked.type === 'exists' ? exitCodes.no : exitCodes.missing;
    }),
};
