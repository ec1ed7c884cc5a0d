import type { Proposal, ReviewDecision } from '@warrant/core';
import { type CommandCall, type CommandModule, paint, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { groupHelp } from '../cli/help.ts';
import { atDesk, type DeskOptions, type ReviewDesk, withDeskOptions } from '../review/desk.ts';
import { viewJson, viewOf, viewText } from '../review/view.ts';
import { type VoteResult, vote, voteLine } from '../review/votes.ts';

type Call = CommandCall<DeskOptions>;

export const command: CommandModule<DeskOptions> = {
  configure: (command) =>
    void withDeskOptions(command).argument('[command]', 'a command of this group').allowExcessArguments(),
  run: (call) => {
    const [word] = call.words;
    if (word === undefined) return atDesk(call, (desk) => session(call, desk));
    call.terminal.writeError(`warrant review has no command '${word}'.\n\n${groupHelp('review', call.table)}`);
    return exitCodes.usage;
  },
};

/** One waiting proposal after the other until all are seen, `q`, or the end of input. */
async function session(call: Call, desk: ReviewDesk): Promise<ExitCode> {
  const waiting: string[] = [];
  for await (const { proposal } of desk.gate.list({ type: 'queued' })) waiting.push(proposal.id);
  if (call.options.json === true) return list(call, desk, waiting);
  if (waiting.length === 0) print(call, waiting, 'Nothing waits.');
  const decided: VoteResult[] = [];
  for (const [index, id] of waiting.entries()) {
    const item = await desk.gate.find(id);
    // Somebody else may have decided it meanwhile.
    if (item?.decision.type !== 'queued') continue;
    const view = await viewOf(desk, item);
    print(call, view, `${paint(call, 'bold', `${index + 1} of ${waiting.length}`)}\n${viewText(call, view)}`);
    const answer = await answerOf(call, desk, item);
    if (answer === 'quit') break;
    if (answer === 'skip') continue;
    print(call, answer, `${voteLine(call, answer)}\n`);
    decided.push(answer);
  }
  return decided.every((one) => one.exit === exitCodes.ok || one.exit === exitCodes.pending)
    ? exitCodes.ok
    : exitCodes.no;
}

/** Programs ask no questions: they get what a person would be shown, and decide with `review approve` and `reject`. */
async function list(call: Call, desk: ReviewDesk, waiting: readonly string[]): Promise<ExitCode> {
  const views: object[] = [];
  for (const id of waiting) {
    const item = await desk.gate.find(id);
    if (item !== undefined) views.push(viewJson(await viewOf(desk, item)));
  }
  call.terminal.write(`${JSON.stringify(views, null, 2)}\n`);
  return exitCodes.ok;
}

async function answerOf(
  call: Call,
  desk: ReviewDesk,
  item: { readonly proposal: Proposal; readonly decision: ReviewDecision },
): Promise<VoteResult | 'skip' | 'quit'> {
  const { id } = item.proposal;
  // The vote is for what was on the screen, whatever happened to the proposal since.
  const seen = item.decision.proposal;
  for (;;) {
    const typed = (await call.terminal.ask('[a]pprove, [r]eject, [s]kip, [q]uit? '))?.trim().toLowerCase();
    if (typed === undefined || typed === 'q' || typed === 'quit') return 'quit';
    if (typed === 's' || typed === 'skip') return 'skip';
    if (typed === 'a' || typed === 'approve') return vote(desk, id, { choice: 'approve', seen });
    if (typed !== 'r' && typed !== 'reject') continue;
    const reason = (await call.terminal.ask('Why? '))?.trim();
    if (reason === undefined) return 'quit';
    if (reason !== '') return vote(desk, id, { choice: 'reject', reason, seen });
  }
}
