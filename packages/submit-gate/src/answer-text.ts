import type { Json, JsonObject } from '@warrant/core';

const DEEPEST = 64;

/** Every text, number and member name in an answer, one a line; a plain string as it is. */
export function answerText(value: Json): string {
  if (typeof value === 'string') return value;
  const parts: string[] = [];
  collect(value, 0, parts);
  return parts.join('\n');
}

function collect(value: Json, depth: number, parts: string[]): void {
  if (typeof value === 'string') parts.push(value);
  else if (typeof value === 'number') parts.push(String(value));
  else if (typeof value === 'object' && value !== null && depth < DEEPEST) {
    if (Array.isArray(value)) for (const item of value as Json[]) collect(item, depth + 1, parts);
    else {
      for (const [key, item] of Object.entries(value)) {
        parts.push(key);
        collect(item, depth + 1, parts);
      }
    }
  }
}

/** The text that a person would read: of content blocks and process results the text members, else {@link answerText}. */
export function shownText(value: Json): string {
  return shownAt(value, 0);
}

function shownAt(value: Json, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth > DEEPEST) return '';
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => shownAt(item, depth + 1)).join('\n');
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
  const object = value as JsonObject;
  if (object['type'] === 'text' && typeof object['text'] === 'string') return object['text'];
  const process = ['stdout', 'output', 'stderr'].flatMap((key) =>
    typeof object[key] === 'string' ? [object[key]] : [],
  );
  if (process.length > 0) return process.join('\n');
  if (object['content'] !== undefined) return shownAt(object['content'], depth + 1);
  return answerText(value);
}

/** A JSON text as its value; anything else as it is. */
export function structured(value: Json, largest = Number.POSITIVE_INFINITY): Json {
  if (typeof value !== 'string' || value.length > largest || !mayBeJson(value)) return value;
  const text = value.trim();
  const first = text[0];
  const last = text.at(-1);
  if (!((first === '{' && last === '}') || (first === '[' && last === ']'))) return value;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return value;
  }
}

/** True unless the text begins with something that neither an object nor a list begins with. */
function mayBeJson(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 123 || first === 91 || first <= 32 || first > 127;
}

const EXIT_CODES = ['exit_code', 'exitCode', 'return_code', 'returncode', 'returnCode', 'code'];

/** The exit code that a process result states, or null. */
export function exitCode(value: Json): number | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const object = value as JsonObject;
  const process = 'stdout' in object || 'stderr' in object || 'output' in object;
  for (const key of EXIT_CODES) {
    const code = object[key];
    if (typeof code === 'number' && (key !== 'code' || process)) return code;
  }
  return null;
}
