import { type CommandModule, print } from '../cli/command.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';
import { type VoteResult, vote, voteLine, worst } from '../review/votes.ts';

type Options = DeskOptions & { readonly reason?: string; readonly seen?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command)
      .argument('<ids...>', 'one proposal or several')
      .option('--reason <text>', 'kept with the decision')
      .option('--seen <digest>', 'only if the proposal is still the one with this digest (see `review show`)'),
  run: (call) =>
    atDesk(call, async (desk) => {
      const { reason, seen } = call.options;
      const results: VoteResult[] = [];
      for (const id of call.words) {
        const how = { ...(reason === undefined ? {} : { reason }), ...(seen === undefined ? {} : { seen }) };
        results.push(await vote(desk, id, { choice: 'approve', ...how }));
      }
      print(call, results, results.map((result) => voteLine(call, result)).join('\n'));
      return worst(results);
    }),
};
