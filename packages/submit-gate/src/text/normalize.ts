import { digitAt, isBlank, isHexUnit, isSpaceUnit, isWordUnitAt, isWordUnitBefore } from './characters.ts';
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
import { hashUnits } from './hash.ts';
import { textOfUnits, unitsOf } from './units.ts';

/** What stands around a run of digits, so that most patterns need not be tried on it. */
const DASH = 1;
const SLASH = 2;
const COLON = 4;
const BEFORE_MONTH = 8;
const UNIT = 16;
const AFTER_MONTH = 32;

const unitsOfTag = (tag: string): Uint16Array => Uint16Array.from(tag, (letter) => letter.charCodeAt(0));
const TIME = unitsOfTag('<TS>');
const DATE = unitsOfTag('<DATE>');
const RELATIVE = unitsOfTag('<REL>');
const HEX = unitsOfTag('<HEX>');

type Pass = { readonly tag: Uint16Array; readonly match: Matcher; readonly hint: number };

const FIRST: Pass = { tag: TIME, match: isoDateTime, hint: DASH };
/** In this order: a later pattern sees the text that the earlier ones left. */
const PASSES: readonly Pass[] = [
  { tag: TIME, match: monthDayTime, hint: AFTER_MONTH },
  { tag: DATE, match: dayMonthYear, hint: BEFORE_MONTH },
  { tag: DATE, match: monthDayYear, hint: AFTER_MONTH },
  { tag: DATE, match: isoDate, hint: DASH | SLASH },
  { tag: DATE, match: slashDate, hint: SLASH },
  { tag: TIME, match: clockHalf, hint: COLON },
  { tag: TIME, match: clockSeconds, hint: COLON },
  { tag: RELATIVE, match: timeAgo, hint: UNIT },
];
const SHORTEST_HEX = 6;
/** Up to here a loop is faster than the machine's own copy. */
const FEW = 12;
const UUID_GROUPS = [4, 4, 4, 12];

/** Replaces what changes between two equal looks at a thing (dates, clock times, "5 min ago", UUIDs, long hexadecimal and digit runs). Linear in the text. */
export function normalize(text: string): string {
  const scrubbed = scrub(text);
  return scrubbed.changed ? textOfUnits(scrubbed.units, scrubbed.length) : text;
}

/** A hash over a prefix and the normalized text, which is never made. */
export function normalizedHash(prefix: string, text: string): number {
  const { units, length } = scrub(text);
  return hashUnits(prefix, units, length);
}

/** Units of a text in which some parts were replaced; the runs of digits that are left, as start, end and hint each. */
type Scrubbed = {
  readonly units: Uint16Array;
  length: number;
  changed: boolean;
  runs: readonly number[];
  hints: number;
};

const NO_RUNS: readonly number[] = Object.freeze([]);

function scrub(text: string): Scrubbed {
  const state: Scrubbed = { units: unitsOf(text), length: text.length, changed: false, runs: NO_RUNS, hints: 0 };
  findRuns(state, text);
  for (const pass of PASSES) if ((state.hints & pass.hint) !== 0) replaceRuns(state, pass);
  replaceHex(state);
  return state;
}

/**
 * Moves what is kept to the left and writes tags over what is not, in place: every tag is shorter than what it stands for, so that
 * nothing is overwritten which a matcher may still look at.
 */
class Rewriter {
  private readonly state: Scrubbed;
  private at = 0;
  /** Where the text left of which is spent. */
  floor = 0;

  constructor(state: Scrubbed) {
    this.state = state;
  }

  /** How much shorter the text has become. */
  get shift(): number {
    return this.floor - this.at;
  }

  replace(from: number, to: number, tag: Uint16Array): void {
    const { units } = this.state;
    this.keep(from);
    for (let index = 0; index < tag.length; index += 1) units[this.at + index] = tag[index] as number;
    this.at += tag.length;
    this.floor = to;
  }

  finish(): void {
    if (this.floor === 0) return;
    this.keep(this.state.length);
    this.state.units[this.at] = 0;
    this.state.length = this.at;
    this.state.changed = true;
  }

  private keep(to: number): void {
    const { units } = this.state;
    const count = to - this.floor;
    if (count > FEW) units.copyWithin(this.at, this.floor, to);
    else for (let index = 0; index < count; index += 1) units[this.at + index] = units[this.floor + index] as number;
    this.at += count;
  }
}

/** Finds the runs of digits and, since no pattern goes before it, replaces dates with a time on the way. */
function findRuns(state: Scrubbed, text: string): void {
  const { units, length } = state;
  const writer = new Rewriter(state);
  const runs: number[] = [];
  let ago: boolean | null = null;
  for (let index = 0; index < length; ) {
    const code = units[index] as number;
    const end = code < 48 || (code > 57 && code < 128) ? index : runEnd(units, index);
    if (end === index) {
      index += 1;
      continue;
    }
    let hint = hintsAt(units, index, end);
    if ((hint & UNIT) !== 0) {
      ago ??= text.includes('ago');
      if (!ago) hint &= ~UNIT;
    }
    const found = hint === DASH ? FIRST.match(units, index, end, writer.floor) : null;
    const left = found === null ? end : found[0];
    if (hint !== 0 && left > index) runs.push(index - writer.shift, left - writer.shift, hint);
    state.hints |= hint;
    if (found !== null) writer.replace(found[0], found[1], FIRST.tag);
    index = found === null ? end : found[1];
  }
  writer.finish();
  state.runs = runs;
}

