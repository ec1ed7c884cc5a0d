import { digitAt, isSpaceAt, isWordAt, isWordBefore } from './characters.ts';

/** Start and end of a match, or null. `start` is the first digit of a run, `end` the unit after its last, `floor` where the text left of which is spent. */
export type Matcher = (text: string, start: number, end: number, floor: number) => readonly [number, number] | null;

const MONTHS = new Set(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']);
const DAYS = new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
const UNITS = new Set(
  (
    'ms s sec secs seconds m min mins minutes h hr hrs hours d day days w wk wks week weeks ' +
    'mo mos month months y yr yrs year years'
  ).split(' '),
);
const LONGEST_UNIT = 7;

/** After exactly `count` digits at `index`, or -1. */
function digits(text: string, index: number, count: number): number {
  let at = index;
  for (let left = count; left > 0; left -= 1) {
    const units = digitAt(text, at);
    if (units === 0) return -1;
    at += units;
  }
  return at;
}

function allDigits(text: string, index: number): number {
  let at = index;
  for (let units = digitAt(text, at); units > 0; units = digitAt(text, at)) at += units;
  return at;
}

function literal(text: string, index: number, letter: string): number {
  return index >= 0 && text[index] === letter ? index + 1 : -1;
}

function countDigits(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += Math.max(1, digitAt(text, at))) count += 1;
  return count;
}

function ends(text: string, index: number): boolean {
  return index >= 0 && !isWordAt(text, index);
}

function spacesAfter(text: string, index: number): number {
  let at = index;
  while (text[at] === ' ') at += 1;
  return at > index ? at : -1;
}

function spacesBefore(text: string, index: number): number {
  let at = index;
  while (at > 0 && text[at - 1] === ' ') at -= 1;
  return at < index ? at : -1;
}

function clock(text: string, index: number): number {
  const hours = digits(text, index, 2);
  const colon = hours < 0 ? -1 : literal(text, hours, ':');
  return colon < 0 ? -1 : digits(text, colon, 2);
}

function optionalSeconds(text: string, index: number): number {
  const after = text[index] === ':' ? digits(text, index + 1, 2) : -1;
  return after < 0 ? index : after;
}

function optionalFraction(text: string, index: number, marks: string): number {
  if (index >= text.length || !marks.includes(text[index] as string)) return index;
  const after = allDigits(text, index + 1);
  return after > index + 1 ? after : index;
}

function optionalZone(text: string, index: number): number {
  const sign = text[index];
  if (sign === 'Z') return index + 1;
  if (sign !== '+' && sign !== '-') return index;
  const hours = digits(text, index + 1, 2);
  if (hours < 0) return index;
  const minutes = digits(text, text[hours] === ':' ? hours + 1 : hours, 2);
  return minutes < 0 ? index : minutes;
}

function lastDigits(text: string, end: number, count: number): number {
  let at = end;
  for (let left = count; left > 0; left -= 1) {
    if (at > 0 && digitAt(text, at - 1) === 1) at -= 1;
    else if (at > 1 && digitAt(text, at - 2) === 2) at -= 2;
    else return -1;
  }
  return at;
}

/** `2024-05-01T10:00[:00[.000]][Z|+02:00]`, also inside a word. */
export const isoDateTime: Matcher = (text, start, end, floor) => {
  if (text[end] !== '-') return null;
  const year = lastDigits(text, end, 4);
  if (year < Math.max(start, floor)) return null;
  const month = literal(text, digits(text, end + 1, 2), '-');
  const day = month < 0 ? -1 : digits(text, month, 2);
  if (day < 0 || (text[day] !== 'T' && text[day] !== ' ')) return null;
  const minutes = clock(text, day + 1);
  if (minutes < 0) return null;
  const seconds = optionalSeconds(text, minutes);
  const fraction = seconds > minutes ? optionalFraction(text, seconds, '.,') : seconds;
  return [year, optionalZone(text, fraction)];
};

function monthBefore(text: string, start: number, floor: number): number {
  const gap = spacesBefore(text, start);
  const month = gap - 3;
  return gap >= 0 && month >= floor && MONTHS.has(text.slice(month, gap)) && !isWordBefore(text, month) ? month : -1;
}

/** `Jul 10 20:47[:03]`. */
export const monthDayTime: Matcher = (text, start, end, floor) => {
  if (text[end] !== ' ' || countDigits(text, start, end) > 2) return null;
  const month = monthBefore(text, start, floor);
  if (month < 0) return null;
  const minutes = clock(text, spacesAfter(text, end));
  if (minutes < 0) return null;
  const seconds = optionalSeconds(text, minutes);
  if (ends(text, seconds)) return [month, seconds];
  return ends(text, minutes) ? [month, minutes] : null;
};

