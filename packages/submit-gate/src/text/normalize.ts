import { digitAt, isHexCode, isWordAt, isWordBefore } from './characters.ts';
import {
  clockHalf,
  clockSeconds,
  dayMonthYear,
  isoDate,
  isoDateTime,
  type Matcher,
  monthDayTime,
  monthDayYear,
  slashDate,
  timeAgo,
} from './date-patterns.ts';

/** In this order: a later pattern sees the text that the earlier ones left. */
const PASSES: readonly { readonly tag: string; readonly match: Matcher }[] = [
  { tag: '<TS>', match: isoDateTime },
  { tag: '<TS>', match: monthDayTime },
  { tag: '<DATE>', match: dayMonthYear },
  { tag: '<DATE>', match: monthDayYear },
  { tag: '<DATE>', match: isoDate },
  { tag: '<DATE>', match: slashDate },
  { tag: '<TS>', match: clockHalf },
  { tag: '<TS>', match: clockSeconds },
  { tag: '<REL>', match: timeAgo },
];
const UUID_GROUPS = [4, 4, 4, 12];

/** Replaces what changes between two equal looks at a thing (dates, clock times, "5 min ago", UUIDs, long hexadecimal and digit runs). Linear in the text. */
export function normalize(text: string): string {
  let out = text;
  let runs = digitRuns(out);
  if (runs.length > 0) {
    for (const pass of PASSES) {
      const next = replaceDates(out, runs, pass.tag, pass.match);
      if (next === out) continue;
      out = next;
      runs = digitRuns(out);
    }
  }
  return replaceHex(out);
}

function digitRuns(text: string): readonly number[] {
  const runs: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 48 || (code > 57 && code < 128)) continue;
    let end = at;
    for (let units = digitAt(text, end); units > 0; units = digitAt(text, end)) end += units;
    if (end === at) continue;
    runs.push(at, end);
    at = end - 1;
  }
  return runs;
}

function replaceDates(text: string, runs: readonly number[], tag: string, match: Matcher): string {
  let out = '';
  let floor = 0;
  for (let index = 0; index < runs.length; index += 2) {
    const end = runs[index + 1] as number;
    if (end <= floor) continue;
    const found = match(text, Math.max(runs[index] as number, floor), end, floor);
    if (found === null) continue;
    out += text.slice(floor, found[0]) + tag;
    floor = found[1];
  }
  return floor === 0 ? text : out + text.slice(floor);
}

function hexEnd(text: string, index: number): number {
  let at = index;
  while (isHexCode(text.charCodeAt(at))) at += 1;
  return at;
}

function uuidEnd(text: string, firstEnd: number): number {
  let at = firstEnd;
  for (const size of UUID_GROUPS) {
    if (text[at] !== '-') return -1;
    const end = hexEnd(text, at + 1);
    if (end - at - 1 !== size) return -1;
    at = end;
  }
  return isWordAt(text, at) ? -1 : at;
}

function hexMatch(text: string, start: number, end: number): readonly [number, number] | null {
  if (end - start < 6 || isWordAt(text, end)) return null;
  if (!isWordBefore(text, start)) {
    const uuid = end - start === 8 ? uuidEnd(text, end) : -1;
    if (uuid >= 0) return [start, uuid];
    return end - start >= 8 ? [start, end] : null;
  }
  const prefixed = text[start - 1] === 'x' && text[start - 2] === '0' && !isWordBefore(text, start - 2);
  return prefixed ? [start - 2, end] : null;
}

function replaceHex(text: string): string {
  let out = '';
  let floor = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isHexCode(text.charCodeAt(at))) continue;
    const end = hexEnd(text, at);
    const found = hexMatch(text, at, end);
    if (found !== null) {
      out += `${text.slice(floor, found[0])}<HEX>`;
      floor = found[1];
    }
    at = (found === null ? end : found[1]) - 1;
  }
  return floor === 0 ? text : out + text.slice(floor);
}
