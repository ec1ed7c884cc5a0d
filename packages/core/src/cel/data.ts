import { celError, limitError } from './errors.ts';
import type { CelLimits } from './limits.ts';

type Budget = { values: number; characters: number };

/**
 * Checks that data is JSON within the limits, and gives it in a form whose keys are only data: an object with a member
 * named `constructor` would be taken for an instance of a class, and `__proto__` for its prototype, so both become maps.
 */
export function admitData(value: unknown, limits: CelLimits): unknown {
  const budget = { values: limits.dataValues, characters: limits.dataCharacters };
  return isPlain(value, 0, budget, limits) ? value : asMaps(value);
}

/** False when some object inside has a member that the evaluator would mistake. */
function isPlain(value: unknown, depth: number, budget: Budget, limits: CelLimits): boolean {
  budget.values -= 1;
  if (budget.values < 0) throw limitError('dataValues', limits.dataValues);
  switch (typeof value) {
    case 'string':
      budget.characters -= value.length;
      if (budget.characters < 0) throw limitError('dataCharacters', limits.dataCharacters);
      return true;
    case 'boolean':
      return true;
    case 'number':
      if (!Number.isFinite(value)) throw celError('CEL_DATA', 'a number that is not finite');
      return true;
    case 'object':
      if (value === null) return true;
      if (depth >= limits.dataDepth) throw limitError('dataDepth', limits.dataDepth);
      return Array.isArray(value)
        ? isPlainList(value, depth, budget, limits)
        : isPlainObject(value, depth, budget, limits);
    default:
      throw celError('CEL_DATA', typeof value);
  }
}

function isPlainList(items: readonly unknown[], depth: number, budget: Budget, limits: CelLimits): boolean {
  let plain = true;
  for (let index = 0; index < items.length; index += 1) {
    if (!isPlain(items[index], depth + 1, budget, limits)) plain = false;
  }
  return plain;
}

function isPlainObject(value: object, depth: number, budget: Budget, limits: CelLimits): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw celError('CEL_DATA', 'an object with a class');
  let plain = true;
  for (const key in value) {
    budget.characters -= key.length;
    if (key === 'constructor' || key === '__proto__') plain = false;
    if (!isPlain((value as Record<string, unknown>)[key], depth + 1, budget, limits)) plain = false;
  }
  return plain;
}

function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, member]) => [key, asMaps(member)]));
}
