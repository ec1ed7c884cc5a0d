import { isWarrantError } from '@warrant/core';
import { Command, CommanderError } from 'commander';
import type { CommandCall, CommandEntry, CommandModule } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { commandHelp, groupHelp, overview, suggestion } from './help.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line; never throws: what went wrong is printed and becomes the exit code. */
export async function runCommandLine(
  words: readonly string[],
  table: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const entry = findCommand(words, table);
  if (entry === undefined) return explainWithoutCommand(words, table, terminal);
  try {
    return await runEntry(entry, words.slice(entry.name.split(' ').length), table, terminal);
  } catch (error) {
    return report(error, words.includes('--json'), terminal);
  }
}

/** The entry whose name is the longest beginning of the words. */
function findCommand(words: readonly string[], table: readonly CommandEntry[]): CommandEntry | undefined {
  const two = words.slice(0, 2).join(' ');
  return table.find((entry) => entry.name === two) ?? table.find((entry) => entry.name === words[0]);
}

async function runEntry(
  entry: CommandEntry,
  rest: readonly string[],
  table: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const module: CommandModule<never> = await entry.load();
  const command = declare(entry, module, terminal);
  try {
    command.parse(rest, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    throw error;
  }
  const call: CommandCall = { words: command.args, options: command.opts(), terminal, table };
  return module.run(call as CommandCall<never>);
}

/** The command with its own and the common options, as the parser sees it. */
export function declare(
  entry: CommandEntry,
  module: CommandModule<never>,
  terminal: Pick<Terminal, 'write' | 'writeError'>,
): Command {
  const command = new Command(`warrant ${entry.name}`).description(entry.summary).exitOverride();
  command.configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError });
  module.configure(command);
  return command
    .option('--json', 'print the answer as JSON')
    .option('-C, --directory <folder>', 'the folder that holds the workspace (default: this folder or one above it)')
    .addHelpText('after', commandHelp());
}

function explainWithoutCommand(words: readonly string[], table: readonly CommandEntry[], terminal: Terminal): ExitCode {
  const [first] = words;
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    terminal.write(words[1] === undefined ? overview(table) : groupHelp(words[1], table));
    return exitCodes.ok;
  }
  if (table.some((entry) => entry.name.startsWith(`${first} `))) {
    const asked = words[1] === undefined || words[1].startsWith('-');
    if (!asked) terminal.writeError(`warrant ${first} has no command '${words[1]}'.\n\n`);
    (asked ? terminal.write : terminal.writeError)(groupHelp(first, table));
    return asked ? exitCodes.ok : exitCodes.usage;
  }
  terminal.writeError(`There is no command '${first}'.${suggestion(first, table)} 'warrant help' lists them all.\n`);
  return exitCodes.usage;
}

function report(error: unknown, json: boolean, terminal: Terminal): ExitCode {
  if (!isWarrantError(error)) {
    terminal.writeError(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return exitCodes.failed;
  }
  if (json) terminal.write(`${JSON.stringify({ error: error.toJSON() }, null, 2)}\n`);
  terminal.writeError(`${error.message} (${error.code})\n`);
  return isBadInput(error.code) ? exitCodes.usage : exitCodes.failed;
}

/** Files and databases that fail are not the caller's wording. */
function isBadInput(code: string): boolean {
  return !/^(SQLITE|FILE|NEO4J|POSTGRES)_|_(IO|UNAVAILABLE|OUTCOME_UNKNOWN|CLOSED)$/.test(code);
}
