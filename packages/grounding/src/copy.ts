import { MAX_JSON_DEPTH, WarrantError } from '@warrant/core';
import { isDeepFrozen } from './freeze.ts';

/**
 * A frozen copy of plain data; what is frozen all the way down already is taken as it is.
 * @throws GROUNDING_VIEW_INVALID for what is nested deeper than JSON may be
 */
export function frozenCopy<T>(value: T): T {
  return isDeepFrozen(value) ? value : (copy(value, 0) as T);
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_JSON_DEPTH) {
    throw new WarrantError('GROUNDING_VIEW_INVALID', `a primitive is nested deeper than ${MAX_JSON_DEPTH} levels`, {
      data: { path: '', problem: 'is nested too deep' },
    });
  }
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, depth + 1)));
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = copy((value as Record<string, unknown>)[key], depth + 1);
    // Assigning `__proto__` would set the prototype instead of a member.
    if (key === '__proto__') Object.defineProperty(copied, key, { value: member, enumerable: true });
    else copied[key] = member;
  }
  return Object.freeze(copied);
}
