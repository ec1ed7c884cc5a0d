/** Freezes JSON data all the way down, without recursion, so that deep data cannot overflow the stack. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    Object.freeze(next);
    for (const key in next) {
      const member = (next as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) open.push(member);
    }
  }
  return value;
}
