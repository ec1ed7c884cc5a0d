import { Command, CommanderError } from 'commander';
import type { CommandCall, CommandEntry, CommandModule } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { type Asked, refuse, report } from './failure.ts';
import { commandHelp, groupHelp, membersHelp, overview, suggestion } from './help.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line; never throws: what went wrong is printed and becomes the exit code. */
export async function runCommandLine(
  given: readonly string[],
  table: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { common, words: named } = takeCommon(given);
  const words = spelledOut(named, table);
  const asked = { terminal, options: { json: given.includes('--json') } };
  const entry = findCommand(words, table);
  try {
    if (entry === undefined) return explainWithoutCommand(words, table, asked);
    terminal.notes?.ran(entry.name);
    return await runEntry(entry, [...common, ...words.slice(entry.name.split(' ').length)], table, terminal);
  } catch (error) {
    return report(error, asked);
  }
}

/** Common options may also stand before the command, as in `warrant -C FOLDER status`. */
function takeCommon(given: readonly string[]): {
  readonly common: readonly string[];
  readonly words: readonly string[];
} {
  let taken = 0;
  for (;;) {
    const word = given[taken] ?? '';
    if (word === '-C' || word === '--directory') taken += 2;
    else if (word === '--json' || word.startsWith('--directory=')) taken += 1;
    else return { common: given.slice(0, taken), words: given.slice(taken) };
  }
}

/** `--version` and `help graph import` as the commands they stand for. */
function spelledOut(words: readonly string[], table: readonly CommandEntry[]): readonly string[] {
  if (words[0] === '--version' || words[0] === '-V') return ['version', ...words.slice(1)];
  const entry = words[0] === 'help' ? findCommand(words.slice(1), table) : undefined;
  return entry === undefined ? words : [...entry.name.split(' '), '--help'];
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
  const command = declare(entry, module, terminal).addHelpText('after', membersHelp(entry.name, table));
  try {
    command.parse(rest, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok;
      const asked = { terminal, options: { json: rest.includes('--json') } };
      const message = `${error.message.replace(/^error: /, '')} ('warrant ${entry.name} --help' explains it)`;
      return refuse(asked, module.usageExit?.(rest) ?? exitCodes.usage, 'CLI_USAGE', message);
    }
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
  command.configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError, outputError: () => {} });
  module.configure(command);
  return command
    .option('--json', 'print the answer as JSON')
    .option('-C, --directory <folder>', 'the folder that holds the workspace (default: this folder or one above it)')
    .addHelpText('after', commandHelp());
}

function explainWithoutCommand(words: readonly string[], table: readonly CommandEntry[], asked: Asked): ExitCode {
  const [first, second] = words;
  if (first === undefined || isHelp(first)) {
    if (second !== undefined) return explainGroup(second, table, asked);
    asked.terminal.write(overview(table));
    return exitCodes.ok;
  }
  if (isGroup(first, table) && second !== undefined && !second.startsWith('-')) {
    const message = `warrant ${first} has no command '${second}'. 'warrant ${first}' lists those it has.`;
    return refuse(asked, exitCodes.usage, 'CLI_COMMAND_UNKNOWN', message);
  }
  return explainGroup(first, table, asked);
}

function explainGroup(group: string, table: readonly CommandEntry[], asked: Asked): ExitCode {
  if (isGroup(group, table)) {
    asked.terminal.write(groupHelp(group, table));
    return exitCodes.ok;
  }
  const message = `There is no command '${group}'.${suggestion(group, table)} 'warrant help' lists them all.`;
  return refuse(asked, exitCodes.usage, 'CLI_COMMAND_UNKNOWN', message);
}

function isHelp(word: string): boolean {
  return word === 'help' || word === '--help' || word === '-h';
}

function isGroup(word: string, table: readonly CommandEntry[]): boolean {
  return table.some((entry) => entry.name.startsWith(`${word} `));
}
