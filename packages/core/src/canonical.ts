import { WarrantError } from './error.ts';
import type { Json } from './json.ts';
import { isWellFormed } from './well-formed.ts';

/** Deepest nesting that canonical JSON accepts. */
export const MAX_JSON_DEPTH = 1000;

/**
 * Canonical JSON by RFC 8785 (JCS): members sorted by UTF-16 code units, numbers and strings as ECMAScript prints them.
 * @throws JSON_INVALID for what is not JSON (functions, undefined, non-finite numbers, class instances, cycles), with the path.
 * @throws JSON_LONE_SURROGATE for text that is not well-formed Unicode.
 * @throws JSON_TOO_DEEP beyond {@link MAX_JSON_DEPTH} levels.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: Json): string {
  return isInOrder(value, 0) ? JSON.stringify(value) : (quick(value, 0) ?? write(value, 0, ''));
}

/** Whether the engine's own way, which is the fastest, gives the canonical form: every member stands where it belongs. */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return false;
  if (Array.isArray(value)) return isArrayInOrder(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  let before = '';
  for (const key in value) {
    if (key < before || !isWellFormed(key)) return false;
    if (!isInOrder((value as Record<string, unknown>)[key], depth + 1)) return false;
    before = key;
  }
  return true;
}

function isArrayInOrder(items: readonly unknown[], depth: number): boolean {
  // The engine would ask it for what to write instead.
  if ('toJSON' in items) return false;
  for (let index = 0; index < items.length; index += 1) if (!isInOrder(items[index], depth + 1)) return false;
  return true;
}

/** The same without keeping track of the path: undefined for what `write` has to explain. */
function quick(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? JSON.stringify(value) : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return undefined;
  return Array.isArray(value) ? quickArray(value, depth) : quickObject(value, depth);
}

function quickArray(items: readonly unknown[], depth: number): string | undefined {
  let out = '[';
  for (let index = 0; index < items.length; index += 1) {
    const item = quick(items[index], depth + 1);
    if (item === undefined) return undefined;
    out += index === 0 ? item : `,${item}`;
  }
  return `${out}]`;
}

function quickObject(value: object, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const keys = sortedKeys(value);
  let out = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    const name = quickName(key);
    const member = name === undefined ? undefined : quick((value as Record<string, unknown>)[key], depth + 1);
    if (member === undefined) return undefined;
    out += index === 0 ? `${name}${member}` : `,${name}${member}`;
  }
  return `${out}}`;
}

/** Few keys are sorted by hand, which costs less than the engine's way. They compare by UTF-16 code units either way. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let place = index;
    for (; place > 0 && (keys[place - 1] as string) > key; place -= 1) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}

const FEW_KEYS = 32;

/** Names of members come again and again: their text is made once. */
const names = new Map<string, string>();
const MOST_NAMES = 4096;
const LONGEST_NAME = 64;

function quickName(key: string): string | undefined {
  const known = names.get(key);
  if (known !== undefined) return known;
  if (!isWellFormed(key)) return undefined;
  const text = `${JSON.stringify(key)}:`;
  if (key.length > LONGEST_NAME) return text;
  if (names.size >= MOST_NAMES) names.clear();
  names.set(key, text);
  return text;
}

function write(value: unknown, depth: number, path: string): string {
  switch (typeof value) {
    case 'string':
      return writeText(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw invalid('a number that is not finite', path);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= MAX_JSON_DEPTH) {
        throw new WarrantError('JSON_TOO_DEEP', `JSON nested deeper than ${MAX_JSON_DEPTH} levels`, {
          data: { limit: MAX_JSON_DEPTH },
        });
      }
      return Array.isArray(value) ? writeArray(value, depth, path) : writeObject(value, depth, path);
    default:
      throw invalid(typeof value, path);
  }
}

function writeArray(items: readonly unknown[], depth: number, path: string): string {
  let out = '[';
  for (let index = 0; index < items.length; index += 1) {
    out += (index === 0 ? '' : ',') + write(items[index], depth + 1, `${path}/${index}`);
  }
  return `${out}]`;
}

function writeObject(value: object, depth: number, path: string): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw invalid('an object with a class', path);
  // The default sort compares UTF-16 code units, as RFC 8785 (3.2.3) demands.
  const keys = Object.keys(value).sort();
  let out = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    const member = write((value as Record<string, unknown>)[key], depth + 1, `${path}/${key}`);
    out += `${index === 0 ? '' : ','}${writeText(key, path)}:${member}`;
  }
  return `${out}}`;
}

function writeText(text: string, path: string): string {
  if (!isWellFormed(text)) {
    throw new WarrantError('JSON_LONE_SURROGATE', `text with a lone surrogate at ${place(path)}`, { data: { path } });
  }
  return JSON.stringify(text);
}

function invalid(what: string, path: string): WarrantError {
  return new WarrantError('JSON_INVALID', `not JSON: ${what} at ${place(path)}`, { data: { path } });
}

function place(path: string): string {
  return path === '' ? 'the root' : path;
}
