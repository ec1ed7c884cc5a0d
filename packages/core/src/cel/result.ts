import type { Json } from '../json.ts';
import { celError } from './errors.ts';

const MAX_DEPTH = 200;

/**
 * The result as JSON: integers of CEL become numbers when they are exact.
 * @throws CEL_RESULT for unsafe integers, numbers that are not finite, and values JSON does not have (bytes, times, types).
 */
export function toJson(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw celError('CEL_RESULT', 'a number that is not finite');
      return Object.is(value, -0) ? 0 : value;
    case 'bigint':
      return toNumber(value);
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_DEPTH) throw celError('CEL_RESULT', 'nested too deeply');
      return fromObject(value, depth);
    default:
      throw celError('CEL_RESULT', typeof value);
  }
}

function toNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw celError('CEL_RESULT', 'an integer beyond 2^53');
  return number;
}

function fromObject(value: object, depth: number): Json {
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  if (value instanceof Map) return fromEntries(value.entries(), depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return fromEntries(Object.entries(value), depth);
  const primitive: unknown = value.valueOf();
  if (typeof primitive === 'bigint') return toNumber(primitive);
  throw celError('CEL_RESULT', 'a value of a type that JSON does not have');
}

function fromEntries(entries: Iterable<readonly [unknown, unknown]>, depth: number): Json {
  const object: Record<string, Json> = {};
  for (const [key, member] of entries) {
    const json = toJson(member, depth + 1);
    // Assignment to `__proto__` would set the prototype.
    Object.defineProperty(object, String(key), { value: json, enumerable: true, configurable: true, writable: true });
  }
  return object;
}
