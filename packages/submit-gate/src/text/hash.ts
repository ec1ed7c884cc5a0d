import { unitsOf } from './units.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
const LETTERS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));

/** Up to here a text is read unit by unit. */
const SHORT = 64;
const FIRST_LANE = 0x811c9dc5;
const SECOND_LANE = 0x9e3779b9;

/**
 * 64 bits over the UTF-16 units of a text, as two lanes, 11 characters long. Not cryptographic: a collision can only make
 * something new look known, which refuses and never accepts.
 */
export function hashText(text: string): string {
  if (text.length > SHORT) return hashUnits('', unitsOf(text), text.length);
  let a = FIRST_LANE;
  let b = SECOND_LANE;
  const even = text.length - (text.length & 1);
  for (let index = 0; index < even; index += 2) {
    const pair = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
    a = Math.imul(a ^ pair, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b ^ pair, 0x85ebca6b);
    b ^= b >>> 13;
  }
  const last = even < text.length ? text.charCodeAt(even) : 0;
  return printed(a ^ last, b ^ last, text.length);
}

/** {@link hashText} of a prefix followed by the first `length` units. */
export function hashUnits(prefix: string, units: Uint16Array, length: number): string {
  let a = FIRST_LANE;
  let b = SECOND_LANE;
  for (let index = 0; index < prefix.length; index += 1) {
    const code = prefix.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  const even = length - (length & 1);
  for (let index = 0; index < even; index += 2) {
    const pair = (units[index] as number) | ((units[index + 1] as number) << 16);
    a = Math.imul(a ^ pair, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b ^ pair, 0x85ebca6b);
    b ^= b >>> 13;
  }
  const last = even < length ? (units[even] as number) : 0;
  return printed(a ^ last, b ^ last, length);
}

function printed(a: number, b: number, length: number): string {
  const first = mixed(a ^ length);
  const second = mixed(b ^ (a >>> 7));
  return String.fromCharCode(
    letter(first),
    letter(first >>> 6),
    letter(first >>> 12),
    letter(first >>> 18),
    letter(first >>> 24),
    letter(first >>> 30),
    letter(second),
    letter(second >>> 6),
    letter(second >>> 12),
    letter(second >>> 18),
    letter(second >>> 24),
  );
}

/** 30 bits over a slice of a text, 5 characters long. */
export function hashSlice(text: string, start: number, end: number): string {
  return packed(hashNumber(text, start, end));
}

/** 30 bits over a slice of a text. */
export function hashNumber(text: string, start: number, end: number): number {
  let a = FIRST_LANE;
  for (let index = start; index < end; index += 1) a = Math.imul(a ^ text.charCodeAt(index), 0x01000193);
  return mixed(a) & 0x3fffffff;
}

function mixed(value: number): number {
  let out = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  out = Math.imul(out ^ (out >>> 15), 0x846ca68b);
  return (out ^ (out >>> 16)) >>> 0;
}

/** Of 30 bits 5 characters. */
export function packed(value: number): string {
  return String.fromCharCode(
    letter(value),
    letter(value >>> 6),
    letter(value >>> 12),
    letter(value >>> 18),
    letter(value >>> 24),
  );
}

function letter(value: number): number {
  return LETTERS[value & 63] as number;
}