function runEnd(units: Uint16Array, index: number): number {
  let end = index;
  for (;;) {
    const code = units[end] as number;
    if (code >= 48 && code <= 57) end += 1;
    else if (code < 128) return end;
    else {
      const length = digitAt(units, end);
      if (length === 0) return end;
      end += length;
    }
  }
}

function hintsAt(units: Uint16Array, start: number, end: number): number {
  const after = units[end] as number;
  // A year has four digits.
  if (after === 45) return end - start >= 4 ? DASH : 0;
  if (after === 47) return SLASH;
  if (after === 58) return COLON;
  const blank = isBlank(after);
  const unit = isUnitStart(after) || isSpaceUnit(after) ? UNIT : 0;
  if (!blank) return unit;
  let next = end + 1;
  while (isBlank(units[next] as number)) next += 1;
  return (
    unit | (isMonthStart(units[next] as number) ? BEFORE_MONTH : 0) | (mayFollowMonth(units, start) ? AFTER_MONTH : 0)
  );
}

/** True when the name of a month may stand in front of the blanks in front of `start`. */
function mayFollowMonth(units: Uint16Array, start: number): boolean {
  if (start < 4 || !isBlank(units[start - 1] as number)) return false;
  return isBlank(units[start - 2] as number) || isMonthStart(units[start - 4] as number);
}

/** Letters that the names of months begin with. */
function isMonthStart(code: number): boolean {
  return (
    code === 74 || code === 70 || code === 77 || code === 65 || code === 83 || (code >= 78 && code <= 79) || code === 68
  );
}

/** Letters that the names of units of time begin with. */
function isUnitStart(code: number): boolean {
  return code === 109 || code === 115 || code === 104 || code === 100 || code === 119 || code === 121;
}

/** Replaces the matches of one pattern. */
function replaceRuns(state: Scrubbed, pass: Pass): void {
  const { units, runs } = state;
  const writer = new Rewriter(state);
  let kept: number[] | null = null;
  for (let index = 0; index < runs.length; index += 3) {
    const end = runs[index + 1] as number;
    const hint = runs[index + 2] as number;
    if (end <= writer.floor) continue;
    const start = Math.max(runs[index] as number, writer.floor);
    const found = (hint & pass.hint) === 0 ? null : pass.match(units, start, end, writer.floor);
    if (found === null) {
      kept?.push(start - writer.shift, end - writer.shift, hint);
      continue;
    }
    kept ??= runs.slice(0, index);
    // A match may begin inside the run.
    if (found[0] > start) kept.push(start - writer.shift, found[0] - writer.shift, hint);
    writer.replace(found[0], found[1], pass.tag);
  }
  writer.finish();
  if (kept !== null) state.runs = kept;
}

function hexEnd(units: Uint16Array, index: number): number {
  let at = index;
  while (isHexUnit(units[at] as number)) at += 1;
  return at;
}

function uuidEnd(units: Uint16Array, firstEnd: number): number {
  let at = firstEnd;
  for (const size of UUID_GROUPS) {
    if (units[at] !== 45) return -1;
    const end = hexEnd(units, at + 1);
    if (end - at - 1 !== size) return -1;
    at = end;
  }
  return isWordUnitAt(units, at) ? -1 : at;
}

function hexMatch(units: Uint16Array, start: number, end: number): readonly [number, number] | null {
  if (end - start < SHORTEST_HEX || isWordUnitAt(units, end)) return null;
  if (!isWordUnitBefore(units, start)) {
    const uuid = end - start === 8 ? uuidEnd(units, end) : -1;
    if (uuid >= 0) return [start, uuid];
    return end - start >= 8 ? [start, end] : null;
  }
  // `0x` or `0X` in front.
  const prefixed = start > 1 && ((units[start - 1] as number) | 32) === 120 && units[start - 2] === 48;
  return prefixed && !isWordUnitBefore(units, start - 2) ? [start - 2, end] : null;
}

function replaceHex(state: Scrubbed): void {
  const { units, length } = state;
  const writer = new Rewriter(state);
  let at = 0;
  // A run shorter than six never counts: where the sixth unit is none, none of the six begins one.
  while (at + SHORTEST_HEX <= length) {
    const probe = at + SHORTEST_HEX - 1;
    if (!isHexUnit(units[probe] as number)) {
      at += SHORTEST_HEX;
      continue;
    }
    let start = probe;
    while (start > at && isHexUnit(units[start - 1] as number)) start -= 1;
    const end = hexEnd(units, probe);
    const found = hexMatch(units, start, end);
    if (found !== null) writer.replace(found[0], found[1], HEX);
    at = found === null ? end : found[1];
  }
  writer.finish();
}
