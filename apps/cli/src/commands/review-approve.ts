import type { CommandModule } from '../cli/command.ts';
import { type VoteOptions, voteAll, withVoteOptions } from '../review/vote-all.ts';

export const command: CommandModule<VoteOptions> = {
  configure: (command) => void withVoteOptions(command).option('--reason <text>', 'kept with the decision'),
  run: (call) => voteAll(call, 'approve'),
};
