/** Freezes plain data in place, all the way down. `known` remembers what was walked before, so shared data costs once. */
export function deepFreeze<T>(value: T, known: WeakSet<object>): T {
  freeze(value, known);
  return value;
}

function freeze(value: unknown, known: WeakSet<object>): void {
  if (typeof value !== 'object' || value === null || known.has(value)) return;
  known.add(value);
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (const item of value) freeze(item, known);
    return;
  }
  for (const key of Object.keys(value)) freeze((value as Record<string, unknown>)[key], known);
}
