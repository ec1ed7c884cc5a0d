import { codeAt, digitAt, isHexCode, isSpaceAt, isWordAt, isWordBefore } from './characters.ts';
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
import { unitsFrom } from './units.ts';

/** What stands around a run of digits, so that most patterns need not be tried on it. */
const DASH = 1;
const SLASH = 2;
const COLON = 4;
const BEFORE_MONTH = 8;
const UNIT = 16;
const AFTER_MONTH = 32;
const MONTH_STARTS = [...'JFMASOND'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 65)), 0);
const WIDE_DIGIT = /[0-9\u0080-\uffff]/;

/** In this order: a later pattern sees the text that the earlier ones left. */
const PASSES: readonly { readonly tag: string; readonly match: Matcher; readonly hint: number }[] = [
  { tag: '<TS>', match: isoDateTime, hint: DASH },
  { tag: '<TS>', match: monthDayTime, hint: AFTER_MONTH },
  { tag: '<DATE>', match: dayMonthYear, hint: BEFORE_MONTH },
  { tag: '<DATE>', match: monthDayYear, hint: AFTER_MONTH },
  { tag: '<DATE>', match: isoDate, hint: DASH | SLASH },
  { tag: '<DATE>', match: slashDate, hint: SLASH },
  { tag: '<TS>', match: clockHalf, hint: COLON },
  { tag: '<TS>', match: clockSeconds, hint: COLON },
  { tag: '<REL>', match: timeAgo, hint: UNIT },
];
const SHORTEST_HEX = 6;
const UUID_GROUPS = [4, 4, 4, 12];

/** Replaces what changes between two equal looks at a thing (dates, clock times, "5 min ago", UUIDs, long hexadecimal and digit runs). Linear in the text. */
export function normalize(text: string): string {
  let out = text;
  let runs = digitRuns(out);
  for (const pass of PASSES) {
    if ((runs.hints & pass.hint) === 0) continue;
    const next = replaceDates(out, runs, pass);
    if (next === null) continue;
    out = next.text;
    runs = next.runs;
  }
  return replaceHex(out);
}

/** Start, end and hints of every run of digits, and all hints together. */
type Runs = { readonly list: readonly number[]; readonly hints: number };

const NO_RUNS: Runs = Object.freeze({ list: [], hints: 0 });

function digitRuns(text: string): Runs {
  const first = text.search(WIDE_DIGIT);
  if (first < 0) return NO_RUNS;
  const list: number[] = [];
  let hints = 0;
  for (let from = first; from < text.length; ) {
    const units = unitsFrom(text, from);
    const length = units.length - 1;
    let index = 0;
    while (index < length) {
      const code = units[index] as number;
      const at = from + index;
      index += 1;
      if (code < 48 || (code > 57 && code < 128)) continue;
      if (code < 128) while (isDigitUnit(units[index] as number)) index += 1;
      const known = code < 128 && index < length && (units[index] as number) < 128;
      const end = known ? from + index : runEnd(text, at);
      if (end === at) continue;
      const hint = known && isBare(units[index] as number) ? 0 : hintsAt(text, at, end);
      if (hint !== 0) list.push(at, end, hint);
      hints |= hint;
      index = end - from;
    }
    from += index;
  }
  return { list, hints };
}

function isDigitUnit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for what follows a digit run that nothing matches: no mark, no white space, no unit of time. */
function isBare(code: number): boolean {
  return code > 58 ? !isUnitStart(code) : code === 46 || code === 44;
}

function runEnd(text: string, index: number): number {
  let end = index;
  for (;;) {
    const code = codeAt(text, end);
    if (code >= 48 && code <= 57) end += 1;
    else if (code >= 128) {
      const units = digitAt(text, end);
      if (units === 0) return end;
      end += units;
    } else return end;
  }
}

function hintsAt(text: string, start: number, end: number): number {
  const after = codeAt(text, end);
  // A year has four digits.
  if (after === 45) return end - start >= 4 ? DASH : 0;
  if (after === 47) return SLASH;
  if (after === 58) return COLON;
  const spaced = after === 32 ? codeAt(text, skipSpaces(text, end)) : after;
  // Letters that a unit of time begins with, or white space of another kind in front of one.
  const unit = isUnitStart(spaced) || isSpaceAt(text, end) ? UNIT : 0;
  if (after !== 32) return unit;
  const capital = isMonthStart(spaced) ? BEFORE_MONTH : 0;
  const month = start > 3 && codeAt(text, start - 1) === 32 && mayFollowMonth(text, start) ? AFTER_MONTH : 0;
  const near = isUnitStart(spaced) || spaced < 33 || spaced > 127 ? unit : 0;
  return near | capital | month;
}

