import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesIn } from './addresses.ts';
import { hasSeen } from './seen-memory.ts';
import { hashValue, seenValues } from './seen-values.ts';

const seesIn = (text: string, value: string): boolean => hasSeen(seenValues(text).hashes, hashValue(value));

describe('the values of a text', () => {
  it('are its addresses, quoted pieces, lines and telling words, without the signs around them', () => {
    const text = 'See <https://a.example/x?y=1>, or write to (kim@b.example).\nKey: "an open door" and *v1.2*!';
    for (const value of ['https://a.example/x?y=1', 'kim@b.example', 'an open door', 'v1.2'])
      expect([value, seesIn(text, value)]).toEqual([value, true]);
    expect(seesIn(text, 'write')).toBe(false);
  });

  it('take no longer from one long word than from many short ones', () => {
    // Each of these, looked at from every place in it, would take seconds to minutes.
    for (const unit of ['x', 'A1', '_', '*', '-', 'a.', '://', 'a@', '@', "'", 'h', '\u00e9'])
      expect(seesIn(`${unit.repeat(100_000 / unit.length)} kim@b.example`, 'kim@b.example')).toBe(true);
  });
});

/** Addresses as a pattern says it, which is slow in long words. */
const PATTERN = /[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+|[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)\]}]+/gi;

it('addresses are those that the pattern finds', () => {
  const piece = fc.constantFrom(...'ab1@.:/\'"`<>()[]{}*_,;!? \n|-+=', 'https://', 'a@b.c', '://', 'mailto:', '\u00e9');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('');
      expect(addressesIn(text)).toEqual([...text.matchAll(PATTERN)].map(([found]) => found));
    }),
    { numRuns: 500 },
  );
});
