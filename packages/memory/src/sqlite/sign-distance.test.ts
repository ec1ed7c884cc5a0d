import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signDistance } from './sign-distance.ts';

const words = fc.int32Array({ minLength: 8, maxLength: 8 });

test('counts the bits that differ, one by one', () => {
  fc.assert(
    fc.property(words, words, fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), (a, b, from, at) => {
      const left = Int32Array.from([...Array<number>(from).fill(-1), ...a]);
      const right = Int32Array.from([...Array<number>(at).fill(0), ...b]);
      const bits = [...a].map((word, index) => ((word ^ (b[index] as number)) >>> 0).toString(2).replaceAll('0', ''));
      expect(signDistance(left, from, right, at)).toBe(bits.join('').length);
    }),
    { seed: 5 },
  );
});

test('counts all and none', () => {
  const none = new Int32Array(8);
  const all = new Int32Array(8).fill(-1);
  expect(signDistance(none, 0, none, 0)).toBe(0);
  expect(signDistance(all, 0, all, 0)).toBe(0);
  expect(signDistance(all, 0, none, 0)).toBe(256);
});
