import type { DepthLevel, GroundingResult } from '@warrant/core';
import {
  type ConfidenceOf,
  renderMarkdown,
  renderMermaid,
  renderTree,
  stepsOf,
  withConfidence,
} from '@warrant/grounding';
import { confidenceIn } from '@warrant/grounding/experience';
import { readExperiences, type Workspace } from '@warrant/workspace';
import { Option } from 'commander';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = {
  readonly minDepth?: number;
  readonly actor?: string;
  readonly format: 'tree' | 'ascii' | 'markdown' | 'mermaid';
  readonly tokens: number;
  readonly confidence?: boolean;
  readonly command?: string;
  readonly tool?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('[concept...]', 'what the act is about, such as `delete file`')
      .option('--command <line>', 'also the concepts of a command line, in the words of the domains that the graph has')
      .option('--tool <name>', 'also the concepts of a tool, by the rules of warrant.yaml and those known by name')
      .option('--min-depth <level>', 'least level that every named concept must have, 0 to 4', wholeNumber(0, 4))
      .addOption(
        new Option('--format <format>', 'for a terminal, without special signs, for a model, or as a diagram')
          .choices(['tree', 'ascii', 'markdown', 'mermaid'])
          .default('tree'),
      )
      .option('--tokens <count>', 'longest markdown, at four characters a token', wholeNumber(1), 2000)
      .option('--confidence', 'beside each level, how well it has served lately; it decides nothing')
      .option('--actor <key>', 'who asks (default: `agent` of warrant.yaml)'),
  run: (call) =>
    withWorkspace(
      call,
      async (workspace) => {
        const { grounder, config } = workspace;
        const { minDepth, actor } = call.options;
        const concepts = await conceptsOf(call, workspace);
        if (concepts.length === 0) {
          const message = 'Name a concept, or a call with --command or --tool.';
          return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
        }
        const floor = minDepth ?? config.grounding.minDepth;
        const result = await grounder.check({
          concepts,
          ...(floor === undefined ? {} : { minDepth: floor as DepthLevel }),
          ...(actor === undefined ? {} : { actor }),
        });
        const confidence = call.options.confidence === true ? await confidenceNow(workspace) : undefined;
        const { confidence: shown } =
          confidence === undefined ? {} : withConfidence({ ...result, steps: stepsOf(result) }, confidence);
        print(call, shown === undefined ? result : { ...result, confidence: shown }, render(call, result, confidence));
        return result.grounded ? exitCodes.ok : exitCodes.no;
      },
      { brief: true },
    ),
};

/** Those named, then those that the call named by options is about. */
async function conceptsOf(call: CommandCall<Options>, workspace: Workspace): Promise<readonly string[]> {
  const { command: line, tool } = call.options;
  if (line === undefined && tool === undefined) return call.words;
  const { conceptsOfCalls } = await import('../graph/concepts-of-calls.ts');
  const directory = call.terminal.directory;
  const found = await conceptsOfCalls(workspace, { directory, line, tool });
  return [...new Set([...call.words, ...found])];
}

/** With this very check, whose trace is on its way. */
async function confidenceNow(workspace: Workspace): Promise<ConfidenceOf> {
  await workspace.grounder.flush();
  return confidenceIn(await readExperiences(workspace));
}

function render(call: CommandCall<Options>, result: GroundingResult, confidence: ConfidenceOf | undefined): string {
  const shown = confidence === undefined ? {} : { confidence };
  switch (call.options.format) {
    case 'markdown':
      return renderMarkdown(result, {
        maxTokens: call.options.tokens,
        countTokens: (text) => Math.ceil(text.length / 4),
        ...shown,
      });
    case 'mermaid':
      return renderMermaid(result);
    default:
      return renderTree(result, {
        colour: call.terminal.colour,
        ascii: call.options.format === 'ascii',
        ...shown,
      });
  }
}
