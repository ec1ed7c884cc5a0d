import type { Directories } from './paths.ts';
import type { Place, Sink } from './sink.ts';
import type { ArithmeticPlace, NameUse } from './syntax/tree.ts';
import type { ProgramLookup } from './table/lookup.ts';
import type { AnalysedCommand, PathEffect, Span, TargetKind, Unknown } from './types.ts';

/** What the analysis of a whole line gathers. */
export type Gathered = {
  readonly commands: AnalysedCommand[];
  readonly reads: PathEffect[];
  readonly writes: PathEffect[];
  readonly deletes: PathEffect[];
  readonly optionReads: PathEffect[];
  readonly unknowns: Unknown[];
  readonly unnamed: Set<TargetKind>;
  readonly problems: { readonly message: string; readonly span: Span }[];
  /** Places of arithmetic, judged at the end when all assignments are known. */
  readonly places: { readonly place: ArithmeticPlace; readonly names: Names; readonly span: Frame['span'] }[];
  readonly home: string | undefined;
  readonly lookup: ProgramLookup;
  /** Characters of nested scripts that may still be parsed. */
  budget: number;
  changes: boolean;
  network: boolean;
};

/** The variables of one shell process; `pos` is a place in the analysed line. */
export type Names = Map<string, NameUse>;

/** One script under analysis: the line itself, or a text that a wrapper runs. */
export type Frame = {
  readonly gathered: Gathered;
  readonly source: string;
  /** Whether anything in the script may change the working directory. */
  readonly moves: () => boolean;
  readonly span: (pos: number, end: number) => Span;
  readonly wrappers: readonly string[];
  readonly viaSubstitution: boolean;
  readonly remote: boolean;
  readonly depth: number;
  readonly names: Names;
  readonly placeholder: string | null;
};

/** What commands of one shell process share and a subshell copies. */
export type Scope = {
  directories: Directories;
  /** Functions by name; false where the definition may not have been reached. */
  functions: Map<string, boolean>;
};

/** Stands for none at all and is never written to: most lines define no function. */
const NO_FUNCTIONS = new Map<string, boolean>();

/** What holds where a line begins. */
export function createScope(directory: string | undefined): Scope {
  return { directories: directory === undefined ? null : [directory], functions: NO_FUNCTIONS };
}

export function addFunction(scope: Scope, name: string): void {
  if (scope.functions === NO_FUNCTIONS) scope.functions = new Map();
  scope.functions.set(name, true);
}

/** A copy, as a subshell has it. */
export function fork(scope: Scope): Scope {
  return {
    directories: scope.directories,
    functions: scope.functions.size === 0 ? NO_FUNCTIONS : new Map(scope.functions),
  };
}

export function placeOf(frame: Frame, scope: Scope): Place {
  const { remote, span, gathered } = frame;
  return { directories: scope.directories, home: gathered.home, remote, span };
}

/** Adds what one command does to what the line does. */
export function merge(gathered: Gathered, sink: Sink): void {
  if (sink.reads.length > 0) gathered.reads.push(...sink.reads);
  if (sink.writes.length > 0) gathered.writes.push(...sink.writes);
  if (sink.deletes.length > 0) gathered.deletes.push(...sink.deletes);
  if (sink.optionReads.length > 0) gathered.optionReads.push(...sink.optionReads);
  if (sink.unknowns.length > 0) gathered.unknowns.push(...sink.unknowns);
  for (const kind of sink.unnamed) gathered.unnamed.add(kind);
  gathered.changes ||= sink.changes;
  gathered.network ||= sink.network;
}
