import { isWellFormed } from '@warrant/core';

const ASCII = /^\p{ASCII}*$/u;

/** Orders text by Unicode code points, as SQLite's BINARY collation orders UTF-8; the default sort differs beyond U+FFFF. */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return surrogateLast(a) - surrogateLast(b);
  }
  return left.length - right.length;
}

// A surrogate stands for a code point above every single code unit.
function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** True for text of at least one and at most `limit` code units without lone surrogates. */
export function isText(value: unknown, limit: number): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > limit) return false;
  return ASCII.test(value) || isWellFormed(value);
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text for a message: at most 60 code units, quoted, invisible characters escaped. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return `'${short.replace(INVISIBLE, visible)}'`;
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}
