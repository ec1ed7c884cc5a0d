import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { generateNoteKey, parseSigner } from '@warrant/journal';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { readNamed } from '../cli/read-named.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { withSealProgress } from '../journal/seal-progress.ts';

type Options = { readonly key?: string; readonly origin: string; readonly newKey?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--key <file>', 'file with the signing key')
      .option('--new-key <file>', 'make a signing key, write it there, and print the verifying key')
      .option('--origin <name>', 'the name of this log, such as example.org/agents', 'warrant/journal'),
  run: (call) => {
    const { key, newKey, origin } = call.options;
    if (newKey !== undefined) return makeKey(resolve(call.terminal.directory, newKey), origin);
    if (key === undefined) {
      const message = 'Give --key FILE with a signing key, or make one with --new-key FILE.';
      return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
    }
    return withWorkspace(call, async ({ journal }) => {
      const signer = parseSigner(await readNamed(call.terminal.directory, key));
      const note = await withSealProgress(call.terminal, (onProgress) =>
        journal.checkpoint({ origin, signer, onProgress }),
      );
      print(call, { origin, note }, note);
      return exitCodes.ok;
    });

    async function makeKey(file: string, name: string) {
      const made = generateNoteKey(name);
      await writeFile(file, `${made.signer}\n`, { flag: 'wx', mode: 0o600 });
      print(
        call,
        { file, verifier: made.verifier },
        `${made.verifier}\nThe signing key is in ${file}; keep it away from whoever writes the journal.`,
      );
      return exitCodes.ok;
    }
  },
};
