import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly size?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<stream>', 'the stream of the entry')
      .argument('<position>', 'its position')
      .option('--size <n>', 'prove it in the tree of this size (a checkpoint names one)'),
  run: (call) =>
    withWorkspace(call, async ({ journal }) => {
      const [stream = '', position = ''] = call.words;
      await journal.seal();
      const proof = await journal.prove(
        stream,
        Number(position),
        call.options.size === undefined ? {} : { size: Number(call.options.size) },
      );
      print(call, proof, JSON.stringify(proof, null, 2));
      return exitCodes.ok;
    }),
};
