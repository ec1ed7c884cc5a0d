import {
  canonicalJson,
  type Digest,
  digestBytes,
  isWellFormed,
  type Json,
  type Observation,
  toWellFormed,
} from '@warrant/core';
import { messageOf } from './ask-conditions.ts';
import { fits } from './fits.ts';
import type { SecretReplacer } from './guard-options.ts';

/** A result up to so many bytes of canonical JSON is kept whole, a longer one by its ends. */
const MAX_RESULT_BYTES = 16 * 1024;
const END_BYTES = 8 * 1024;

/** The result as an observation holds it. `signals` says what was changed to make it storable. */
export type RecordableResult = Pick<Observation, 'result' | 'full' | 'signals'>;

/** Any value as JSON that can be stored; never throws, since an effect that happened must be recordable. */
export function recordableResult(value: unknown, secrets: SecretReplacer | undefined): RecordableResult {
  const signals: string[] = [];
  const stored = storable(value, signals);
  const { json, text } = secrets === undefined ? stored : replaced(stored, secrets, signals);
  const marked = signals.length > 0 ? { signals } : {};
  if (fits(text, MAX_RESULT_BYTES)) return { result: json, ...marked };
  const bytes = Buffer.from(text);
  const full = { digest: digestBytes(bytes), bytes: bytes.length };
  return { result: { $head: head(bytes, END_BYTES), $tail: tail(bytes, END_BYTES) }, full, ...marked };
}

/** What a thrown value says, as a result. */
export function recordableError(error: unknown, secrets: SecretReplacer | undefined): RecordableResult {
  const name = error instanceof Error ? error.name : 'Error';
  const code = codeOf(error);
  return recordableResult({ name, message: messageOf(error), ...(code === null ? {} : { code }) }, secrets);
}

/** JSON that is short enough to stand in a record, or its digest, size and first bytes. */
export function excerpt(value: Json, maxBytes: number): Json {
  // Written in full a UTF-16 unit takes at most six bytes.
  if (typeof value === 'string' && value.length * 6 + 2 <= maxBytes) return value;
  const text = canonicalJson(value);
  if (fits(text, maxBytes)) return value;
  const bytes = Buffer.from(text);
  const digest: Digest = digestBytes(bytes);
  // Quotes are escaped once more when the head is stored, so it gets half of the room.
  return { $excerpt: { digest, bytes: bytes.length, head: head(bytes, Math.floor(maxBytes / 2) - 80) } };
}

/** A value with its canonical text, which is made once. */
type Stored = { readonly json: Json; readonly text: string };

function replaced(stored: Stored, secrets: SecretReplacer, signals: string[]): Stored {
  try {
    const json = secrets.replace(stored.json);
    // An object may have been changed in place.
    return json === stored.json && typeof json !== 'object' ? stored : storedOf(json);
  } catch {
    // What cannot be cleaned must not be stored.
    signals.push('result-withheld');
    return storedOf({ $withheld: 'secrets could not be replaced' });
  }
}

function storedOf(json: Json): Stored {
  return { json, text: canonicalJson(json) };
}

function storable(value: unknown, signals: string[]): Stored {
  if (value === undefined || value === null) return NULL;
  try {
    if (typeof value === 'string' && isWellFormed(value)) return { json: value, text: JSON.stringify(value) };
    const text = JSON.stringify(value, (_key, member: unknown) => {
      if (typeof member === 'bigint') return member.toString();
      return typeof member === 'function' || typeof member === 'symbol' ? undefined : member;
    }) as string | undefined;
    if (text === undefined) return storedOf({ $unstorable: typeof value });
    const parsed = JSON.parse(text) as Json;
    if (!/\\u[dD][89a-fA-F]/.test(text)) return storedOf(parsed);
    const clean = wellFormed(parsed);
    if (JSON.stringify(clean) !== JSON.stringify(parsed)) signals.push('made-well-formed');
    return storedOf(clean);
  } catch {
    signals.push('not-json');
    return storedOf({ $unstorable: typeof value });
  }
}

const NULL: Stored = { json: null, text: 'null' };

function wellFormed(value: Json): Json {
  if (typeof value === 'string') return toWellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [toWellFormed(key), wellFormed(member)]));
}

function codeOf(error: unknown): string | number | null {
  try {
    const code = (error as { readonly code?: unknown } | null | undefined)?.code;
    return typeof code === 'string' || Number.isSafeInteger(code) ? (code as string | number) : null;
  } catch {
    return null;
  }
}

function head(bytes: Buffer, length: number): string {
  // A character cut in two decodes to U+FFFD at the very end.
  return bytes
    .subarray(0, length)
    .toString()
    .replace(/\uFFFD$/, '');
}

function tail(bytes: Buffer, length: number): string {
  return bytes
    .subarray(bytes.length - length)
    .toString()
    .replace(/^\uFFFD+/, '');
}
