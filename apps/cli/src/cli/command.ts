import type { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import { type Style, styled, type Terminal } from './terminal.ts';
import { visible } from './visible.ts';

/** What each command understands besides its own options. */
type CommonOptions = { readonly json?: boolean; readonly directory?: string };

/** One file a command, loaded only when the command is called. */
export type CommandModule<Options = object> = {
  /** Declares arguments and options. */
  readonly configure: (command: Command) => void;
  /** What wrong use, such as these words, ends with, for a command whose own answers use that code. @default 2 */
  readonly usageExit?: (words: readonly string[]) => ExitCode;
  readonly run: (call: CommandCall<Options>) => Promise<ExitCode> | ExitCode;
};

/** One call of a command: its words, its options and where to print. */
export type CommandCall<Options = object> = {
  readonly words: readonly string[];
  readonly options: Options & CommonOptions;
  readonly terminal: Terminal;
  /** All commands, for those that speak of others. */
  readonly table: readonly CommandEntry[];
};

/** A line of the command table. */
export type CommandEntry = {
  /** `graph import` */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule<never>>;
};

/** Prints the value as JSON with `--json`, else the text. */
export function print(call: CommandCall, value: unknown, text: string): void {
  const out = call.options.json === true ? JSON.stringify(value, null, 2) : visible(text, call.terminal);
  call.terminal.write(out.endsWith('\n') ? out : `${out}\n`);
}

/** The text in a style, as this call's terminal can show it. */
export function paint(call: CommandCall, style: Style, text: string): string {
  return styled(call.terminal, style, text);
}
