import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { checkInstall, type InstallStatus } from '../hook/check-install.ts';
import { clientVersion } from '../hook/client-version.ts';
import { askSecondsIn, type PlaceOptions, projectOf } from '../hook/place.ts';
import { type Place, readSettings, settingsPath } from '../hook/settings-file.ts';
import { disablesAll } from '../hook/settings-text.ts';

type Options = PlaceOptions & { readonly clientVersion?: string };

const PLACES: readonly Place[] = ['project', 'local', 'user'];

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--project', "only in the project's settings")
      .option('--user', "only in the user's settings")
      .option('--local', "only in the project's settings that are not shared")
      .option('--client-version <version>', 'of Claude Code, where it cannot be asked here'),
  run: async (call) => {
    const found: InstallStatus[] = [];
    const { environment } = call.terminal;
    const version = call.options.clientVersion ?? (await clientVersion(environment));
    const waits = await askSecondsIn(call);
    const named = PLACES.filter((place) => call.options[place] === true);
    const silent: string[] = [];
    for (const place of PLACES) {
      const path = settingsPath(place, projectOf(call), environment);
      const text = await readSettings(path);
      if (text === null) continue;
      if (disablesAll(text)) silent.push(`no hook is called: ${path} has disableAllHooks`);
      if (named.length === 0 || named.includes(place))
        found.push(checkInstall({ place, path, text }, { version, waits }));
    }
    const installed = found
      .filter(({ mode }) => mode !== null)
      .map((one) => ({ ...one, problems: [...one.problems, ...silent] }));
    const lines = installed.flatMap(({ place, path, mode, events, problems }) => [
      `${place}: ${mode}, ${events} events, ${path}`,
      ...problems.map((problem) => `  ${paint(call, 'red', problem)}`),
    ]);
    print(call, { client: version, installed }, lines.length === 0 ? 'No hook is installed.' : lines.join('\n'));
    if (installed.length === 0) return exitCodes.missing;
    return installed.every(({ problems }) => problems.length === 0) ? exitCodes.ok : exitCodes.no;
  },
};
