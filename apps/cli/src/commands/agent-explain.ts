import { explainDecision, parseCorrelation, renderDecision } from '@warrant/decide';
import { machineOfRun, refuseOtherChart } from '../agent/machine-of-run.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) =>
    void command
      .argument('<chart>', 'the chart that the run was started with')
      .argument('<decision>', '<actor>/decision/<position>.<k>'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const [chart = '', decision = ''] = call.words;
        const missing = () => refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no offer is named ${decision}`);
        const named = parseCorrelation(decision);
        if (named === undefined) return missing();
        const machine = await machineOfRun(journal, named.actor, { directory: call.terminal.directory, chart });
        if (machine === 'no-run') return missing();
        if (machine === 'other-chart') return refuseOtherChart(call, named.actor, chart);
        const explained = await explainDecision(journal, machine, decision);
        if (explained === undefined) return missing();
        print(call, explained, renderDecision(explained));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
