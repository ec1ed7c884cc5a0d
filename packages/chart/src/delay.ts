import { WarrantError } from '@warrant/core';

const DELAY = /^(\d*\.?\d+)(ms|s|m|h|d)$/;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const MAX_LENGTH = 40;
const MAX_DELAY_MS = 100 * 365.25 * 86_400_000;

/** A CSS2 time (`1.5s`, `200ms`), also minutes, hours and days, in milliseconds. @throws CHART_DELAY */
export function parseDelay(text: string): number {
  const match = text.length > MAX_LENGTH ? null : DELAY.exec(text.trim());
  if (match === null) throw new WarrantError('CHART_DELAY', 'a delay is a number with ms, s, m, h or d');
  const milliseconds = Math.round(Number(match[1]) * (MILLISECONDS[match[2] as string] as number));
  if (milliseconds > MAX_DELAY_MS) throw new WarrantError('CHART_DELAY', 'a delay is at most 100 years');
  return milliseconds;
}

const TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.]\d{1,9})?Z$/;

/** Steps of one moment come in a row. */
let lastTime = '';

/** Whether a text is an ISO-8601 time in UTC; one that depends on where it is read would not replay. */
export function isTime(text: string): boolean {
  if (text === lastTime) return true;
  if (!TIME.test(text)) return false;
  if ((text[8] === '3' || text.slice(8, 10) === '29') && !isDay(text.slice(0, 10))) return false;
  lastTime = text;
  return true;
}

/** Whether the month has the day: what it lacks would become a day of the next. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** The moment that lies the delay after `at`, as ISO-8601 UTC. */
export function dueAt(at: string, delayMs: number): string {
  return new Date(Date.parse(at) + delayMs).toISOString();
}
