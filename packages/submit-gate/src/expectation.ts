import { clipText, type Json, type JsonObject } from '@warrant/core';
import { shownText, structured } from './answer-text.ts';
import { jsonText } from './text/json-text.ts';
import type { Expectation, ExpectationAnswer } from './types.ts';

/** Longest text of an expectation that the state keeps, in characters. */
export const LONGEST_EXPECTATION = 512;
/** Levels of nesting that a stated expectation may have. */
export const DEEPEST_EXPECTATION = 64;
const ASSIGNMENT = /^["']?([\w.\-/]+)["']?\s*[:=]\s*(\S.*)$/;
/** Characters of a line that are read as an assignment. */
const LONGEST_LINE = 400;
const DEEPEST = 16;
const LONGEST_FOUND = 120;

const NO_TEXTS: readonly string[] = Object.freeze([]);
const SILENT: ExpectationAnswer = Object.freeze({ type: 'silent' });
const MATCHES: ExpectationAnswer = Object.freeze({ type: 'matches' });

function differs(found: string): ExpectationAnswer {
  return { type: 'differs', found: found.length > LONGEST_FOUND ? `${clipText(found, LONGEST_FOUND - 1)}…` : found };
}

/** Holds a read-back against what was expected: it matches, shows something else, or says nothing about it. */
export function checkExpectation(result: Json, expectation: Expectation): ExpectationAnswer {
  const { value } = expectation;
  if (typeof value === 'string') return checkText(textsOf(result), value, expectation);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return checkValue(result, value);
  return checkObject(result, value as JsonObject);
}

/** The text without line numbers in front, and as it is where that is another: what looks like a number may be a name. */
function textsOf(result: Json): readonly [string, ...string[]] {
  const text = shownText(result);
  const plain = text.replace(/^ *\d+(?:\t|→|: |\| ?)/gm, '');
  return plain === text ? [trimmedLines(text)] : [trimmedLines(plain), trimmedLines(text)];
}

/** Without blanks and carriage returns at the ends of lines. */
function trimmedLines(text: string): string {
  return text.replace(/(?<![ \t\r])[ \t\r]+$/gm, '');
}

function checkText(
  texts: readonly [string, ...string[]],
  value: string,
  { type, replaces }: Expectation,
): ExpectationAnswer {
  const wanted = trimmedLines(value).trim();
  const old = trimmedLines(replaces ?? '').trim();
  const showsOld = old !== '' && texts.some((text) => text.includes(old));
  if (wanted === '') return showsOld ? differs(old) : MATCHES;
  const isCut = type === 'derived' && value.length >= LONGEST_EXPECTATION;
  // An edit may have replaced a part of a word; what was cut may end within one.
  const edges = { start: replaces === undefined, end: replaces === undefined && !isCut };
  if (texts.some((text) => findsText(text, wanted, edges) || findsLoosely(text, wanted, edges))) return MATCHES;
  if (showsOld) return differs(old);
  const assigned = new Map<string, readonly string[]>();
  for (const { name, text } of assignments([value]))
    assigned.set(name, [...(assigned.get(name) ?? NO_TEXTS), ...readingsOf(text)]);
  const answer = checkAssigned(texts, assigned);
  if (answer.type === 'differs') return answer;
  const whole = type === 'derived' && replaces === undefined && !isCut;
  return whole && sharesNoLine(texts, wanted) ? differs(texts[0].trim()) : SILENT;
}

/** Whether what is found may neither begin nor end within a longer word or number. */
type Edges = { readonly start: boolean; readonly end: boolean };

function findsText(text: string, wanted: string, edges: Edges): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (isWhole(text, at, at + wanted.length, edges)) return true;
  return false;
}

