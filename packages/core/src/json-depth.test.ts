import { expect, it } from 'vitest';
import { isDeeper } from './index.ts';

it('JSON is as deep as its lists and objects', () => {
  expect([0, 1, 2, 3].map((levels) => isDeeper({ a: [1, 'x', []] }, levels))).toEqual([true, true, true, false]);
  expect(isDeeper('x', 0)).toBe(false);
});

it('no more is looked at than the levels asked for', () => {
  let far: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) far = [far];
  expect(isDeeper(far, 64)).toBe(true);
});
