import { motionOf } from './directories.ts';
import type { Frame, Gathered, Names, Scope } from './frame.ts';
import type { Directories } from './paths.ts';
import type { Walk } from './simple.ts';
import { readScript } from './syntax/reader.ts';
import type { HazardCode, Reading } from './syntax/tree.ts';
import type { Span, UnknownCode } from './types.ts';
import type { ScriptText } from './wrappers/outcome.ts';

/** Scripts inside scripts beyond this depth are unknown. */
const MAX_DEPTH = 16;

/** Parses a text that a wrapper runs and walks it in the wrapper's place. */
export function runScript(script: ScriptText, frame: Frame, scope: Scope, walk: Walk): Directories {
  const { gathered } = frame;
  const [first] = script.from;
  const last = script.from.at(-1);
  const whole = frame.span(first?.pos ?? 0, last?.end ?? 0);
  gathered.budget -= script.text.length;
  if (frame.depth >= MAX_DEPTH || gathered.budget < 0) {
    gathered.unknowns.push({ code: 'too-deep', span: whole, word: null });
    gathered.commands.push(unreadable(frame, whole));
    return scope.directories;
  }
  const shares = script.sharesShell === true;
  const names: Names = shares ? frame.names : new Map();
  const placeholder = script.placeholder ?? frame.placeholder;
  const reading = readScript(script.text, placeholder === null ? {} : { placeholder });
  const span = spanOf(script, frame, whole);
  const inner: Frame = {
    ...frame,
    source: script.text,
    moves: motionOf(script.text),
    span,
    depth: frame.depth + 1,
    names,
    placeholder,
  };
  note(gathered, reading, inner);
  return walk(reading.script.node, inner, scope);
}

function unreadable(frame: Frame, span: Span): Gathered['commands'][number] {
  const { wrappers, viaSubstitution, remote } = frame;
  const none = { reads: [], writes: [], deletes: [], changesState: false, network: false } as const;
  const unknowns = [{ code: 'too-deep', span, word: null }] as const;
  return {
    argv: [null],
    words: [{ text: null, span }],
    wrappers,
    viaSubstitution,
    remote,
    class: 'unknown',
    ...none,
    unknowns,
  };
}

/** Positions in the script point into the line where its text stands there as it is, else at the whole word. */
function spanOf(script: ScriptText, frame: Frame, whole: Span): Frame['span'] {
  const [only] = script.from;
  if (script.from.length !== 1 || only === undefined) return () => whole;
  for (const offset of [only.pos, only.pos + 1]) {
    if (frame.source.startsWith(script.text, offset)) return (pos, end) => frame.span(offset + pos, offset + end);
  }
  return () => whole;
}

const HAZARDS: Readonly<Record<HazardCode, UnknownCode>> = {
  'indirect-expansion': 'indirect-expansion',
  'prompt-expansion': 'prompt-expansion',
  'test-variable': 'test-variable',
  'sensitive-variable': 'sensitive-variable',
};

/** Takes over what a reading noticed besides the commands. */
export function note(gathered: Gathered, reading: Reading, frame: Frame): void {
  for (const { message, pos } of reading.problems) gathered.problems.push({ message, span: frame.span(pos, pos) });
  for (const { code, pos, end } of reading.hazards) {
    gathered.unknowns.push({ code: HAZARDS[code], span: frame.span(pos, end), word: null });
  }
  for (const [name, { kind, pos }] of reading.names) addName(frame.names, name, kind, frame.span(pos, pos).start);
  for (const place of reading.places) gathered.places.push({ place, names: frame.names, span: frame.span });
}

function addName(names: Names, name: string, kind: 'integer' | 'other', pos: number): void {
  const known = names.get(name);
  names.set(name, { kind: known?.kind === 'other' ? 'other' : kind, pos: Math.min(pos, known?.pos ?? pos) });
}
