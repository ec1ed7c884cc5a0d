import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isoTime } from '@warrant/core';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) =>
    void command.argument('[file]', 'where to write the copy (default: .warrant/backups, named by the time)'),
  run: (call) =>
    withWorkspace(call, async ({ paths, file, clock }) => {
      const stamp = isoTime(clock).replaceAll(/[:.]/g, '-');
      const [named] = call.words;
      const target =
        named === undefined ? resolve(paths.backups, `warrant-${stamp}.db`) : resolve(call.terminal.directory, named);
      if (existsSync(target)) {
        call.terminal.writeError(`${target} is there already; a backup never replaces a file.\n`);
        return exitCodes.usage;
      }
      const { mkdirSync } = await import('node:fs');
      if (named === undefined) mkdirSync(paths.backups, { recursive: true });
      file.copyTo(target);
      print(
        call,
        { file: target },
        `copied the database to ${target}\nKeep ${paths.secretKey} with it: without the key, replaced secrets no longer compare equal.`,
      );
      return exitCodes.ok;
    }),
};
