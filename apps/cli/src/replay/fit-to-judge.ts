import { isDeeper, toWellFormed } from '@warrant/core';

/** Levels that are read; what is recorded of calls ends at twice as many. */
const DEEPEST = 500;
const ESCAPED_HALF = /\\u[dD][89a-fA-F]/;

/**
 * A value of a transcript as calls are judged: halves of characters, which tools print and nothing can be made of, are
 * replaced. Undefined for one that is nested too deep.
 */
export function fitToJudge(value: unknown, text: string): unknown {
  if (isDeeper(value, DEEPEST)) return undefined;
  return ESCAPED_HALF.test(text) ? wellFormed(value) : value;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toWellFormed(name), wellFormed(member)]));
}
