import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { proposePeerImport } from '@warrant/peers';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { describeReasons } from '../learn/describe.ts';
import { peerPlanText } from '../peers/plan-text.ts';

type Options = { readonly by?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<bundle>', 'a bundle file')
      .option('--by <actor>', 'who proposes it; whoever approves has to be somebody else'),
  run: (call) =>
    withWorkspace(call, async ({ peers, reviewer, config }) => {
      const text = await readFile(resolve(call.terminal.directory, call.words[0] ?? ''), 'utf8');
      const proposedBy = call.options.by ?? config.agent;
      const outcome = await proposePeerImport(reviewer, peers, text, { proposedBy });
      if (outcome.type === 'refused') {
        print(call, outcome, `Refused, nothing was changed:\n${describeReasons(outcome.reasons)}`);
        return exitCodes.no;
      }
      if (outcome.type !== 'filed') {
        print(call, { type: outcome.type, bundle: outcome.bundle }, 'This bundle was imported already.');
        return exitCodes.ok;
      }
      const { changesAt: _, ...plan } = outcome.plan;
      const { decision } = outcome;
      const next =
        decision.type === 'queued'
          ? `Waits for a person: warrant review approve ${decision.proposalId}`
          : `${decision.type}, applied: ${decision.applied}\n${describeReasons(decision.reasons)}`;
      print(call, { plan, decision }, `${peerPlanText(call, outcome.plan)}\n${next}`);
      return decision.type === 'approved'
        ? exitCodes.ok
        : decision.type === 'queued'
          ? exitCodes.pending
          : exitCodes.no;
    }),
};
