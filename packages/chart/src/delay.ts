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

const USUAL_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d[.]\d{3}Z$/;

/** Whether a text is a time. Every step asks, so the usual form is known without parsing it. */
export function isTime(text: string): boolean {
  return USUAL_TIME.test(text) || !Number.isNaN(Date.parse(text));
}

/** The moment that lies the delay after `at`, as ISO-8601 UTC. */
export function dueAt(at: string, delayMs: number): string {
  return new Date(Date.parse(at) + delayMs).toISOString();
}
