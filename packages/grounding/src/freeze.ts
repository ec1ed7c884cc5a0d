/** Freezes the value and everything it holds, in place; what is frozen already is taken to be frozen all the way down. */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return value;
}

/** True when neither the value nor anything it holds can change. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!Object.isFrozen(next)) return false;
    for (const member of Object.values(next)) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return true;
}
