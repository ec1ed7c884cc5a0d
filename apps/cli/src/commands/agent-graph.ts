import { provenanceOf } from '@warrant/decide';
import { toJsonLd, toNTriples, toTurtle } from '@warrant/decide/graph';
import { chartOption, namedMachine, refuseOtherChart } from '../agent/machine-of-run.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly format?: string; readonly chart?: string };
const FORMATS = ['turtle', 'ntriples', 'jsonld', 'json'];

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<actor>', 'name of the run')
      .option('--format <format>', `one of ${FORMATS.join(', ')}`, 'turtle')
      .option(...chartOption),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const [actor = ''] = call.words;
        const { format = 'turtle', chart } = call.options;
        if (!FORMATS.includes(format))
          return refuse(call, exitCodes.usage, 'CLI_USAGE', `a format is one of ${FORMATS.join(', ')}`);
        const machine = await namedMachine(journal, actor, { directory: call.terminal.directory, chart });
        if (machine === 'other-chart') return refuseOtherChart(call, actor, chart ?? '');
        const provenance = await provenanceOf(journal, actor, undefined, machine);
        if (provenance.program === null)
          return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${actor} is in the journal`);
        const text =
          format === 'turtle'
            ? await toTurtle(provenance)
            : format === 'ntriples'
              ? await toNTriples(provenance)
              : JSON.stringify(format === 'jsonld' ? toJsonLd(provenance) : provenance, null, 2);
        print(call, provenance, text);
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
