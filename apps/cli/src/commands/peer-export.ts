import { resolve } from 'node:path';
import { type DepthLevel, isoTime } from '@warrant/core';
import { writeFileAtomic } from '@warrant/core/files';
import { exportBundle, formatBundle } from '@warrant/peers';
import { nextSequence } from '@warrant/peers/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly output: string; readonly only?: boolean; readonly maxLevel?: DepthLevel };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<concept...>', 'what to publish, with what it stands on')
      .requiredOption('-o, --output <file>', 'where to write the bundle')
      .option('--only', 'without what it stands on; the other side has to know that already')
      .option('--max-level <level>', 'leave out levels above, 0 to 4', wholeNumber(0, 4)),
  run: (call) =>
    withWorkspace(call, async ({ graph, peers, clock }) => {
      const { output, only = false, maxLevel = 4 } = call.options;
      const { name, privateKey, sequence } = await nextSequence(peers.paths.key);
      const createdAt = isoTime(clock);
      const request = { concepts: call.words, only, maxLevel, peer: name, privateKey, sequence, createdAt };
      const { bundle, digest, needs, leftOut } = await exportBundle(graph, request);
      const file = resolve(call.terminal.directory, output);
      await writeFileAtomic(file, formatBundle(bundle));
      const primitives = bundle.manifest.primitives.length;
      const rest = [
        ...(needs.length === 0 ? [] : [`the other side has to know: ${needs.join(', ')}`]),
        ...(leftOut.length === 0 ? [] : [`relata left out to: ${leftOut.join(', ')}`]),
      ];
      print(
        call,
        { file, digest, sequence, primitives, needs, leftOut },
        [`wrote bundle ${sequence} with ${primitives} concepts to ${output}`, ...rest].join('\n'),
      );
      return exitCodes.ok;
    }),
};
