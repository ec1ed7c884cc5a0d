import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { type PlaceOptions, placeOf } from '../hook/place.ts';
import { lineDiff, readSettings, writeSettings } from '../hook/settings-file.ts';
import { uninstallFrom } from '../hook/settings-text.ts';

type Options = PlaceOptions & { readonly dryRun?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--project', "from the project's settings (the default)")
      .option('--user', "from the user's settings")
      .option('--local', "from the project's settings that are not shared")
      .option('--dry-run', 'only show what would change'),
  run: async (call) => {
    const { path } = placeOf(call);
    const before = await readSettings(path);
    const after = before === null ? null : uninstallFrom(before);
    if (before === null || after === null || after === before) {
      print(call, { path, changed: false }, `There are no hooks of Warrant in ${path}.`);
      return exitCodes.ok;
    }
    const diff = lineDiff(before, after);
    if (call.options.json !== true) call.terminal.write(`${path}\n${diff.join('\n')}\n`);
    if (call.options.dryRun === true) {
      print(call, { path, changed: false, diff }, 'Nothing was written (--dry-run).');
      return exitCodes.ok;
    }
    const backup = await writeSettings(path, before, after);
    print(call, { path, changed: true, backup, diff }, `Removed; the old settings are in ${backup}.`);
    return exitCodes.ok;
  },
};
