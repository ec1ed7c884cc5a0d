import type { Assignment as ParserAssignment, Command as ParserCommand, Word as ParserWord, Redirection } from 'unbash';
import { isInteger } from './arithmetic.ts';
import { addPlace, endOf, posOf, type ReadContext, setName } from './context.ts';
import { readRedirect } from './redirect.ts';
import type { Assignment, Redirect, Script, SimpleCommand, Word } from './tree.ts';
import { innerScripts, isPlain, joinWords, literal, readParts, readQuoted, readWord, wordsOf } from './words.ts';

/** Reads words one after the other, those that belong together as one. */
export function readWords(context: ReadContext, words: readonly ParserWord[]): readonly Word[] {
  const found: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const run = adjacentRun(words, at);
    found.push(...wordsOf(context, run));
    at += run.length - 1;
  }
  return found;
}

const NO_WORDS: readonly ParserWord[] = [];

/** The words that directly follow the item at `at`, without a blank between; most items have none. */
function gluedTo(items: readonly Item[], at: number): readonly ParserWord[] {
  const next = items[at + 1];
  return next?.type === 'Word' && next.pos === items[at]?.end ? adjacentRun(items, at + 1) : NO_WORDS;
}

function adjacentRun(words: readonly (ParserWord | ParserAssignment | Redirection)[], at: number): ParserWord[] {
  const run: ParserWord[] = [];
  for (let next = at; next < words.length; next += 1) {
    const word = words[next];
    if (word?.type !== 'Word') break;
    const last = run.at(-1);
    if (last !== undefined && last.end !== word.pos) break;
    run.push(word);
  }
  return run;
}

const ASSIGNS = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;

/** Reads a simple command: its words, what it assigns and where it redirects. */
export function readSimple(context: ReadContext, node: ParserCommand): SimpleCommand {
  const items = itemsOf(node);
  checkGaps(context, items, node);
  const state: SimpleState = { words: [], assignments: [], redirects: [], inner: [], named: false };
  for (let at = 0; at < items.length; at += 1) at = readItem(context, items, at, state);
  const { words, assignments, redirects, inner } = state;
  const pos = posOf(context, node.pos);
  return { type: 'simple', words, assignments, redirects, inner, pos, end: endOf(context, node.end) };
}

function addInner(state: SimpleState, inner: readonly Script[]): void {
  if (inner.length > 0) state.inner.push(...inner);
}

function itemsOf(node: ParserCommand): readonly Item[] {
  if (node.name === undefined) return [...node.prefix, ...node.suffix];
  return node.prefix.length === 0 ? [node.name, ...node.suffix] : [...node.prefix, node.name, ...node.suffix];
}

type SimpleState = {
  readonly words: Word[];
  readonly assignments: Assignment[];
  readonly redirects: Redirect[];
  readonly inner: Script[];
  named: boolean;
};
type Item = ParserWord | ParserAssignment | Redirection;

/** Reads the item at `at` with the neighbours that belong to it; returns the index of the last one. */
function readItem(context: ReadContext, items: readonly Item[], at: number, state: SimpleState): number {
  const item = items[at];
  if (item === undefined) return at;
  if (item.type === 'Word') return readWordItem(context, items, at, state);
  if (item.type !== 'Assignment') {
    const one = readRedirect(context, item, gluedTo(items, at), item.end);
    state.redirects.push(one);
    addInner(state, one.inner);
    return at + (one.target === null ? 0 : gluedAfter(items, at));
  }
  const glued = item.text.endsWith('=') ? gluedTo(items, at) : NO_WORDS;
  if (state.named) {
    const word = assignmentWord(context, item);
    state.words.push(word);
    addInner(state, word.inner);
    return at;
  }
  const one = assignment(context, item, glued);
  state.assignments.push(one);
  addInner(state, one.inner);
  return at + glued.length;
}

/** How many words directly follow the item without a blank. */
function gluedAfter(items: readonly Item[], at: number): number {
  const run = gluedTo(items, at);
  return run[0]?.text.startsWith('<(') === true ? run.length : 0;
}

