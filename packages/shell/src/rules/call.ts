import type { Names } from '../frame.ts';
import { type ParsedArguments, parseArguments, tableOf } from '../options.ts';
import type { Sink } from '../sink.ts';
import type { Redirect, Word } from '../syntax/tree.ts';
import type { ProgramSpec } from '../table/spec.ts';
import type { ScriptText } from '../wrappers/outcome.ts';

/** One call of a program that the table knows. */
export type ProgramCall = {
  readonly name: string;
  /** The program's word. */
  readonly own: Word;
  readonly args: readonly Word[];
  readonly spec: ProgramSpec;
  readonly sink: Sink;
  /** The redirection that gives its standard input; null for the shell's own or a pipe. */
  readonly input: Redirect | null;
  /** The variables of the shell. */
  readonly names: Names;
  /** Further commands that the call starts itself, such as those of `find -exec`. */
  readonly starts: Started[];
};

/** A command that a program starts by itself. */
export type Started =
  | { readonly label: string; readonly words: readonly Word[]; readonly directory?: null }
  | { readonly label: string; readonly script: ScriptText };

/** Notes that the call gives a shell variable a value that may be no integer. */
export function assign(call: ProgramCall, name: string): void {
  call.names.set(name, { kind: 'other', pos: 0 });
}

export type Rule = (call: ProgramCall) => void;

/** True where one of the words, such as `--version`, is all that the program is asked for. */
export function asksOnly({ args: [first, second] }: ProgramCall, ...words: readonly string[]): boolean {
  return second === undefined && first?.text != null && words.includes(first.text);
}

/** The call's arguments under its own options, or under others that a rule brings along. */
export function parse(call: ProgramCall, options = call.spec.options ?? ''): ParsedArguments {
  return parseArguments(call.args, tableOf(options));
}
