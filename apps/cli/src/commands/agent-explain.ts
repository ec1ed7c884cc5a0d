import { createAgentMachine, explainDecision, renderDecision } from '@warrant/decide';
import { loadAgent } from '../agent/load-agent.ts';
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
        const machine = createAgentMachine(loadAgent(call.terminal.directory, chart));
        const explained = await explainDecision(journal, machine, decision);
        if (explained === undefined)
          return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no offer is named ${decision}`);
        print(call, explained, renderDecision(explained));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