function readWordItem(context: ReadContext, items: readonly Item[], at: number, state: SimpleState): number {
  const item = items[at];
  const next = items[at + 1];
  const alone = next?.type !== 'Word' || next.pos !== item?.end;
  if (alone && item?.type === 'Word' && (state.named || state.assignments.length === 0)) {
    addWords(context, item, state);
    return at;
  }
  const run = adjacentRun(items, at);
  const [first] = run;
  if (first === undefined) return at;
  const assigns = state.named ? null : ASSIGNS.exec(first.text);
  // The parser takes `x=<(a) y=1 z` for a command named by the substitution; what follows still assigns.
  if (assigns !== null && state.assignments.length > 0) {
    const value = wordsOf(context, run);
    const inner = value.flatMap((word) => word.inner);
    const one: Assignment = { name: assigns[1] ?? '', value: null, pos: first.pos, end: first.end, inner };
    setName(context, one.name, 'other', first);
    state.assignments.push(one);
    addInner(state, one.inner);
  } else {
    const words = wordsOf(context, run);
    state.words.push(...words);
    for (const word of words) addInner(state, word.inner);
    state.named = true;
  }
  return at + run.length - 1;
}

function addWords(context: ReadContext, item: ParserWord, state: SimpleState): void {
  state.named = true;
  if (isPlain(context, item.text)) {
    state.words.push(literal(item.text, posOf(context, item.pos), endOf(context, item.end), 'no'));
    return;
  }
  const quoted = readQuoted(context, item);
  if (quoted !== null) {
    state.words.push(quoted);
    return;
  }
  for (const word of readParts(context, item)) {
    state.words.push(word);
    addInner(state, word.inner);
  }
}

function isFollowedByParenthesis(source: string, from: number): boolean {
  let at = from;
  while (source.charCodeAt(at) === 32 || source.charCodeAt(at) === 9) at += 1;
  return source.charCodeAt(at) === 40;
}

/** The parser drops characters in some lines that bash rejects (`np(m publish`): nothing but blanks may lie between. */
function checkGaps(context: ReadContext, items: readonly Item[], node: ParserCommand): void {
  // A lone name with a parenthesis that never became a function.
  if (items.length === 1 && node.name !== undefined && isFollowedByParenthesis(context.source, node.end)) {
    context.problems.push({ message: "unexpected token '('", pos: posOf(context, node.end) });
  }
  let next = node.pos;
  for (let at = 0; at <= items.length; at += 1) {
    const item = items[at];
    const from = next;
    const to = item === undefined ? node.end : item.pos;
    if (item !== undefined) next = item.end;
    if (to <= from || (to - from === 1 && context.source.charCodeAt(from) === 32)) continue;
    if (!/^(?:\s|\\\r?\n)*$/.test(context.source.slice(from, to))) {
      context.problems.push({ message: 'unexpected characters between words', pos: posOf(context, from) });
    }
  }
}

function assignment(context: ReadContext, node: ParserAssignment, glued: readonly ParserWord[]): Assignment {
  const span = { pos: posOf(context, node.pos), end: endOf(context, glued.at(-1)?.end ?? node.end) };
  const inner: Script[] = [];
  if (node.index !== undefined) {
    addPlace(context, node.index.text, node);
    inner.push(...innerScripts(context, node.index));
  }
  if (node.value.type === 'ArrayValue') {
    for (const word of readWords(context, node.value.elements)) inner.push(...word.inner);
    setName(context, node.name, 'other', node);
    return { name: node.name, value: null, ...span, inner };
  }
  const words = glued.length > 0 ? joinWords(context, glued) : readWord(context, node.value);
  const value = words.length === 1 ? (words[0] ?? null) : null;
  for (const word of words) inner.push(...word.inner);
  setName(context, node.name, isIntegerValue(node.value, value) ? 'integer' : 'other', node);
  return { name: node.name, value, ...span, inner };
}

function isIntegerValue(node: ParserWord, value: Word | null): boolean {
  if (value?.text != null) return isInteger(value.text);
  return /^"?\$\(\((?:[^()]|\([^()]*\))*\)\)"?$/.test(node.text);
}

function assignmentWord(context: ReadContext, node: ParserAssignment): Word {
  const one = assignment(context, node, []);
  const at = node.text.indexOf('=');
  const head = node.index === undefined ? node.text.slice(0, at + 1) : `${node.name}[`;
  const plain = one.value !== null && one.value.text !== null && node.index === undefined;
  if (plain) return { ...literal(head + one.value.text, one.pos, one.end, 'no'), inner: one.inner, assignment: true };
  const words = { pos: one.pos, end: one.end, lead: head, operandOnly: true, splits: false, tilde: 'no' } as const;
  return { ...words, text: null, inner: one.inner, assignment: true };
}
