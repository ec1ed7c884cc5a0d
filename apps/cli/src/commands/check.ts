import type { DepthLevel, GroundingResult } from '@warrant/core';
import { renderMarkdown, renderMermaid, renderTree } from '@warrant/grounding';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = {
  readonly minDepth?: string;
  readonly actor?: string;
  readonly format?: string;
  readonly tokens: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<concept...>', 'what the act is about, such as `delete file`')
      .option('--min-depth <level>', 'least level that every named concept must have, 0 to 4')
      .option('--format <format>', 'tree, ascii, markdown (for a model), or mermaid', 'tree')
      .option('--tokens <count>', 'longest markdown, at four characters a token', '2000')
      .option('--actor <key>', 'who asks (default: `agent` of warrant.yaml)'),
  run: (call) =>
    withWorkspace(call, async ({ grounder, config }) => {
      const { minDepth, actor } = call.options;
      const floor = minDepth === undefined ? config.grounding.minDepth : Number(minDepth);
      const result = await grounder.check({
        concepts: call.words,
        ...(floor === undefined ? {} : { minDepth: floor as DepthLevel }),
        ...(actor === undefined ? {} : { actor }),
      });
      print(call, result, render(call, result));
      return result.grounded ? exitCodes.ok : exitCodes.no;
    }),
};

function render(call: CommandCall<Options>, result: GroundingResult): string {
  switch (call.options.format) {
    case 'markdown':
      return renderMarkdown(result, {
        maxTokens: Number(call.options.tokens),
        countTokens: (text) => Math.ceil(text.length / 4),
      });
    case 'mermaid':
      return renderMermaid(result);
    default:
      return renderTree(result, { colour: call.terminal.colour, ascii: call.options.format === 'ascii' });
  }
}