function weekdayBefore(text: string, start: number, floor: number): number {
  const gap = spacesBefore(text, start);
  if (gap < 0) return start;
  const name = text[gap - 1] === ',' ? gap - 1 : gap;
  const from = name - 3;
  return from >= floor && DAYS.has(text.slice(from, name)) && !isWordBefore(text, from) ? from : start;
}

/** `[Thu, ]10 Jul 2026`. */
export const dayMonthYear: Matcher = (text, start, end, floor) => {
  if (text[end] !== ' ' || countDigits(text, start, end) > 2 || isWordBefore(text, start)) return null;
  const month = spacesAfter(text, end);
  if (!MONTHS.has(text.slice(month, month + 3))) return null;
  const gap = spacesAfter(text, month + 3);
  const year = gap < 0 ? -1 : digits(text, gap, 4);
  return ends(text, year) ? [weekdayBefore(text, start, floor), year] : null;
};

/** `Jul 10  2025`. */
export const monthDayYear: Matcher = (text, start, end, floor) => {
  if (countDigits(text, start, end) > 2) return null;
  const month = monthBefore(text, start, floor);
  const gap = month < 0 ? -1 : spacesAfter(text, end);
  const year = gap < 0 ? -1 : digits(text, gap, 4);
  return ends(text, year) ? [month, year] : null;
};

/** `2024-05-01` or `2024/05/01`. */
export const isoDate: Matcher = (text, start, end) => {
  const mark = text[end];
  if ((mark !== '-' && mark !== '/') || isWordBefore(text, start) || countDigits(text, start, end) !== 4) return null;
  const month = literal(text, digits(text, end + 1, 2), mark);
  const day = month < 0 ? -1 : digits(text, month, 2);
  return ends(text, day) ? [start, day] : null;
};

function upToTwo(text: string, index: number): number {
  const first = digits(text, index, 1);
  if (first < 0) return -1;
  const second = digitAt(text, first);
  return first + second;
}

/** `5/1/1999`, years of 19.. and 20.. only. */
export const slashDate: Matcher = (text, start, end) => {
  if (text[end] !== '/' || isWordBefore(text, start) || countDigits(text, start, end) > 2) return null;
  const day = literal(text, upToTwo(text, end + 1), '/');
  if (day < 0) return null;
  const century = text.slice(day, day + 2);
  const year = century === '19' || century === '20' ? digits(text, day + 2, 2) : -1;
  return ends(text, year) ? [start, year] : null;
};

/** `10:30[:15] AM`, also `p.m`. */
export const clockHalf: Matcher = (text, start, end) => {
  if (text[end] !== ':' || isWordBefore(text, start) || countDigits(text, start, end) > 2) return null;
  const minutes = digits(text, end + 1, 2);
  if (minutes < 0) return null;
  let at = optionalSeconds(text, minutes);
  while (isSpaceAt(text, at)) at += 1;
  if (!'aApP'.includes(text[at] ?? '-')) return null;
  at += text[at + 1] === '.' ? 2 : 1;
  return (text[at] === 'm' || text[at] === 'M') && ends(text, at + 1) ? [start, at + 1] : null;
};

/** `1:02:03[.4]`. */
export const clockSeconds: Matcher = (text, start, end) => {
  if (text[end] !== ':' || isWordBefore(text, start) || countDigits(text, start, end) > 2) return null;
  const minutes = digits(text, end + 1, 2);
  const seconds = minutes < 0 || text[minutes] !== ':' ? -1 : digits(text, minutes + 1, 2);
  if (seconds < 0) return null;
  const fraction = optionalFraction(text, seconds, '.');
  if (ends(text, fraction)) return [start, fraction];
  return ends(text, seconds) ? [start, seconds] : null;
};

/** `5 min ago`, milliseconds to years. */
export const timeAgo: Matcher = (text, start, end) => {
  if (isWordBefore(text, start)) return null;
  let unit = end;
  while (isSpaceAt(text, unit)) unit += 1;
  let after = unit;
  while (after - unit <= LONGEST_UNIT && text.charCodeAt(after) >= 97 && text.charCodeAt(after) <= 122) after += 1;
  if (!UNITS.has(text.slice(unit, after)) || !isSpaceAt(text, after)) return null;
  while (isSpaceAt(text, after)) after += 1;
  return text.startsWith('ago', after) && ends(text, after + 3) ? [start, after + 3] : null;
};
