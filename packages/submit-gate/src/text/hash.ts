import { digestBytes } from '@warrant/core';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
const UNITS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));

const LONG = 2_048;

/**
 * 64 bits over the UTF-16 units of a text, as two lanes, 11 characters long. Not cryptographic: a collision can only make
 * something new look known, which refuses and never accepts.
 */
export function hashText(text: string): string {
  // From here on the machine's own digest is faster than a loop.
  if (text.length > LONG) return hashText(digestBytes(text));
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  const first = mixed(a ^ text.length);
  const second = mixed(b ^ (a >>> 7));
  return String.fromCharCode(
    unit(first),
    unit(first >>> 6),
    unit(first >>> 12),
    unit(first >>> 18),
    unit(first >>> 24),
    unit(first >>> 30),
    unit(second),
    unit(second >>> 6),
    unit(second >>> 12),
    unit(second >>> 18),
    unit(second >>> 24),
  );
}

/** 30 bits over a slice of a text, 5 characters long. */
export function hashSlice(text: string, start: number, end: number): string {
  let a = 0x811c9dc5;
  for (let index = start; index < end; index += 1) a = Math.imul(a ^ text.charCodeAt(index), 0x01000193);
  return packed(mixed(a));
}

function mixed(value: number): number {
  let out = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  out = Math.imul(out ^ (out >>> 15), 0x846ca68b);
  return (out ^ (out >>> 16)) >>> 0;
}

/** Of 30 bits 5 characters. */
function packed(value: number): string {
  return String.fromCharCode(
    unit(value),
    unit(value >>> 6),
    unit(value >>> 12),
    unit(value >>> 18),
    unit(value >>> 24),
  );
}

function unit(value: number): number {
  return UNITS[value & 63] as number;
}
