import { chartOption, namedMachine, refuseOtherChart } from '../agent/machine-of-run.ts';
import { agentStatus, statusText } from '../agent/status.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly chart?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command.argument('[actor]', 'one agent; without it, all of this workspace').option(...chartOption),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const [actor] = call.words;
        const { chart } = call.options;
        const actors = actor === undefined ? await allActors(journal) : [actor];
        const found = [];
        for (const one of actors) {
          const machine = await namedMachine(journal, one, { directory: call.terminal.directory, chart });
          if (machine === 'other-chart' && actor !== undefined) return refuseOtherChart(call, one, chart ?? '');
          const status = await agentStatus(journal, one, machine === 'other-chart' ? undefined : machine);
          if (status === undefined)
            return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${one} is in the journal`);
          found.push(status);
        }
        print(call, found, found.length === 0 ? 'No agents.' : found.map(statusText).join('\n'));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};

type Streams = { streams(options: { readonly after?: string; readonly limit?: number }): Promise<readonly string[]> };
const PREFIX = 'agents/';

async function allActors(journal: Streams): Promise<readonly string[]> {
  const actors: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await journal.streams(after === undefined ? {} : { after });
    actors.push(...page.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)));
    after = page.at(-1);
    if (after === undefined) return actors;
  }
}
