import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { withSealProgress } from '../journal/seal-progress.ts';

type Options = { readonly size?: number };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<stream>', 'the stream of the entry')
      .argument('<position>', 'its position', wholeNumber(1))
      .option('--size <n>', 'prove it in the tree of this size (a checkpoint names one)', wholeNumber(1)),
  run: (call) =>
    withWorkspace(call, async ({ journal }) => {
      const [stream = '', position = ''] = call.words;
      if (((await journal.head(stream))?.position ?? 0) < Number(position)) {
        return refuse(call, exitCodes.missing, 'CLI_NO_STREAM', `There is no entry ${position} in a stream ${stream}.`);
      }
      await withSealProgress(call.terminal, (onProgress) => journal.seal({ onProgress }));
      const proof = await journal.prove(
        stream,
        Number(position),
        call.options.size === undefined ? {} : { size: call.options.size },
      );
      print(call, proof, JSON.stringify(proof, null, 2));
      return exitCodes.ok;
    }),
};
