import { createHash } from 'node:crypto';
import type { ReviewChain } from '@warrant/core';
import { isMapping, member } from './faults.ts';
import { compareCodePoints } from './text.ts';

/** What the first event of an audit log links to. */
export const GENESIS = '0'.repeat(64);

/**
 * JSON with sorted keys, no blanks and everything beyond ASCII escaped: what the hash of an audit event is made over.
 * Numbers are written as ECMAScript does; events hold no others than whole ones.
 */
export function asciiJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asciiJson).join(',')}]`;
  if (isMapping(value)) {
    const keys = Object.keys(value).sort(compareCodePoints);
    return `{${keys.map((key) => `${asciiText(key)}:${asciiJson(value[key])}`).join(',')}}`;
  }
  return typeof value === 'string' ? asciiText(value) : JSON.stringify(value);
}

function asciiText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The hash of an event that follows `previous`; the event comes without its own hash. */
export function eventHash(previous: string, event: { readonly [key: string]: unknown }): string {
  return createHash('sha256').update(previous).update(asciiJson(event)).digest('hex');
}

/** Checks the chain line by line; the first fault ends the check with its line number, from 1. */
export function verifyLines(lines: Iterable<string>): ReviewChain {
  let previous = GENESIS;
  let line = 0;
  for (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const fault = faultOf(text, previous);
    if (fault.type === 'fault') return { ok: false, line, reason: fault.reason };
    previous = fault.hash;
  }
  return { ok: true, line: null, reason: null };
}

type LineCheck =
  | { readonly type: 'fault'; readonly reason: string }
  | { readonly type: 'linked'; readonly hash: string };

function faultOf(text: string, previous: string): LineCheck {
  const event = parseLine(text);
  if (event === null) return { type: 'fault', reason: 'malformed JSON' };
  const { hash, ...rest } = event;
  const link = member(event, 'prev_hash');
  if (typeof hash !== 'string' || hash === '' || typeof link !== 'string') {
    return { type: 'fault', reason: 'legacy event is not hash-chained' };
  }
  if (link !== previous) return { type: 'fault', reason: 'previous hash mismatch' };
  if (rawHash(text, previous, rest) !== hash) return { type: 'fault', reason: 'event hash mismatch' };
  return { type: 'linked', hash };
}

// Lines as they are written are canonical: their own text without the hash keeps numbers such as 1.0 exact.
function rawHash(text: string, previous: string, rest: { readonly [key: string]: unknown }): string {
  const written = text.trim().replace(/"hash":"[0-9a-f]{64}",/, '');
  const own = createHash('sha256').update(previous).update(written).digest('hex');
  return isSameValue(written, rest) && isCanonical(written) ? own : eventHash(previous, rest);
}

function isSameValue(written: string, rest: { readonly [key: string]: unknown }): boolean {
  const parsed = parseLine(written);
  return parsed !== null && asciiJson(parsed) === asciiJson(rest);
}

function isCanonical(written: string): boolean {
  const parsed = parseLine(written);
  // Only the spelling of numbers may differ from ours.
  return parsed !== null && withoutNumbers(asciiJson(parsed)) === withoutNumbers(written);
}

function withoutNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token[0] === '"' ? token : '0',
  );
}

/** The event of one line, or `null` when the line cannot be parsed. */
export function parseLine(text: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? value : null;
  } catch {
    return null;
  }
}
