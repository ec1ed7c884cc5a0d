import { ground, viewOf } from '@warrant/grounding';
import { type JudgeConcept, revokePeer } from '@warrant/peers';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { describeReasons } from '../learn/describe.ts';
import { revocationText } from '../peers/plan-text.ts';

type Options = { readonly dryRun?: boolean };

const judge: JudgeConcept = (name, primitives) =>
  ground(viewOf({ names: [name], primitives }), { concepts: [name] }).grounded;

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command.argument('<name>', 'a pinned peer').option('--dry-run', 'only say what would lose ground'),
  run: (call) =>
    withWorkspace(call, async ({ peers, graph, clock }) => {
      const [name = ''] = call.words;
      const pin = (await peers.pins()).find((one) => one.name === name);
      if (pin === undefined) return refuse(call, exitCodes.missing, 'CLI_NO_PEER', `No peer named ${name} is pinned.`);
      const { dryRun = false } = call.options;
      const outcome = await revokePeer({ graph, states: peers.states, judge, clock }, pin, { dryRun });
      if (outcome.type === 'refused') {
        print(call, outcome, `Refused:\n${describeReasons(outcome.reasons)}`);
        return exitCodes.no;
      }
      const end = dryRun
        ? 'Nothing was changed (--dry-run).'
        : `${name} is refused until it is pinned anew with \`warrant peer add\`.`;
      print(call, outcome, `${revocationText(call, outcome.plan)}\n${end}`);
      return exitCodes.ok;
    }),
};
