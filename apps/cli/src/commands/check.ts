import type { DepthLevel } from '@warrant/core';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly minDepth?: string; readonly actor?: string; readonly format?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<concept...>', 'what the act is about, such as `delete file`')
      .option('--min-depth <level>', 'least level that every named concept must have, 0 to 4')
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
      print(call, result, JSON.stringify(result.gaps));
      return result.grounded ? exitCodes.ok : exitCodes.no;
    }),
};
