import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { fileStamp } from '../cli/file-stamp.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) =>
    void command.argument('[file]', 'where to write the copy (default: .warrant/backups, named by the time)'),
  run: (call) =>
    withWorkspace(call, async ({ paths, file, clock, config }) => {
      const [named] = call.words;
      const target =
        named === undefined
          ? resolve(paths.backups, `warrant-${fileStamp(clock)}.db`)
          : resolve(call.terminal.directory, named);
      if (existsSync(target)) {
        const message = `${target} is there already; a backup never replaces a file.`;
        return refuse(call, exitCodes.usage, 'CLI_FILE_EXISTS', message);
      }
      if (named === undefined) mkdirSync(paths.backups, { recursive: true });
      else accessSync(dirname(target), constants.W_OK);
      file.copyTo(target);
      const elsewhere =
        config.graph.neo4j === undefined
          ? ''
          : "\nThe graph is kept in Neo4j and not in this copy: 'warrant graph copy workspace FILE.db' copies it.";
      print(
        call,
        { file: target },
        `copied the database to ${target}\nKeep ${paths.secretKey} with it: without the key, replaced secrets no longer compare equal.${elsewhere}`,
      );
      return exitCodes.ok;
    }),
};
