import { nearest } from '@warrant/core';
import type { CommandEntry } from './command.ts';

/** All commands, a line each. */
export function overview(table: readonly CommandEntry[]): string {
  return [
    'warrant: decides whether an AI agent may act, and proves afterwards why',
    '',
    'Usage: warrant COMMAND [WORDS] [OPTIONS]',
    '',
    ...lines(table),
    '',
    "'warrant COMMAND --help' explains one. Start with 'warrant init'.",
    '',
  ].join('\n');
}

/** The commands of one group, such as `graph`. */
export function groupHelp(group: string, table: readonly CommandEntry[]): string {
  const members = table.filter((entry) => entry.name === group || entry.name.startsWith(`${group} `));
  return [`Commands of 'warrant ${group}':`, '', ...lines(members), ''].join('\n');
}

/** The other commands of a command that has some, such as `review`, to stand below its help; nothing for others. */
export function membersHelp(name: string, table: readonly CommandEntry[]): string {
  const has = table.some((entry) => entry.name.startsWith(`${name} `));
  return has ? `\n${groupHelp(name, table)}` : '';
}

/** What stands below the help of each command. */
export function commandHelp(): string {
  return '\nExit codes: 0 done or yes, 1 no, 2 wrong use or bad input, 3 not there, 4 waits for a person, 5 a file or database failed.\n';
}

/** ` Did you mean 'x'?` for the nearest command, or nothing. */
export function suggestion(word: string, table: readonly CommandEntry[]): string {
  const firsts = [...new Set(table.map((entry) => entry.name.split(' ')[0] as string))];
  const near = nearest(word, firsts);
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}

function lines(entries: readonly CommandEntry[]): readonly string[] {
  const width = Math.max(0, ...entries.map((entry) => entry.name.length));
  return entries.map((entry) => `  ${entry.name.padEnd(width)}  ${entry.summary}`);
}
