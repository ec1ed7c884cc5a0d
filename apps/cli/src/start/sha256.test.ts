import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const expected = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('is the digest that Node computes, at every length around the ends of blocks', () => {
  for (let length = 0; length <= 260; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 151 + length) & 0xff);
    expect(sha256(bytes)).toBe(expected(bytes));
  }
});

test('is the digest that Node computes, for any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => sha256(bytes) === expected(bytes)));
});
