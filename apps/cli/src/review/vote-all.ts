import type { Command } from 'commander';
import { type CommandCall, print } from '../cli/command.ts';
import type { ExitCode } from '../cli/exit-codes.ts';
import { atDesk, type DeskOptions, withDeskOptions } from './desk.ts';
import { type VoteResult, vote, voteLine, worst } from './votes.ts';

export type VoteOptions = DeskOptions & { readonly reason?: string; readonly seen?: string };

/** What both votes take; the reason is declared by each for itself. */
export function withVoteOptions(command: Command): Command {
  return withDeskOptions(command)
    .argument('<ids...>', 'one proposal or several')
    .option('--seen <digest>', 'only if the proposal is still the one with this digest (see `review show`)');
}

/** Gives the same vote on each proposal named, and prints what became of each. */
export function voteAll(call: CommandCall<VoteOptions>, choice: 'approve' | 'reject'): Promise<ExitCode> {
  return atDesk(call, async (desk) => {
    const { reason, seen } = call.options;
    const how = { choice, ...(reason === undefined ? {} : { reason }), ...(seen === undefined ? {} : { seen }) };
    const results: VoteResult[] = [];
    for (const id of call.words) results.push(await vote(desk, id, how));
    print(call, results, results.map((result) => voteLine(call, result)).join('\n'));
    return worst(results);
  });
}
