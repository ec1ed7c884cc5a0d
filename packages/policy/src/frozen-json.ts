import { isWellFormed, type Json, type JsonObject, MAX_JSON_DEPTH, setOwn, WarrantError } from '@warrant/core';

/**
 * A frozen copy of the value, read once: what is checked is what is recorded and handed on. Absent members
 * (`undefined`) are left out, -0 becomes 0.
 * @throws POLICY_NOT_JSON for functions, class instances, bigints, non-finite numbers, holes, cycles.
 * @throws POLICY_LONE_SURROGATE for text that is not well-formed Unicode.
 */
export function frozenJson(value: unknown): Json {
  return copy(value, 0, '', true);
}

/** A copy that its receiver may change. */
export function mutableJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  return copy(value, 0, '', false);
}

function copy(value: unknown, depth: number, path: string, frozen: boolean): Json {
  switch (typeof value) {
    case 'string':
      return text(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw notJson('a number that is not finite', path);
      return value === 0 ? 0 : value;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_JSON_DEPTH) throw notJson(`nesting beyond ${MAX_JSON_DEPTH} levels or a cycle`, '');
      return Array.isArray(value) ? copyArray(value, depth, path, frozen) : copyObject(value, depth, path, frozen);
    default:
      throw notJson(typeof value, path);
  }
}

function copyArray(items: readonly unknown[], depth: number, path: string, frozen: boolean): Json {
  const out: Json[] = [];
  for (let index = 0; index < items.length; index += 1) {
    out.push(copy(items[index], depth + 1, `${path}/${index}`, frozen));
  }
  return frozen ? Object.freeze(out) : out;
}

function copyObject(value: object, depth: number, path: string, frozen: boolean): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson('an object with a class', path);
  const out: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const copied = copy(member, depth + 1, `${path}/${key}`, frozen);
    text(key, path);
    setOwn(out, key, copied);
  }
  return frozen ? Object.freeze(out) : out;
}

function text(value: string, path: string): string {
  if (isWellFormed(value)) return value;
  throw new WarrantError('POLICY_LONE_SURROGATE', 'text with a lone surrogate in the arguments', {
    data: { path: place(path) },
  });
}

function notJson(what: string, path: string): WarrantError {
  return new WarrantError('POLICY_NOT_JSON', `the arguments are not JSON: ${what}`, { data: { path: place(path) } });
}

/** Keys of hostile arguments may be long and malformed; an error stays small and well-formed. */
function place(path: string): string {
  return path.slice(0, 200).replace(/[\uD800-\uDFFF]/g, '\uFFFD');
}
