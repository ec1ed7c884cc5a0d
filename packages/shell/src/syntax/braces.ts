/** A character of a word with whether it was quoted; only unquoted ones make braces. */
export type Char = { readonly char: string; readonly quoted: boolean };

/** More results than this make the word unknown. */
const MAX_BRACE_RESULTS = 64;

const RANGE = /^(?:([+-]?\d{1,15})\.\.([+-]?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.([+-]?\d{1,15}))?$/;

/** Longer words with braces are not expanded. */
const MAX_LENGTH = 4096;

/** Brace expansion of literal text; null with more than {@link MAX_BRACE_RESULTS} results. */
export function expandBraces(chars: readonly Char[]): readonly string[] | null {
  if (chars.length > MAX_LENGTH) return null;
  const results = expand(chars, MAX_BRACE_RESULTS);
  return results === null ? null : results.map((result) => result.map(({ char }) => char).join(''));
}

type Expanded = readonly (readonly Char[])[];

function expand(chars: readonly Char[], limit: number): Expanded | null {
  for (let at = 0; at < chars.length; at += 1) {
    if (!isLive(chars[at], '{') || isLive(chars[at - 1], '$')) continue;
    const close = closing(chars, at);
    if (close === -1) continue;
    const alternatives = alternativesOf(chars.slice(at + 1, close), limit);
    if (alternatives === 'none') continue;
    if (alternatives === null) return null;
    if (alternatives.length > limit) return null;
    return product(chars.slice(0, at), alternatives, chars.slice(close + 1), limit);
  }
  return [chars];
}

function product(head: readonly Char[], middle: Expanded, tail: readonly Char[], limit: number): Expanded | null {
  const tails = expand(tail, Math.floor(limit / Math.max(1, middle.length)));
  if (tails === null) return null;
  return middle.flatMap((one) => tails.map((rest) => [...head, ...one, ...rest]));
}

function alternativesOf(body: readonly Char[], limit: number): Expanded | null | 'none' {
  const pieces = splitTop(body);
  if (pieces.length === 1) return range(body);
  const all: (readonly Char[])[] = [];
  for (const piece of pieces) {
    const inner = expand(piece, limit);
    if (inner === null) return null;
    all.push(...inner);
    if (all.length > limit) return null;
  }
  return all;
}

function range(body: readonly Char[]): Expanded | null | 'none' {
  if (body.some(({ quoted }) => quoted)) return 'none';
  const match = RANGE.exec(body.map(({ char }) => char).join(''));
  if (match === null) return 'none';
  const letters = match[3] !== undefined;
  const first = letters ? match[3]?.charCodeAt(0) : Number(match[1]);
  const last = letters ? match[4]?.charCodeAt(0) : Number(match[2]);
  if (first === undefined || last === undefined) return 'none';
  const step = Math.max(1, Math.abs(Number(match[5] ?? 1)));
  if (Math.floor(Math.abs(last - first) / step) + 1 > MAX_BRACE_RESULTS) return null;
  const width = letters ? 0 : padding(match[1] ?? '', match[2] ?? '');
  const values: Char[][] = [];
  for (let value = first; first <= last ? value <= last : value >= last; value += first <= last ? step : -step) {
    const text = letters ? String.fromCharCode(value) : padded(value, width);
    values.push(text.split('').map((char) => ({ char, quoted: true })));
  }
  return values;
}

function padding(first: string, last: string): number {
  return [first, last].some((text) => /^[+-]?0\d/.test(text)) ? Math.max(first.length, last.length) : 0;
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(width - (value < 0 ? 1 : 0), '0');
  return value < 0 ? `-${digits}` : digits;
}

function splitTop(body: readonly Char[]): readonly (readonly Char[])[] {
  const pieces: Char[][] = [[]];
  let depth = 0;
  for (const one of body) {
    if (isLive(one, '{')) depth += 1;
    if (isLive(one, '}')) depth -= 1;
    if (depth === 0 && isLive(one, ',')) pieces.push([]);
    else pieces.at(-1)?.push(one);
  }
  return pieces;
}

function closing(chars: readonly Char[], open: number): number {
  let depth = 0;
  for (let at = open; at < chars.length; at += 1) {
    if (isLive(chars[at], '{')) depth += 1;
    if (isLive(chars[at], '}')) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function isLive(one: Char | undefined, char: string): boolean {
  return one !== undefined && !one.quoted && one.char === char;
}
