import { digitAt, isBlank, isSpaceUnit, isWordUnitAt, isWordUnitBefore } from './characters.ts';

/**
 * Start and end of a match, or null, in units that end with a 0. `start` is the first digit of a run, `end` the unit after its last,
 * `floor` where the text left of which is spent.
 */
export type Matcher = (
  units: Uint16Array,
  start: number,
  end: number,
  floor: number,
) => readonly [number, number] | null;

const SPACE = 32;
const PLUS = 43;
const COMMA = 44;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const UPPER_T = 84;
const UPPER_Z = 90;

/** Up to seven lower-case letters as a number. */
function packed(word: string): number {
  let out = 0;
  for (const letter of word.toLowerCase()) out = out * 32 + (letter.charCodeAt(0) - 96);
  return out;
}

const MONTHS = new Set('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map(packed));
const DAYS = new Set('Mon Tue Wed Thu Fri Sat Sun'.split(' ').map(packed));
const TIME_UNITS = new Set(
  (
    'ms s sec secs seconds m min mins minutes h hr hrs hours d day days w wk wks week weeks ' +
    'mo mos month months y yr yrs year years'
  )
    .split(' ')
    .map(packed),
);
const LONGEST_UNIT = 7;

/** True when one of the names, a capital and two small letters, begins at `index`. */
function isNameAt(units: Uint16Array, index: number, names: ReadonlySet<number>): boolean {
  const a = (units[index] as number) - 64;
  if (a < 1 || a > 26) return false;
  const b = (units[index + 1] as number) - 96;
  if (b < 1 || b > 26) return false;
  const c = (units[index + 2] as number) - 96;
  return c >= 1 && c <= 26 && names.has((a * 32 + b) * 32 + c);
}

/** After exactly `count` digits at `index`, or -1. */
function digits(units: Uint16Array, index: number, count: number): number {
  let at = index;
  if (at < 0) return -1;
  for (let left = count; left > 0; left -= 1) {
    const length = digitAt(units, at);
    if (length === 0) return -1;
    at += length;
  }
  return at;
}

function upToTwo(units: Uint16Array, index: number): number {
  const first = digits(units, index, 1);
  return first < 0 ? -1 : first + digitAt(units, first);
}

function allDigits(units: Uint16Array, index: number): number {
  let at = index;
  for (let length = digitAt(units, at); length > 0; length = digitAt(units, at)) at += length;
  return at;
}

/** After the unit, or -1. */
function literal(units: Uint16Array, index: number, code: number): number {
  return index >= 0 && units[index] === code ? index + 1 : -1;
}

function countDigits(units: Uint16Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += Math.max(1, digitAt(units, at))) count += 1;
  return count;
}

function ends(units: Uint16Array, index: number): boolean {
  return index >= 0 && !isWordUnitAt(units, index);
}

function blanksAfter(units: Uint16Array, index: number): number {
  let at = index;
  while (isBlank(units[at])) at += 1;
  return at > index ? at : -1;
}

function blanksBefore(units: Uint16Array, index: number): number {
  let at = index;
  while (at > 0 && isBlank(units[at - 1])) at -= 1;
  return at < index ? at : -1;
}

function clock(units: Uint16Array, index: number): number {
  const colon = literal(units, digits(units, index, 2), COLON);
  return colon < 0 ? -1 : digits(units, colon, 2);
}

function optionalSeconds(units: Uint16Array, index: number): number {
  const after = units[index] === COLON ? digits(units, index + 1, 2) : -1;
  return after < 0 ? index : after;
}

function optionalFraction(units: Uint16Array, index: number): number {
  if (units[index] !== DOT && units[index] !== COMMA) return index;
  const after = allDigits(units, index + 1);
  return after > index + 1 ? after : index;
}

function optionalZone(units: Uint16Array, index: number): number {
  const sign = units[index];
  if (sign === UPPER_Z) return index + 1;
  if (sign !== PLUS && sign !== DASH) return index;
  const hours = digits(units, index + 1, 2);
  if (hours < 0) return index;
  const minutes = digits(units, units[hours] === COLON ? hours + 1 : hours, 2);
  return minutes < 0 ? index : minutes;
}

function lastDigits(units: Uint16Array, end: number, count: number): number {
  let at = end;
  for (let left = count; left > 0; left -= 1) {
    if (at > 0 && digitAt(units, at - 1) === 1) at -= 1;
    else if (at > 1 && digitAt(units, at - 2) === 2) at -= 2;
    else return -1;
  }
  return at;
}

/** `2024-05-01T10:00[:00][.000][Z|+02:00]`, also inside a word. */
export const isoDateTime: Matcher = (units, start, end, floor) => {
  if (units[end] !== DASH) return null;
  const year = lastDigits(units, end, 4);
  if (year < Math.max(start, floor)) return null;
  const month = literal(units, digits(units, end + 1, 2), DASH);
  const day = digits(units, month, 2);
  if (day < 0 || (units[day] !== UPPER_T && units[day] !== SPACE)) return null;
  const minutes = clock(units, day + 1);
  if (minutes < 0) return null;
  return [year, optionalZone(units, optionalFraction(units, optionalSeconds(units, minutes)))];
};

function monthBefore(units: Uint16Array, start: number, floor: number): number {
  const gap = blanksBefore(units, start);
  const month = gap - 3;
  return gap >= 0 && month >= floor && isNameAt(units, month, MONTHS) && !isWordUnitBefore(units, month) ? month : -1;
}

