import type { CommandModule } from '../cli/command.ts';
import { type VoteOptions, voteAll, withVoteOptions } from '../review/vote-all.ts';

export const command: CommandModule<VoteOptions> = {
  configure: (command) =>
    void withVoteOptions(command).requiredOption('--reason <text>', 'why; kept with the decision'),
  run: (call) => voteAll(call, 'reject'),
};
