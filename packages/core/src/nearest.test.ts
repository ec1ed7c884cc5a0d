import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const relations = ['requires', 'depends-on', 'applies-to', 'includes'];

it.each([
  ['requries', 'requires'],
  ['Includes', 'includes'],
  ['includs', 'includes'],
  ['applys-to', 'applies-to'],
  ['zebra', undefined],
  ['', undefined],
])('takes %s for %s', (word, meant) => {
  expect(nearest(word, relations)).toBe(meant);
});

it('gives the first of several that are as near, and the nearer before the first', () => {
  expect(nearest('graph', ['grapha', 'graphb'])).toBe('grapha');
  expect(nearest('shell', ['spells', 'shells'])).toBe('shells');
});

it('neither compares what nobody mistypes nor goes through endless candidates', () => {
  expect(nearest('x'.repeat(81), ['x'.repeat(81)])).toBeUndefined();
  function* endless(): Generator<string> {
    for (;;) yield 'something';
  }
  expect(nearest('anything', endless())).toBeUndefined();
});
