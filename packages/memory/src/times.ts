let lastText = '';
let lastTime = Number.NaN;

/** Milliseconds of an ISO-8601 time of a record; open ends are infinite. */
export function timeOf(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  // Records of one write have one time, and each asks for it several times.
  if (text !== lastText) {
    lastTime = Date.parse(text);
    lastText = text;
  }
  return lastTime;
}

export const DAY_MS = 86_400_000;
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
let lastDay = Number.NaN;
let lastDate = '';

/** ISO-8601 text of milliseconds since 1970. Rows are mostly of a few days, whose date is written once. */
export function isoOf(time: number): string {
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    lastDay = day;
  }
  const rest = time - day * DAY_MS;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const milliseconds = rest - seconds * 1000;
  const zeros = milliseconds > 99 ? '' : milliseconds > 9 ? '0' : '00';
  return `${lastDate}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${zeros}${milliseconds}Z`;
}

/** Milliseconds, or null for an open end. */
export function ms(text: string | null): number | null {
  return text === null ? null : timeOf(text);
}

/** Its text again. */
export function iso(time: number | null): string | null {
  return time === null ? null : isoOf(time);
}

/** One spelling for every instant, so that texts compare as times do. `undefined` for what is no time. */
export function canonicalTime(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  // A 30th of February is none, though it would be read as a day of March.
  const day = text.slice(0, 10);
  if (new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) || time < 0 || time > 253_402_300_799_999 ? undefined : new Date(time).toISOString();
}
