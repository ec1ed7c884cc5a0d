import { isWarrantError } from '@warrant/core';
import { chartOption, namedMachine, refuseOtherChart } from '../agent/machine-of-run.ts';
import { type AgentStatus, agentStatus, statusText } from '../agent/status.ts';
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
        const look = async (one: string) => {
          const machine = await namedMachine(journal, one, { directory: call.terminal.directory, chart });
          if (machine === 'other-chart' && actor !== undefined) return machine;
          return agentStatus(journal, one, machine === 'other-chart' ? undefined : machine);
        };
        const found: (AgentStatus | Damaged)[] = [];
        for (const one of actors) {
          // Of all agents, one that is damaged hides none of the others.
          const status = await (actor === undefined ? look(one).catch(damagedOf(one)) : look(one));
          if (status === 'other-chart') return refuseOtherChart(call, one, chart ?? '');
          if (status === undefined)
            return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${one} is in the journal`);
          found.push(status);
        }
        const lines = found.map((one) => ('damaged' in one ? `${one.actor}  ${one.damaged}` : statusText(one)));
        print(call, found, lines.length === 0 ? 'No agents.' : lines.join('\n'));
        return found.some((one) => 'damaged' in one) ? exitCodes.no : exitCodes.ok;
      },
      { readOnly: true },
    ),
};

type Damaged = { readonly actor: string; readonly damaged: string };

function damagedOf(actor: string): (error: unknown) => Damaged {
  return (error) => {
    if (!isWarrantError(error) || !error.code.endsWith('JOURNAL_DAMAGED')) throw error;
    return { actor, damaged: error.message };
  };
}

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
