import { unitsOf } from './units.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
const LETTERS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));

/** Up to here a text is read unit by unit. */
const SHORT = 64;
const FIRST_LANE = 0x811c9dc5;
const SECOND_LANE = 0x9e3779b9;
/** What fits above 32 bits into a number that JSON keeps. */
const HIGH_BITS = 0x1fffff;
/** So many values have {@link packed} numbers. */
const LOW = 2 ** 30;

/**
 * 53 bits over the UTF-16 units of a text, taken from two lanes; never 0. Not cryptographic: a collision can only make something
 * new look known, which refuses and never accepts.
 */
export function hashText(text: string): number {
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
  return joined(a ^ last, b ^ last, text.length);
}

/** {@link hashText} of a prefix followed by the first `length` units. */
export function hashUnits(prefix: string, units: Uint16Array, length: number): number {
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
  return joined(a ^ last, b ^ last, length);
}

function joined(a: number, b: number, length: number): number {
  return (mixed(b ^ (a >>> 7)) & HIGH_BITS) * 2 ** 32 + mixed(a ^ length) || 1;
}

/** A {@link hashText} as 10 characters. */
export function printed(hash: number): string {
  return packed(hash) + packed(hash / LOW);
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

/** Of 30 bits 5 characters; what lies behind the point does not count. */
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
