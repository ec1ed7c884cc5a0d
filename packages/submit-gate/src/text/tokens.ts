import { isWordAt, isWordBefore } from './characters.ts';
import { hashNumber, packed } from './hash.ts';

/** The reference's identifiers: every maximal run of word characters, `.`, `-` and `/`. */
export function tokens(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let start = -1;
  for (let at = 0; at <= text.length; ) {
    const units = at < text.length ? tokenUnits(text, at) : 0;
    if (units > 0) {
      if (start < 0) start = at;
      at += units;
    } else {
      if (start >= 0) found.add(text.slice(start, at));
      start = -1;
      at += 1;
    }
  }
  return found;
}

function tokenUnits(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 45 && code <= 47) return 1;
  if (!isWordAt(text, at)) return 0;
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

/** True when `id` is one of the text's {@link tokens}, without listing them. */
export function hasToken(text: string, id: string): boolean {
  if (id === '') return false;
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const end = at + id.length;
    if (!isMark(text, at - 1) && !isWordBefore(text, at) && !isMark(text, end) && !isWordAt(text, end)) return true;
  }
  return false;
}

function isMark(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 45 && code <= 47;
}

const LONGEST_CODE = 64;

/** Start and end of every code in a text: a run of ASCII letters, digits and `_` with a digit in it, two characters or more. */
export function codeSpans(text: string): readonly (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  eachCode(text, (start, end) => spans.push([start, end]) > 0);
  return spans;
}

function isCodeUnit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** Stops when a visit says so. */
function eachCode(text: string, visit: (start: number, end: number) => boolean): void {
  const first = text.search(/[0-9]/);
  for (let at = first < 0 ? text.length : first; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) continue;
    let start = at;
    while (start > 0 && at - start < LONGEST_CODE && isCodeUnit(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end < text.length && end - at < LONGEST_CODE && isCodeUnit(text.charCodeAt(end))) end += 1;
    if (end - start >= 2 && !visit(start, end)) return;
    at = end;
  }
}

/** Hashes of the codes of a text, 5 characters each, without repetition; at most `limit`. */
export function codeHashes(text: string, limit: number): string {
  const found = new Set<number>();
  eachCode(text, (start, end) => found.add(hashNumber(text, start, end)).size < limit);
  let out = '';
  for (const hash of found) out += packed(hash);
  return out;
}
