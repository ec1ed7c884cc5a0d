import { parseVerifier, verifyJournal } from '@warrant/journal';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
import { readNamed } from '../cli/read-named.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly checkpoint?: readonly string[]; readonly key?: readonly string[] };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--checkpoint <file...>', 'signed checkpoints kept elsewhere')
      .option('--key <key...>', 'verifying keys (name+id+key) that must have signed them'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const progress = createProgress(call.terminal);
        const files = call.options.checkpoint ?? [];
        const verified = await verifyJournal(journal, {
          checkpoints: await Promise.all(files.map((file) => readNamed(call.terminal.directory, file))),
          ...(call.options.key === undefined ? {} : { verifiers: call.options.key.map(parseVerifier) }),
          onProgress: ({ entries, total }) => progress.show(`${entries} of ${total} entries`),
        });
        progress.done();
        const counts = `${verified.entries} entries in ${verified.streams} streams${verified.checkpoint > 0 ? `, held against a checkpoint of size ${verified.checkpoint}` : ''}`;
        const { damage } = verified;
        const place = damage?.stream === undefined ? '' : ` at ${damage.stream}/${damage.position ?? '?'}`;
        const text =
          damage === undefined
            ? `${paint(call, 'green', 'intact')}: ${counts}`
            : `${paint(call, 'red', damage.kind)}${place}: ${damage.message}`;
        print(call, verified, text);
        return damage === undefined ? exitCodes.ok : exitCodes.no;
      },
      { readOnly: true },
    ),
};
