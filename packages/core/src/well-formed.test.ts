import { expect, it } from 'vitest';
import { clipText, clipTextEnd } from './well-formed.ts';

it('cuts no character in two', () => {
  const text = 'a😀b😀';
  expect([0, 1, 2, 3, 4, 5, 6, 9].map((longest) => clipText(text, longest))).toEqual([
    '',
    'a',
    'a',
    'a😀',
    'a😀b',
    'a😀b',
    text,
    text,
  ]);
  expect([0, 1, 2, 3, 4, 5, 6, 9].map((longest) => clipTextEnd(text, longest))).toEqual([
    '',
    '',
    '😀',
    'b😀',
    'b😀',
    '😀b😀',
    text,
    text,
  ]);
});
