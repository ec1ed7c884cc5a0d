import { setOwn } from '@warrant/core';

/** A copy of plain JSON-like data that shares nothing with it: several times cheaper than `structuredClone`. */
export function copyOf<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const copied: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    setOwn(copied, name, copy((value as Record<string, unknown>)[name]));
  }
  return copied;
}