/** `Jul 10 20:47[:03]`. */
export const monthDayTime: Matcher = (units, start, end, floor) => {
  if (!isBlank(units[end]) || countDigits(units, start, end) > 2) return null;
  const month = monthBefore(units, start, floor);
  if (month < 0) return null;
  const hours = upToTwo(units, blanksAfter(units, end));
  const minutes = digits(units, literal(units, hours, COLON), 2);
  if (minutes < 0) return null;
  const seconds = optionalSeconds(units, minutes);
  if (ends(units, seconds)) return [month, seconds];
  return ends(units, minutes) ? [month, minutes] : null;
};

function weekdayBefore(units: Uint16Array, start: number, floor: number): number {
  const gap = blanksBefore(units, start);
  if (gap < 0) return start;
  const name = gap > 0 && units[gap - 1] === COMMA ? gap - 1 : gap;
  const from = name - 3;
  return from >= floor && isNameAt(units, from, DAYS) && !isWordUnitBefore(units, from) ? from : start;
}

/** `[Thu, ]10 Jul 2026`. */
export const dayMonthYear: Matcher = (units, start, end, floor) => {
  if (!isBlank(units[end]) || countDigits(units, start, end) > 2 || isWordUnitBefore(units, start)) return null;
  const month = blanksAfter(units, end);
  if (!isNameAt(units, month, MONTHS)) return null;
  const year = digits(units, blanksAfter(units, month + 3), 4);
  return ends(units, year) ? [weekdayBefore(units, start, floor), year] : null;
};

/** `Jul 10  2025`. */
export const monthDayYear: Matcher = (units, start, end, floor) => {
  if (countDigits(units, start, end) > 2) return null;
  const month = monthBefore(units, start, floor);
  const year = month < 0 ? -1 : digits(units, blanksAfter(units, end), 4);
  return ends(units, year) ? [month, year] : null;
};

/** `2024-05-01` or `2024/05/01`, with either mark in either place. */
export const isoDate: Matcher = (units, start, end) => {
  const first = units[end];
  if (first !== DASH && first !== SLASH) return null;
  if (isWordUnitBefore(units, start) || countDigits(units, start, end) !== 4) return null;
  const month = digits(units, end + 1, 2);
  const second = month < 0 ? 0 : units[month];
  const day = second === DASH || second === SLASH ? digits(units, month + 1, 2) : -1;
  return ends(units, day) ? [start, day] : null;
};

/** `5/1/1999`, years of 19.. and 20.. only. */
export const slashDate: Matcher = (units, start, end) => {
  if (units[end] !== SLASH || isWordUnitBefore(units, start) || countDigits(units, start, end) > 2) return null;
  const day = literal(units, upToTwo(units, end + 1), SLASH);
  if (day < 0) return null;
  const century = (units[day] === 49 && units[day + 1] === 57) || (units[day] === 50 && units[day + 1] === 48);
  const year = century ? digits(units, day + 2, 2) : -1;
  return ends(units, year) ? [start, year] : null;
};

/** `10:30[:15][.5] AM`, also `p.m` and, in front of a word, `p.m.`. */
export const clockHalf: Matcher = (units, start, end) => {
  if (units[end] !== COLON || isWordUnitBefore(units, start) || countDigits(units, start, end) > 2) return null;
  const minutes = digits(units, end + 1, 2);
  if (minutes < 0) return null;
  let at = optionalFraction(units, optionalSeconds(units, minutes));
  while (isSpaceUnit(units[at] as number)) at += 1;
  const half = (units[at] as number) | 32;
  if (half !== 97 && half !== 112) return null;
  at += units[at + 1] === DOT ? 2 : 1;
  if (((units[at] as number) | 32) !== 109) return null;
  at += 1;
  if (units[at] === DOT && isWordUnitAt(units, at + 1)) return [start, at + 1];
  return ends(units, at) ? [start, at] : null;
};

/** `1:02:03[.4]`. */
export const clockSeconds: Matcher = (units, start, end) => {
  if (units[end] !== COLON || isWordUnitBefore(units, start) || countDigits(units, start, end) > 2) return null;
  const minutes = digits(units, end + 1, 2);
  const seconds = digits(units, literal(units, minutes, COLON), 2);
  if (seconds < 0) return null;
  const fraction = optionalFraction(units, seconds);
  if (ends(units, fraction)) return [start, fraction];
  return ends(units, seconds) ? [start, seconds] : null;
};

/** `5 min ago`, milliseconds to years. */
export const timeAgo: Matcher = (units, start, end) => {
  if (isWordUnitBefore(units, start)) return null;
  let at = end;
  while (isSpaceUnit(units[at] as number)) at += 1;
  let word = 0;
  for (let left = LONGEST_UNIT + 1; left > 0; left -= 1, at += 1) {
    const letter = (units[at] as number) - 96;
    if (letter < 1 || letter > 26) break;
    word = word * 32 + letter;
  }
  if (!isSpaceUnit(units[at] as number) || !TIME_UNITS.has(word)) return null;
  while (isSpaceUnit(units[at] as number)) at += 1;
  const ago = units[at] === 97 && units[at + 1] === 103 && units[at + 2] === 111;
  return ago && ends(units, at + 3) ? [start, at + 3] : null;
};
