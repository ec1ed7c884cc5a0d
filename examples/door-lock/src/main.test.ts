import { lintChart } from '@warrant/chart';
import { expect, test } from 'vitest';
import { readLock, tell } from './main.ts';

test('the door opens, closes by itself and gives up after three wrong codes', () => {
  const { lines, live, replayed } = tell();
  expect(lines).toEqual([
    'evening: locked',
    'the right code: open',
    'five seconds later: locked',
    'two wrong codes: locked',
    "'code' takes locked#2. Active: locked.",
    'a third: alarm',
  ]);
  expect(replayed).toBe(live);
});

test('there is nothing to remark about the chart', () => {
  expect(lintChart(readLock())).toEqual([]);
});
