import { expect, test } from 'vitest';
import { oneLine } from './one-line.ts';

test('lines become sentences of one line', () => {
  expect(oneLine('its condition failed at offset 0\nNot allowed.\n\n Ask first \n')).toBe(
    'its condition failed at offset 0. Not allowed. Ask first',
  );
  expect([oneLine(''), oneLine('a'), oneLine('a?\nb:\nc')]).toEqual(['', 'a', 'a? b: c']);
});
