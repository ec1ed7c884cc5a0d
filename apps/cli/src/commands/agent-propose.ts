import { resolve } from 'node:path';
import type { Json, JsonObject, ReviewDecision } from '@warrant/core';
import { parseModification, streamOf } from '@warrant/decide';
import { openAgent } from '../agent/open-agent.ts';
import { readChartFile } from '../chart/load-chart.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { readValue } from '../review/input.ts';

type Options = {
  readonly actor?: string;
  readonly migration?: string;
  readonly rationale?: string;
  readonly as?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<chart>', 'the chart that the run was started with')
      .argument('<kit>', 'the kit file of the run')
      .argument('<version>', 'the chart to run by from now on')
      .option('--actor <iri>', 'name of the run', 'urn:agent:1')
      .option('--migration <file>', 'YAML or JSON: `states` renamed, data to `assign` by CEL, data to `drop`')
      .option('--rationale <text>', 'why; reviewers read it')
      .option('--as <name>', 'who proposes (default: the agent itself)'),
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const { directory } = call.terminal;
      const [chart = '', kit = '', version = ''] = call.words;
      const { actor = 'urn:agent:1', migration, rationale, as: proposedBy } = call.options;
      if ((await workspace.journal.head(streamOf(actor))) === undefined)
        return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${actor} is in the journal`);
      const wanted = parseModification({
        actor,
        chart: readChartFile(resolve(directory, version)).chart as unknown as Json,
        ...(migration === undefined ? {} : { migration: (await readValue(directory, migration)) as Json }),
      } as JsonObject);
      if (wanted === undefined)
        return refuse(
          call,
          exitCodes.usage,
          'CLI_USAGE',
          'a migration has `states`, `assign` and `drop`, nothing else',
        );
      const host = await openAgent(workspace, directory, { chart, kit });
      try {
        const { actor: _, ...next } = wanted;
        const decision = await host.propose(actor, next, {
          ...(rationale === undefined ? {} : { rationale }),
          ...(proposedBy === undefined ? {} : { proposedBy }),
        });
        await host.settled();
        print(call, decision, decisionText(decision));
        return CODES[decision.type];
      } finally {
        await host.close();
      }
    }),
};

const CODES: Readonly<Record<ReviewDecision['type'], ExitCode>> = {
  approved: exitCodes.ok,
  queued: exitCodes.pending,
  'dry-run': exitCodes.pending,
  blocked: exitCodes.no,
  rejected: exitCodes.no,
  expired: exitCodes.no,
  invalid: exitCodes.no,
};

function decisionText({ type, proposalId, reasons }: ReviewDecision): string {
  const lines = reasons.map(({ message }) => `  ${message}`);
  if (type !== 'queued') return [`${proposalId}  ${type}`, ...lines].join('\n');
  return [
    `${proposalId}  waits for review`,
    ...lines,
    `  decide with: warrant review approve ${proposalId}   or   warrant review reject ${proposalId} --reason TEXT`,
    '  the agent hears of it when it runs next',
  ].join('\n');
}
