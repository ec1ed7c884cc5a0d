import { isMode, MODES, type Mode } from '@warrant/adapter-claude-agent';
import { findWorkspace } from '@warrant/workspace';
import { type CommandCall, type CommandModule, paint, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { canEnforce, clientVersion } from '../hook/client-version.ts';
import { DEFAULT_COMMAND, ENFORCING_VERSION } from '../hook/entries.ts';
import { askSecondsIn, type PlaceOptions, placeOf, projectOf } from '../hook/place.ts';
import { lineDiff, readSettings, writeSettings } from '../hook/settings-file.ts';
import { installInto } from '../hook/settings-text.ts';

type Options = PlaceOptions & {
  readonly mode: string;
  readonly command: string;
  readonly clientVersion?: string;
  readonly dryRun?: boolean;
};

/** Seconds that a hook has beyond the time it may wait for a person. */
const ROOM = 15;

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--project', "in the project's .claude/settings.json (the default)")
      .option('--user', "in the user's settings, for every project")
      .option('--local', "in the project's .claude/settings.local.json, which is not shared")
      .option('--mode <mode>', 'observe only records, ask asks where it would refuse, enforce refuses', 'observe')
      .option('--command <command>', 'how this program is called there', DEFAULT_COMMAND)
      .option('--client-version <version>', 'of Claude Code, where it cannot be asked here')
      .option('--dry-run', 'only show what would change'),
  run: async (call) => {
    const { mode } = call.options;
    if (!isMode(mode)) {
      return refuse(call, exitCodes.usage, 'CLI_USAGE', `There is no mode '${mode}'; there are ${MODES.join(', ')}.`);
    }
    const refused = mode === 'enforce' ? await checkClient(call) : null;
    return refused ?? install(call, mode);
  },
};

async function checkClient(call: CommandCall<Options>): Promise<ExitCode | null> {
  const version = call.options.clientVersion ?? (await clientVersion(call.terminal.environment));
  const least = ENFORCING_VERSION.join('.');
  if (version === null) {
    const message = `Claude Code cannot be asked for its version; enforce needs ${least} or newer. Give it with --client-version.`;
    return refuse(call, exitCodes.missing, 'CLI_CLIENT_UNKNOWN', message);
  }
  if (canEnforce(version)) return null;
  const message = `Claude Code ${version} lets a call run when its hook fails; enforce needs ${least} or newer.`;
  return refuse(call, exitCodes.no, 'CLI_CLIENT_TOO_OLD', message);
}

async function install(call: CommandCall<Options>, mode: Mode): Promise<ExitCode> {
  const { place, path } = placeOf(call);
  const before = await readSettings(path);
  const { command, dryRun } = call.options;
  const timeout = Math.ceil((await askSecondsIn(call)) + ROOM);
  const after = installInto(before, { mode, from: place, command, timeout });
  if (after === before) {
    print(call, { path, mode, changed: false }, `The hooks are in ${path} already, in mode ${mode}.`);
    return exitCodes.ok;
  }
  const diff = lineDiff(before ?? '', after);
  if (call.options.json !== true)
    call.terminal.write(`${path}\n${diff.map((line) => painted(call, line)).join('\n')}\n`);
  if (dryRun === true) {
    print(call, { path, mode, changed: false, diff }, 'Nothing was written (--dry-run).');
    return exitCodes.ok;
  }
  const backup = await writeSettings(path, before, after);
  const kept = backup === null ? '' : `, the old settings are in ${backup}`;
  print(
    call,
    { path, mode, changed: true, backup, diff },
    `Installed in mode ${mode}${kept}. 'warrant hook status' looks after it.${withoutWorkspace(call, mode)}`,
  );
  return exitCodes.ok;
}

/** Hooks answer from a workspace: who has none is told before the first hook fails. */
function withoutWorkspace(call: CommandCall<Options>, mode: Mode): string {
  const directory = projectOf(call);
  if (findWorkspace(directory) !== undefined) return '';
  const until = mode === 'observe' ? 'nothing is recorded' : 'every call is refused';
  return `\nThere is no workspace at ${directory} or above it, and until 'warrant init' makes one ${until} there.`;
}

function painted(call: CommandCall, line: string): string {
  return paint(call, line.startsWith('+') ? 'green' : 'red', line);
}
