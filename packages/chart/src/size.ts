import type { Json } from '@warrant/core';

const MAX_DEPTH = 200;

/** Whether a value's JSON is at most so many characters (about: escapes are not counted) and not nested deeper than 200 levels. Stops looking at the limit. */
export function fitsIn(value: Json, limit: number): boolean {
  return remaining(value, limit, 0) >= 0;
}

/** What is left of the limit after the value; negative when it does not fit. */
function remaining(value: Json, limit: number, depth: number): number {
  if (typeof value === 'string') return limit - value.length - 2;
  if (typeof value !== 'object' || value === null) return limit - 5;
  if (depth >= MAX_DEPTH) return -1;
  let left = limit - 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      left = remaining(item, left - 1, depth + 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const [key, member] of Object.entries(value)) {
    left = remaining(member, left - key.length - 4, depth + 1);
    if (left < 0) return left;
  }
  return left;
}