/** As {@link findsText}, whatever a formatter may put in or leave out. */
function findsLoosely(text: string, wanted: string, edges: Edges): boolean {
  const needle = squeezed(wanted);
  const hay = squeezed(text);
  if (needle === '' || !hay.includes(needle)) return false;
  const places: number[] = [];
  for (const match of text.matchAll(/[^\s;,()"'`]/g)) places.push(match.index);
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    const last = places[at + needle.length - 1] as number;
    if (isWhole(text, places[at] as number, last + 1, edges)) return true;
  }
  return false;
}

function squeezed(text: string): string {
  return text.replace(/[\s;,()"'`]/g, '');
}

function isWhole(text: string, start: number, end: number, edges: Edges): boolean {
  if (edges.start && isInWord(text, start)) return false;
  return !edges.end || !(isInWord(text, end) || /\d\.\d/.test(text.slice(end - 1, end + 2)));
}

/** True between two word characters; beyond ASCII words need not be told apart by blanks. */
function isInWord(text: string, at: number): boolean {
  return /\w\w/.test(text.slice(Math.max(0, at - 1), at + 1));
}

type Assignment = { readonly name: string; readonly text: string; readonly line: string };

/** Lines that assign something to a name. */
function assignments(texts: readonly string[]): readonly Assignment[] {
  const found: Assignment[] = [];
  for (const whole of texts.flatMap((text) => text.split('\n'))) {
    const line = clipText(whole, LONGEST_LINE).trim();
    const match = ASSIGNMENT.exec(line);
    if (match !== null) found.push({ name: match[1] as string, text: match[2] as string, line });
  }
  return found;
}

/** What an assigned text may stand for: itself, without the end of its line, its comment or its quotes. */
function readingsOf(text: string): readonly string[] {
  const bare = text.replace(/(?<!\s)\s+(?:#|\/\/).*/, '');
  return [text, unquoted(text), unquoted(bare)];
}

function unquoted(text: string): string {
  const value = text.replace(/[,;]$/, '').trimEnd();
  return value.replace(/^(["'])(.*)\1$/, '$2');
}

/** Holds the assignments of texts against the values that each name may have. */
function checkAssigned(texts: readonly string[], wanted: ReadonlyMap<string, readonly string[]>): ExpectationAnswer {
  const found = assignments(texts);
  let silent = false;
  for (const [name, values] of wanted) {
    const own = found.filter((item) => item.name === name);
    const other = own.at(-1);
    if (other === undefined) silent = true;
    else if (!own.some(({ text }) => readingsOf(text).some((reading) => values.includes(reading))))
      return differs(other.line);
  }
  return silent ? SILENT : MATCHES;
}

function sharesNoLine(texts: readonly string[], value: string): boolean {
  const shown = new Set(texts.flatMap((text) => text.split('\n').map((line) => line.trim())));
  shown.delete('');
  const wanted = value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 3);
  return shown.size > 0 && wanted.length > 0 && wanted.every((line) => !shown.has(line));
}

function checkObject(result: Json, wanted: JsonObject): ExpectationAnswer {
  const keys = Object.keys(wanted);
  const has = (key: string, object: object): boolean => Object.hasOwn(object, key);
  // The answer itself may be an envelope around what was meant.
  const values = [structured(result), structured(shownText(result))];
  const holder =
    holderOf(values, (object) => keys.every((key) => has(key, object)), 0) ??
    holderOf(values, (object) => keys.some((key) => has(key, object)), 0);
  if (holder !== null) {
    for (const key of keys) {
      const found = holder[key] as Json;
      if (has(key, holder) && !isSame(found, wanted[key] as Json)) return differs(`${key}: ${jsonText(found)}`);
    }
    return keys.every((key) => has(key, holder)) ? MATCHES : SILENT;
  }
  const texts = keys.map((key): [string, readonly string[]] => [key, [textOf(wanted[key] as Json)]]);
  return checkAssigned(textsOf(result), new Map(texts));
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The first object of which that is true, what is around before what is within. */
function holderOf(value: Json, isHolder: (object: object) => boolean, depth: number): JsonObject | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value) && isHolder(value)) return value as JsonObject;
  if (depth > DEEPEST) return null;
  for (const item of Object.values(value) as Json[]) {
    const found = holderOf(item, isHolder, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Equal as JSON: the order of members says nothing. */
function isSame(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const members = Object.entries(one) as readonly (readonly [string, Json])[];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    members.length === Object.keys(other).length &&
    members.every(([key, item]) => Object.hasOwn(other, key) && isSame(item, (other as JsonObject)[key] as Json))
  );
}

/** Numbers, truth values, null and lists: the answer is that value, as it is or as text. */
function checkValue(result: Json, value: Json): ExpectationAnswer {
  const shown = structured(result);
  const text = shownText(result).trim();
  if (isSame(shown, value) || isSame(structured(text), value) || text === JSON.stringify(value)) return MATCHES;
  return typeof shown === 'object' && shown !== null ? SILENT : differs(jsonText(shown));
}

/** The expectation cut to what the state may hold. */
export function keptExpectation(expectation: Expectation & { readonly value: string }): Expectation {
  const { type, value, replaces } = expectation;
  const cut = { type, value: clipText(value, LONGEST_EXPECTATION) };
  return replaces === undefined ? cut : { ...cut, replaces: clipText(replaces, LONGEST_EXPECTATION) };
}
