/** Parts of dates that a query names. */
type AskedDates = {
  readonly years: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** 1 to 31; only beside a month. */
  readonly days: readonly number[];
};

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const NAMED = new RegExp(
  `\\b(?:${MONTHS.map((name) => (name.length > 3 ? `${name}|${name.slice(0, 3)}` : name)).join('|')}|sept)\\b`,
  'gu',
);
/** Words that are months only where a date is spoken of. */
const DOUBTFUL: ReadonlySet<string> = new Set(['may', 'march', 'mar']);
const DATE_BEFORE =
  /(?:\b(?:in|of|on|since|during|by|until|till|from|through|early|late|mid|last|next|this|before|after|around|and|or)[ -]+|\d(?:st|nd|rd|th)?[ -]+)$/u;
const DATE_AFTER = /^,?[ -]+\d/u;
const ISO = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/gu;

/** What a query says about when: years, English names of months with days, ISO dates. `null` when it says nothing. */
export function askedDates(query: string): AskedDates | null {
  const text = query.toLowerCase();
  const iso = [...text.matchAll(ISO)].map((match) => match.slice(1).map(Number));
  const rest = text.replaceAll(ISO, ' ');
  const named = [...rest.matchAll(NAMED)]
    .filter(({ 0: word, index }) => !DOUBTFUL.has(word) || isDate(rest, index, word.length))
    .map(({ 0: word }) => MONTHS.findIndex((month) => month.startsWith(word.slice(0, 3))) + 1);
  const months = [...named, ...iso.map(([, month]) => month ?? 0)].filter((month) => month >= 1 && month <= 12);
  const years = [...numbers(rest, /\b(?:19|20)\d{2}\b/gu), ...iso.map(([year]) => year ?? 0)];
  const plainDays = named.length === 0 ? [] : numbers(rest, /\b\d{1,2}(?=(?:st|nd|rd|th)?\b)/gu);
  const days = [...plainDays, ...iso.map(([, , day]) => day ?? 0)].filter((day) => day >= 1 && day <= 31);
  return years.length === 0 && months.length === 0 ? null : { years, months, days: months.length === 0 ? [] : days };
}

function isDate(text: string, index: number, length: number): boolean {
  return DATE_BEFORE.test(text.slice(0, index)) || DATE_AFTER.test(text.slice(index + length));
}

function numbers(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(([word]) => Number(word));
}

/** Something is often told a while after it happened: the year alone, and the month after, count less. */
const LOOSELY = 0.4;
const DAY_TOO = 1.5;

/** How well a time answers what was asked about when: 0 to 1.5. @param time ISO-8601 */
export function dateLikeness(asked: AskedDates, time: string): number {
  const date = new Date(time);
  const month = date.getUTCMonth() + 1;
  const inYear = (year: number): boolean => asked.years.length === 0 || asked.years.includes(year);
  if (asked.months.length === 0) return inYear(date.getUTCFullYear()) ? LOOSELY : 0;
  if (inYear(date.getUTCFullYear()) && asked.months.includes(month))
    return asked.days.includes(date.getUTCDate()) ? DAY_TOO : 1;
  const before = new Date(Date.UTC(date.getUTCFullYear(), month - 2, 1));
  return inYear(before.getUTCFullYear()) && asked.months.includes(before.getUTCMonth() + 1) ? LOOSELY : 0;
}
