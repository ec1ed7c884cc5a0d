import type { JsonObject } from '@warrant/core';

/** Of JSON, what has members by name. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