function skipSpaces(text: string, index: number): number {
  let at = index;
  while (codeAt(text, at) === 32) at += 1;
  return at;
}

/** J F M A S O N D. */
function isMonthStart(code: number): boolean {
  return code >= 65 && code <= 83 && (MONTH_STARTS & (1 << (code - 65))) !== 0;
}

function mayFollowMonth(text: string, start: number): boolean {
  return codeAt(text, start - 2) === 32 || isMonthStart(codeAt(text, start - 4));
}

function isUnitStart(code: number): boolean {
  return code === 109 || code === 115 || code === 104 || code === 100 || code === 119 || code === 121;
}

/** The text with the matches of a pass replaced, and the runs that are left of it; null without a match. */
function replaceDates(
  text: string,
  runs: Runs,
  pass: (typeof PASSES)[number],
): { readonly text: string; readonly runs: Runs } | null {
  const parts: string[] = [];
  let list: number[] | null = null;
  let floor = 0;
  let shift = 0;
  for (let index = 0; index < runs.list.length; index += 3) {
    const end = runs.list[index + 1] as number;
    const hint = runs.list[index + 2] as number;
    if (end <= floor) continue;
    const start = Math.max(runs.list[index] as number, floor);
    const found = (hint & pass.hint) === 0 ? null : pass.match(text, start, end, floor);
    if (found === null) {
      list?.push(start - shift, end - shift, hint);
      continue;
    }
    list ??= runs.list.slice(0, index);
    parts.push(text.slice(floor, found[0]), pass.tag);
    // A match may begin inside the run.
    if (found[0] > start) list.push(start - shift, found[0] - shift, hint);
    floor = found[1];
    shift += found[1] - found[0] - pass.tag.length;
  }
  if (list === null) return null;
  parts.push(text.slice(floor));
  return { text: parts.join(''), runs: { list, hints: runs.hints } };
}

function hexEnd(text: string, index: number): number {
  let at = index;
  while (isHexCode(codeAt(text, at))) at += 1;
  return at;
}

function uuidEnd(text: string, firstEnd: number): number {
  let at = firstEnd;
  for (const size of UUID_GROUPS) {
    if (codeAt(text, at) !== 45) return -1;
    const end = hexEnd(text, at + 1);
    if (end - at - 1 !== size) return -1;
    at = end;
  }
  return isWordAt(text, at) ? -1 : at;
}

function hexMatch(text: string, start: number, end: number): readonly [number, number] | null {
  if (end - start < SHORTEST_HEX || isWordAt(text, end)) return null;
  if (!isWordBefore(text, start)) {
    const uuid = end - start === 8 ? uuidEnd(text, end) : -1;
    if (uuid >= 0) return [start, uuid];
    return end - start >= 8 ? [start, end] : null;
  }
  const prefixed = text[start - 1] === 'x' && text[start - 2] === '0' && !isWordBefore(text, start - 2);
  return prefixed ? [start - 2, end] : null;
}

function replaceHex(text: string): string {
  const parts: string[] = [];
  let floor = 0;
  let at = 0;
  // A run shorter than six never counts: where the sixth unit is none, none of the six begins one.
  while (at + SHORTEST_HEX <= text.length) {
    const probe = at + SHORTEST_HEX - 1;
    if (!isHexCode(codeAt(text, probe))) {
      at += SHORTEST_HEX;
      continue;
    }
    let start = probe;
    while (start > at && isHexCode(codeAt(text, start - 1))) start -= 1;
    const end = hexEnd(text, probe);
    const found = hexMatch(text, start, end);
    if (found !== null) {
      parts.push(text.slice(floor, found[0]), '<HEX>');
      floor = found[1];
    }
    at = found === null ? end : found[1];
  }
  if (floor === 0) return text;
  parts.push(text.slice(floor));
  return parts.join('');
}
