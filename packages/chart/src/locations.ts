import { type Json, type JsonObject, WarrantError } from '@warrant/core';

/** The data with the value put at the path; everything off the path is shared with the old data. */
export function assignAt(data: JsonObject, path: readonly (string | number)[], value: Json): JsonObject {
  const [first, ...rest] = path;
  if (typeof first !== 'string' || !Object.hasOwn(data, first)) throw noLocation();
  return { ...data, [first]: put(data[first] as Json, rest, value) };
}

function put(current: Json, path: readonly (string | number)[], value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(current)) return putItem(current as readonly Json[], step, rest, value);
  if (typeof current !== 'object' || current === null || typeof step !== 'string') throw noLocation();
  const members = current as JsonObject;
  if (rest.length > 0 && !Object.hasOwn(members, step)) throw noLocation();
  const next = put(Object.hasOwn(members, step) ? (members[step] as Json) : null, rest, value);
  return withMember(members, step, next);
}

function putItem(items: readonly Json[], step: string | number, rest: readonly (string | number)[], value: Json): Json {
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 0 || step > items.length) throw noLocation();
  const copy = [...items];
  copy[step] = put(items[step] ?? null, rest, value);
  return copy;
}

/** `__proto__` is a member like any other. */
function withMember(members: JsonObject, key: string, value: Json): JsonObject {
  const copy: Record<string, Json> = { ...members };
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  return copy;
}

function noLocation(): WarrantError {
  return new WarrantError('CHART_LOCATION', 'there is no such place in the data');
}
