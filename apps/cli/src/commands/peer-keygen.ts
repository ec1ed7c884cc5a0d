import { mkdir } from 'node:fs/promises';
import { fingerprint } from '@warrant/peers';
import { createOwnKey } from '@warrant/peers/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<name>', 'how this workspace calls itself to others'),
  run: (call) =>
    withWorkspace(call, async ({ peers }) => {
      await mkdir(peers.paths.folder, { recursive: true });
      const { name, publicKey } = await createOwnKey(peers.paths.key, call.words[0] ?? '');
      const shown = { name, publicKey, fingerprint: fingerprint(publicKey) };
      print(
        call,
        shown,
        `${publicKey}\n${shown.fingerprint}\nTell others the first line, and compare the second by voice. The private key is in ${peers.paths.key}.`,
      );
      return exitCodes.ok;
    }),
};
