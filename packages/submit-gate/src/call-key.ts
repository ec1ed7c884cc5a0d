import type { Json, JsonObject } from '@warrant/core';

const SHORT = 64;
/** What lies deeper tells no two calls apart. */
const DEEPEST = 64;

/** JSON with members in order, so that the order of arguments tells no two calls apart. */
function orderedJson(value: Json, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > DEEPEST) return '"…"';
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((item) => orderedJson(item, depth + 1)).join(',')}]`;
  const object = value as JsonObject;
  const keys = Object.keys(object);
  if (keys.length === 0) return '{}';
  if (keys.length > 1) keys.sort();
  let out = '';
  for (const key of keys)
    out += `${out === '' ? '{' : ','}${quoted(key)}:${orderedJson(object[key] as Json, depth + 1)}`;
  return `${out}}`;
}

/** Short plain text needs nobody to look for what must be escaped. */
function quoted(text: string): string {
  if (text.length > SHORT) return JSON.stringify(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 || code === 34 || code === 92 || code > 126) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** The arguments as text: bare text as it is, else as {@link orderedJson}. */
export function argumentText(args: JsonObject): string {
  const bare = args['$text'];
  return typeof bare === 'string' && Object.keys(args).length === 1 ? bare : orderedJson(args);
}
