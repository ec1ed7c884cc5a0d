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

/** One spelling for every instant, so that texts compare as times do. `undefined` for what is no time. */
export function canonicalTime(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  // A 30th of February is none, though it would be read as a day of March.
  const day = text.slice(0, 10);
  if (new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) || time < 0 || time > 253_402_300_799_999 ? undefined : new Date(time).toISOString();
}
