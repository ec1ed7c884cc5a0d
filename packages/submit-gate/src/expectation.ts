import type { Json, JsonObject } from '@warrant/core';
import { shownText, structured } from './answer-text.ts';
import type { Expectation, ExpectationAnswer } from './types.ts';

/** Longest text of an expectation that the state keeps, in characters. */
export const LONGEST_EXPECTATION = 512;
const ASSIGNMENT = /^\s*["']?([\w.\-/]+)["']?\s*[:=]\s*(.+?)\s*,?$/;
const DEEPEST = 16;

/** Holds a read-back against what was expected: it matches, shows something else, or says nothing about it. */
export function checkExpectation(result: Json, expectation: Expectation): ExpectationAnswer {
  const { value } = expectation;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return checkObject(result, value as JsonObject);
  if (typeof value === 'string') return checkText(plainLines(shownText(result)), value, expectation);
  return checkScalar(result, value);
}

/** Without line numbers in front, trailing blanks and carriage returns. */
function plainLines(text: string): string {
  return text.replace(/^ *\d+(?:\t|→|: |\| ?)/gm, '').replace(/[ \t\r]+$/gm, '');
}

function checkText(text: string, raw: string, expectation: Expectation): ExpectationAnswer {
  const value = raw.replace(/[ \t\r]+$/gm, '').trim();
  if (expectation.replaces !== undefined && value === '') {
    const old = expectation.replaces.replace(/[ \t\r]+$/gm, '').trim();
    return old !== '' && text.includes(old) ? { type: 'differs', found: short(old) } : { type: 'matches' };
  }
  if (value === '' || text.includes(value) || squeezed(text).includes(squeezed(value))) return { type: 'matches' };
  if (
    expectation.replaces !== undefined &&
    expectation.replaces.trim() !== '' &&
    text.includes(expectation.replaces.trim())
  ) {
    return { type: 'differs', found: short(expectation.replaces.trim()) };
  }
  const other = otherAssignment(text, value);
  if (other !== null) return { type: 'differs', found: short(other) };
  const whole =
    expectation.type === 'derived' && expectation.replaces === undefined && raw.length < LONGEST_EXPECTATION;
  if (whole && sharesNoLine(text, value)) return { type: 'differs', found: short(text.trim()) };
  return { type: 'silent' };
}

/** Without what a formatter may put in or leave out. */
function squeezed(text: string): string {
  return text.replace(/[\s;,()"'`]+/g, '');
}

/** A line of `text` that assigns something else to a name which `value` assigns. */
function otherAssignment(text: string, value: string): string | null {
  const wanted = new Map<string, string>();
  for (const line of value.split('\n')) {
    const match = ASSIGNMENT.exec(line.slice(0, 400));
    if (match !== null) wanted.set(match[1] as string, match[2] as string);
  }
  if (wanted.size === 0) return null;
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = ASSIGNMENT.exec(line.slice(0, 400));
    if (match === null || !wanted.has(match[1] as string)) continue;
    if (wanted.get(match[1] as string) === match[2]) wanted.delete(match[1] as string);
    else found.set(match[1] as string, line.trim());
  }
  for (const [name, line] of found) if (wanted.has(name)) return line;
  return null;
}

function sharesNoLine(text: string, value: string): boolean {
  const shown = new Set(text.split('\n').map((line) => line.trim()));
  const wanted = value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 3);
  return wanted.length > 0 && text.trim() !== '' && wanted.every((line) => !shown.has(line));
}

function checkObject(result: Json, wanted: JsonObject): ExpectationAnswer {
  const value = structured(result);
  const holder = typeof value === 'object' && value !== null ? holderOf(value, Object.keys(wanted), 0) : null;
  if (holder !== null) {
    for (const [key, item] of Object.entries(wanted)) {
      if (Object.hasOwn(holder, key) && !sameJson(holder[key] as Json, item))
        return { type: 'differs', found: short(`${key}: ${JSON.stringify(holder[key])}`) };
    }
    return Object.keys(wanted).every((key) => Object.hasOwn(holder, key)) ? { type: 'matches' } : { type: 'silent' };
  }
  const lines = Object.entries(wanted).map(
    ([key, item]) => `${key}=${typeof item === 'string' ? item : JSON.stringify(item)}`,
  );
  const text = plainLines(shownText(result));
  const assigned = text
    .split('\n')
    .map((line) => ASSIGNMENT.exec(line.slice(0, 400)))
    .filter((match) => match !== null);
  const other = otherAssignment(text, lines.join('\n'));
  if (other !== null) return { type: 'differs', found: short(other) };
  const all = Object.entries(wanted).every(([key, item]) =>
    assigned.some(
      (match) =>
        match[1] === key && unquoted(match[2] as string) === (typeof item === 'string' ? item : JSON.stringify(item)),
    ),
  );
  return { type: all ? 'matches' : 'silent' };
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

function holderOf(value: object, keys: readonly string[], depth: number): JsonObject | null {
  if (!Array.isArray(value) && keys.some((key) => Object.hasOwn(value, key))) return value as JsonObject;
  if (depth >= DEEPEST) return null;
  for (const item of Object.values(value) as Json[]) {
    const found = typeof item === 'object' && item !== null ? holderOf(item, keys, depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}

function sameJson(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function checkScalar(result: Json, value: Json): ExpectationAnswer {
  const shown = structured(result);
  if (sameJson(shown, value)) return { type: 'matches' };
  return typeof shown === 'object' && shown !== null
    ? { type: 'silent' }
    : { type: 'differs', found: short(JSON.stringify(shown)) };
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** The expectation cut to what the state may hold; null when nothing is left to hold against. */
export function keptExpectation(expectation: Expectation): Expectation | null {
  const { value } = expectation;
  if (typeof value === 'string') {
    const replaces =
      expectation.replaces === undefined ? {} : { replaces: expectation.replaces.slice(0, LONGEST_EXPECTATION) };
    return { type: expectation.type, value: value.slice(0, LONGEST_EXPECTATION), ...replaces };
  }
  return JSON.stringify(value).length <= 2 * LONGEST_EXPECTATION ? expectation : null;
}
