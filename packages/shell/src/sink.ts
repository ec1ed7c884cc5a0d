import { type Directories, isSpecial, resolvePath } from './paths.ts';
import type { Word } from './syntax/tree.ts';
import type { PathEffect, Span, TargetKind, Unknown, UnknownCode } from './types.ts';

/** Where paths of a command belong. */
export type Place = {
  readonly directories: Directories;
  readonly home: string | undefined;
  /** Behind ssh, a container or chroot: effects count, paths do not. */
  readonly remote: boolean;
  /** The span of a position in the analysed line. */
  readonly span: (pos: number, end: number) => Span;
};

/** Gathers what one command does. Rules write to it and never read from it. */
export type Sink = {
  readonly place: Place;
  readonly reads: PathEffect[];
  readonly writes: PathEffect[];
  readonly deletes: PathEffect[];
  readonly optionReads: PathEffect[];
  readonly unknowns: Unknown[];
  readonly unnamed: TargetKind[];
  changes: boolean;
  /** A change that no path names. */
  changesState: boolean;
  network: boolean;
};

export function createSink(place: Place): Sink {
  return {
    place,
    reads: [],
    writes: [],
    deletes: [],
    optionReads: [],
    unknowns: [],
    unnamed: [],
    changes: false,
    changesState: false,
    network: false,
  };
}

type List = 'reads' | 'writes' | 'deletes' | 'optionReads';

/** Notes that the command touches the file which the word names. */
export function touch(sink: Sink, list: List, word: Word): void {
  const { place } = sink;
  if (word.text !== null && isSpecial(word.text)) return;
  if (list === 'writes' || list === 'deletes') sink.changes = true;
  if (place.remote) {
    if (list !== 'optionReads') sink.unnamed.push(list);
    return;
  }
  const resolved = word.text === null ? [] : resolvePath(word.text, word.tilde, place.directories, place.home);
  sink[list].push({ path: word.text, resolved, span: place.span(word.pos, word.end) });
}

export function touchAll(sink: Sink, list: List, words: readonly Word[]): void {
  for (const word of words) touch(sink, list, word);
}

/** Notes that the command touches a file that cannot be named; `word` is what to point at. */
export function touchUnnamed(sink: Sink, list: 'reads' | 'writes' | 'deletes', word: Word): void {
  touch(sink, list, { ...word, text: null });
}

/** Notes a change without a path that the line names. */
export function change(sink: Sink, ...kinds: readonly TargetKind[]): void {
  sink.changes = true;
  sink.changesState = true;
  for (const kind of kinds) sink.unnamed.push(kind);
}

export function unknown(
  sink: Sink,
  code: UnknownCode,
  word: Word | { pos: number; end: number; text?: string | null },
): void {
  sink.unknowns.push({ code, span: sink.place.span(word.pos, word.end), word: word.text ?? null });
}

/** A part of a word, such as the value in `--output=FILE`. */
export function part(word: Word, text: string): Word {
  return { ...word, text, lead: text, inner: [], tilde: text.startsWith('~') ? 'maybe' : 'no' };
}
