import { foreignShell } from './dialect.ts';
import { motionOf } from './directories.ts';
import { createScope, type Frame, type Gathered, type Names } from './frame.ts';
import type { Programs } from './programs.ts';
import { note } from './script.ts';
import { isAssignedBefore, isInert } from './syntax/arithmetic.ts';
import { readScript } from './syntax/reader.ts';
import type { ArithmeticPlace } from './syntax/tree.ts';
import { builtInPrograms, type ProgramLookup } from './table/lookup.ts';
import type { Analysis, PathEffect, ShellClass, Span, Unknown, UnknownCode } from './types.ts';
import { walk } from './walk.ts';

/** Longer lines are answered `unknown` with the code `input-too-long`. */
export const MAX_SOURCE_LENGTH = 65_536;

export type AnalyzeOptions = {
  /** The absolute working directory; without it relative paths stay unresolved. */
  readonly directory?: string;
  /** The absolute home directory for `~` and a bare `cd`. */
  readonly home?: string;
  /** Programs of your own, from {@link parsePrograms}. */
  readonly programs?: Programs;
  /** `auto` recognises PowerShell and cmd by their commands and answers `unknown`. @default 'auto' */
  readonly dialect?: 'auto' | 'bash';
};

/**
 * What the line would run, read, write and delete, without running anything. Never throws for any text:
 * what cannot be known is `unknown`, with a code and a position. The language is bash; links are not followed.
 */
export function analyzeCommand(source: string, options: AnalyzeOptions = {}): Analysis {
  if (source.length > MAX_SOURCE_LENGTH) return refused(source, 'input-too-long', source.length);
  if (options.dialect !== 'bash') {
    const foreign = foreignShell(source);
    if (foreign !== null) return refused(source, 'foreign-shell', foreign.end, foreign.start, foreign.word);
  }
  const gathered = gather(options);
  const reading = readScript(source);
  const frame: Frame = {
    gathered,
    source,
    moves: motionOf(source),
    span: spanAsIs,
    wrappers: [],
    viaSubstitution: false,
    remote: false,
    depth: 0,
    names: new Map(),
    placeholder: null,
  };
  note(gathered, reading, frame);
  walk(reading.script.node, frame, createScope(options.directory));
  return conclude(source, gathered);
}

function spanAsIs(start: number, end: number): Span {
  return { start, end };
}

function gather(options: AnalyzeOptions): Gathered {
  return {
    commands: [],
    reads: [],
    writes: [],
    deletes: [],
    optionReads: [],
    unknowns: [],
    unnamed: new Set(),
    problems: [],
    places: [],
    home: options.home,
    lookup: lookupOf(options.programs),
    budget: 4 * MAX_SOURCE_LENGTH,
    changes: false,
    network: false,
  };
}

function lookupOf(programs: Programs | undefined): ProgramLookup {
  const own = builtInPrograms();
  if (programs === undefined) return (name) => own.get(name);
  return (name) => programs.entries.get(name) ?? own.get(name);
}

function conclude(source: string, gathered: Gathered): Analysis {
  const { problems, commands } = gathered;
  const unknowns = gathered.places.length === 0 ? gathered.unknowns : [...gathered.unknowns, ...arithmetic(gathered)];
  for (const { span } of problems) unknowns.push({ code: 'syntax-error', span, word: null });
  const parse = problems.length > 0 ? 'error' : 'ok';
  const kind: ShellClass = unknowns.length > 0 ? 'unknown' : gathered.changes ? 'write' : 'read';
  const [reads, writes, deletes] = [unique(gathered.reads), unique(gathered.writes), unique(gathered.deletes)];
  return {
    source,
    parse,
    problems,
    commands,
    reads,
    writes,
    deletes,
    optionReads: unique(gathered.optionReads),
    unnamed: [...gathered.unnamed],
    network: gathered.network ? 'yes' : kind === 'unknown' ? 'unknown' : 'no',
    dynamic: hasUnknownWord(commands) || hasUnknownPath(kind === 'unknown' ? [] : reads, writes, deletes),
    class: kind,
    unknowns: unknowns.sort((a, b) => a.span.start - b.span.start),
  };
}

function hasUnknownWord(commands: Analysis['commands']): boolean {
  for (const { argv } of commands) if (argv.includes(null)) return true;
  return false;
}

function hasUnknownPath(...lists: readonly (readonly PathEffect[])[]): boolean {
  for (const list of lists) for (const { path } of list) if (path === null) return true;
  return false;
}

function arithmetic(gathered: Gathered): readonly Unknown[] {
  return gathered.places
    .filter(({ place, names, span }) => !isInertPlace(place, names, span(place.pos, place.end).start))
    .map(({ place, span }) => ({ code: 'arithmetic', span: span(place.pos, place.end), word: place.text }));
}

/** A name counts as an integer only behind its first assignment: before it, it holds what the environment gave. */
function isInertPlace(place: ArithmeticPlace, names: Names, start: number): boolean {
  return isInert(place.text, (name, offset) => {
    const known = names.get(name);
    if (known?.kind !== 'integer') return false;
    return known.pos < start || isAssignedBefore(place.text, name, offset);
  });
}

/** One entry a path; what resolves differently stays apart. */
function unique(effects: readonly PathEffect[]): readonly PathEffect[] {
  if (effects.length < 2) return effects;
  const seen = new Map<string, PathEffect>();
  for (const effect of effects) {
    const key = effect.path === null ? '' : `/${effect.path}\0${effect.resolved.join('\0')}`;
    if (!seen.has(key)) seen.set(key, effect);
  }
  return [...seen.values()];
}

function refused(source: string, code: UnknownCode, end: number, start = 0, word: string | null = null): Analysis {
  return {
    source,
    parse: code === 'foreign-shell' ? 'ok' : 'error',
    problems: [],
    commands: [],
    reads: [],
    writes: [],
    deletes: [],
    optionReads: [],
    unnamed: [],
    network: 'unknown',
    dynamic: false,
    class: 'unknown',
    unknowns: [{ code, span: { start, end }, word }],
  };
}
