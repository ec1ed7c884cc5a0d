import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DepthLevel } from '@warrant/core';
import { gapText, listLearned, unlearn } from '@warrant/grounding';
import type { Workspace } from '@warrant/workspace';
import { type CommandCall, type CommandModule, paint, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import type { Terminal } from '../cli/terminal.ts';
import { visible, visibleLine } from '../cli/visible.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { askCandidate } from '../learn/ask-candidate.ts';
import { describeReasons } from '../learn/describe.ts';
import { type LoopResult, learnLoop } from '../learn/loop.ts';

type Options = { readonly file?: string; readonly list?: boolean; readonly undo?: string; readonly minDepth?: number };
type Call = CommandCall<Options>;

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('[concept...]', 'close the gaps of this check, one by one, by answering questions')
      .option('--min-depth <level>', 'least level that every named concept must have, 0 to 4', wholeNumber(0, 4))
      .option('--file <file>', 'lessons from a file (warrant.learn/1)')
      .option('--list', 'what was learned, by proposal')
      .option('--undo <proposal>', 'take back what a proposal brought'),
  run: (call) =>
    withWorkspace(call, (workspace) => {
      if (call.options.list === true) return list(call, workspace);
      if (call.options.undo !== undefined) return undo(call, workspace, call.options.undo);
      if (call.options.file !== undefined) return fromFile(call, workspace, call.options.file);
      return interactive(call, workspace);
    }),
};

async function list(call: Call, { graph }: Workspace): Promise<ExitCode> {
  const items = await listLearned(graph);
  const lines = items.map((item) => {
    const what =
      item.type === 'concept'
        ? 'the concept'
        : item.type === 'level'
          ? `level ${item.level}`
          : `${item.edge.relation} at level ${item.edge.sourceDepth}`;
    return `${item.proposalId ?? '-'}  ${item.at}  ${visibleLine(item.concept)}: ${what}`;
  });
  print(call, items, lines.length === 0 ? 'Nothing was learned.' : lines.join('\n'));
  return exitCodes.ok;
}

async function undo(call: Call, { graph }: Workspace, proposalId: string): Promise<ExitCode> {
  const outcome = await unlearn(graph, proposalId);
  const text = {
    unlearned: `took back what ${proposalId} brought`,
    'nothing-learned': `nothing in the graph comes from ${proposalId}`,
    refused: 'refused:',
  }[outcome.type];
  print(call, outcome, outcome.type === 'refused' ? `${text}\n${describeReasons(outcome.reasons)}` : text);
  return outcome.type === 'unlearned' ? exitCodes.ok : outcome.type === 'refused' ? exitCodes.no : exitCodes.missing;
}

async function interactive(call: Call, workspace: Workspace): Promise<ExitCode> {
  if (call.words.length === 0) {
    const message =
      'Name the concepts of a check, such as `warrant learn archive file`, or give --file, --list or --undo.';
    return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
  }
  const query = queryOf(call.words, call.options.minDepth ?? workspace.config.grounding.minDepth);
  const terminal = promptsOf(call);
  const result = await learnLoop(workspace, query, async (gap) => {
    terminal.write(`\n${paint(call, 'yellow', 'gap')} ${gapText(gap)}\n`);
    const candidate = await askCandidate(gap, call.words, terminal);
    if (candidate === null) return [];
    terminal.write(`${visible(JSON.stringify(candidate, null, 2), { colour: false })}\n`);
    const answer = (await terminal.ask('Put this into the graph? [y/N] '))?.trim().toLowerCase();
    return answer === 'y' || answer === 'yes' ? [candidate] : [];
  });
  return finish(call, [result]);
}

/** With `--json` standard output is for the answer alone; questions go to standard error. */
function promptsOf({ terminal, options }: Call): Pick<Terminal, 'ask' | 'write'> {
  if (options.json !== true) return terminal;
  return {
    write: terminal.writeError,
    ask: (question) => {
      terminal.writeError(question);
      return terminal.ask('');
    },
  };
}

async function fromFile(call: Call, workspace: Workspace, name: string): Promise<ExitCode> {
  const { parseLessons } = await import('../learn/lessons.ts');
  const { candidatesOf } = await import('../learn/match.ts');
  const file = resolve(call.terminal.directory, name);
  const { lessons, faults } = parseLessons(file, await readFile(file));
  if (faults.length > 0) {
    const { formatFault } = await import('@warrant/core/documents');
    print(call, { faults }, faults.map(formatFault).join('\n'));
    return exitCodes.usage;
  }
  const results = [];
  for (const { concepts, minDepth, candidates } of lessons) {
    const query = queryOf(concepts, minDepth ?? call.options.minDepth ?? workspace.config.grounding.minDepth);
    const answers = candidatesOf(candidates);
    results.push(await learnLoop(workspace, query, (gap) => Promise.resolve(answers(gap))));
  }
  return finish(call, results);
}

function queryOf(concepts: readonly string[], minDepth: number | undefined) {
  return { concepts, ...(minDepth === undefined ? {} : { minDepth: minDepth as DepthLevel }) };
}

/** A gap that is told stands as it was. */
const STEPS = { learned: 'learned and closed', refused: 'refused' } as const;

function finish(call: Call, results: readonly LoopResult[]): ExitCode {
  const lines = results.flatMap((result) => [
    ...result.steps.map(
      (step) =>
        `${STEPS[step.outcome]}: ${gapText(step.gap)}${step.outcome === 'learned' ? `  (undo: warrant learn --undo ${step.proposalId})` : ''}${step.reasons.length > 0 ? `\n${describeReasons(step.reasons)}` : ''}`,
    ),
    result.grounded
      ? paint(call, 'green', 'grounded')
      : `${paint(call, 'red', 'not grounded')}: ${result.left.map(gapText).join('; ')}`,
  ]);
  print(call, results, lines.join('\n'));
  return results.every((result) => result.grounded) ? exitCodes.ok : exitCodes.no;
}
