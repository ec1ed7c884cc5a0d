import type { DepthLevel, Json, JsonObject } from '@warrant/core';
import { canonicalJson, isWellFormed, nearest } from '@warrant/core';
import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { quote } from '../text.ts';
import { DOCUMENT_LIMITS, LEVEL_WORDS, type Place } from './format.ts';
import type { DocumentProblemCode } from './problems.ts';
import type { Source } from './source.ts';

/** A node with the path that leads to it. */
export type At = { readonly source: Source; readonly node: Node | null; readonly path: string };
/** One member of a map: its key as text, and its value. */
export type Member = { readonly key: string; readonly at: At; readonly value: At };

/** Notes a fault at a node. @returns undefined, so that readers can return it */
export function note(at: At, code: DocumentProblemCode, message: string, suggestion: string | null = null): undefined {
  if (at.source.problems.length > DOCUMENT_LIMITS.problems) return undefined;
  at.source.problems.push({ ...placeOf(at), code, message, suggestion });
  return undefined;
}

export function placeOf({ source, node, path }: At): Place {
  return source.place(node, path);
}

/** True for a value that was left out, as in `existence:`. */
export function isNothing({ node }: At): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/** The members of a map, keys as they are written, each once; undefined with the fault noted for anything else. */
export function readMap(at: At, what: string): readonly Member[] | undefined {
  if (!isMap(at.node)) return note(at, 'document.type', `${what} is a map`);
  const members: Member[] = [];
  const seen = new Set<string>();
  for (const pair of at.node.items as Pair<Node, Node | null>[]) {
    const key = keyText(pair.key);
    const keyAt = { source: at.source, node: pair.key, path: at.path };
    if (key === null) {
      note(keyAt, 'document.type', 'a key is a plain word');
      continue;
    }
    const path = `${at.path}/${key.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 200)}`;
    const member = { key, at: { ...keyAt, path }, value: { source: at.source, node: pair.value, path } };
    if (seen.has(key)) note(member.at, 'document.duplicate-key', 'the same key is there twice');
    else members.push(member);
    seen.add(key);
  }
  return members;
}

// A concept may be called 12 or null: the key counts as it is written.
function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null;
  if (typeof key.value === 'string') return key.value;
  return key.source ?? String(key.value);
}

export function readList(at: At, what: string): readonly At[] | undefined {
  if (!isSeq(at.node)) return note(at, 'document.type', `${what} is a list`);
  return (at.node.items as (Node | null)[]).map((node, index) => ({
    source: at.source,
    node,
    path: `${at.path}/${index}`,
  }));
}

/** Text that is written as text or reads as a number, a boolean and the like. */
export function readText(at: At, what: string, limit: number): string | undefined {
  if (!isScalar(at.node) || at.node.value === null) return note(at, 'document.type', `${what} is a text`);
  const text = typeof at.node.value === 'string' ? at.node.value : (at.node.source ?? '');
  return checkText(at, text, what, limit);
}

const CONTROL = /\p{Cc}/u;

/** True for a name or id that a document may hold without quotes, apart from what YAML asks for. */
export function isPlain(text: string): boolean {
  return text === text.trim() && !CONTROL.test(text);
}

/** Notes what no name or id in a document may hold. What stands in quotes is meant as it stands. */
export function checkText(at: At, text: string, what: string, limit: number): string | undefined {
  if (text.length > limit) return note(at, 'document.limit', `${what} has more than ${limit} characters`);
  if (text === '') return note(at, 'document.type', `${what} is empty`);
  if (!isWellFormed(text)) return note(at, 'document.type', `${what} holds a lone surrogate`);
  if (isPlain(text) || isQuoted(at)) return text;
  if (text !== text.trim()) return note(at, 'document.type', `${what} begins or ends with white space`, text.trim());
  return note(at, 'document.type', `${what} holds a control character`);
}

function isQuoted({ node }: At): boolean {
  return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
}

/** Notes every key that is not among the known ones. */
export function noteUnknown(members: readonly Member[], known: readonly string[], what: string): void {
  for (const { key, at } of members) {
    if (known.includes(key)) continue;
    note(at, 'document.unknown-key', `${what} has no key ${quote(key)}`, nearest(key, known));
  }
}

const LEVEL = /^D?(-?\d+(?:\.\d+)?)$/i;

/** A level by word (`identity`), number (`1`) or both (`D1`); null when the text is no level at all. */
export function levelOf(text: string): DepthLevel | 'out-of-range' | null {
  const word = LEVEL_WORDS.indexOf(text as (typeof LEVEL_WORDS)[number]);
  if (word >= 0) return word as DepthLevel;
  const number = LEVEL.exec(text)?.[1];
  if (number === undefined) return /^[-+]?\.(?:nan|inf)$/i.test(text) ? 'out-of-range' : null;
  const level = Number(number);
  return Number.isInteger(level) && level >= 0 && level <= 4 ? ((level + 0) as DepthLevel) : 'out-of-range';
}

/** The level that a scalar names. */
export function readLevel(at: At): DepthLevel | undefined {
  const text = isScalar(at.node) ? (at.node.source ?? String(at.node.value)) : null;
  const level = text === null ? null : levelOf(text);
  if (level === 'out-of-range') return note(at, 'document.depth-range', `the depth ${quote(text ?? '')} is not 0 to 4`);
  if (level !== null) return level;
  const meant = text === null ? null : nearest(text, LEVEL_WORDS);
  return note(at, 'document.type', `a depth is one of ${LEVEL_WORDS.join(', ')}, or 0 to 4`, meant);
}

/** Plain data as JSON; undefined with the fault noted for what JSON cannot say. */
export function readJson(at: At, depth = 0): Json | undefined {
  const { node } = at;
  if (depth > DOCUMENT_LIMITS.nesting) {
    return note(at, 'document.limit', `nested deeper than ${DOCUMENT_LIMITS.nesting}`);
  }
  if (isNothing(at)) return null;
  if (isScalar(node)) return readScalar(at, node.value);
  if (isSeq(node)) {
    const items = (readList(at, 'this') ?? []).map((item) => readJson(item, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const members = (readMap(at, 'this') ?? []).map(({ key, at: keyAt, value }) => {
    const isKey = isWellFormed(key) || note(keyAt, 'document.type', 'the key holds a lone surrogate');
    return [key, isKey === true ? readJson(value, depth + 1) : undefined] as const;
  });
  if (!members.every((member): member is readonly [string, Json] => member[1] !== undefined)) return undefined;
  return Object.fromEntries(members);
}

function readScalar(at: At, value: unknown): Json | undefined {
  if (typeof value === 'string') {
    return isWellFormed(value) ? value : note(at, 'document.type', 'the text holds a lone surrogate');
  }
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  return note(at, 'document.type', 'not a value that JSON has');
}

export function readObject(at: At, what: string): JsonObject | undefined {
  if (!isMap(at.node)) return note(at, 'document.type', `${what} is a map`);
  return readJson(at) as JsonObject | undefined;
}

/** What one character of a document becomes at most in JSON: `9e20` has 21 digits there, `{a,b}` gives two members. */
const JSON_CHARACTERS = 6;

/** Notes an object that no store keeps, since its canonical JSON is too long. */
export function checkSize(at: At, object: JsonObject, what: string, limit: number): void {
  const [start, , end] = at.node?.range ?? [0, 0, 0];
  if ((end - start) * JSON_CHARACTERS <= limit) return;
  const { length } = canonicalJson(object);
  if (length > limit) note(at, 'document.limit', `${what} of ${length} characters of JSON: at most ${limit} are kept`);
}
