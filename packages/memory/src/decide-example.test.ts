import { expect, test } from 'vitest';
import { decideExample } from './decide-example.ts';

test('refuses an empty text with a reason', () => {
  expect(decideExample({ text: '' }).reasons[0]?.code).toBe('memory.empty-text');
});

test('allows any other text', () => {
  expect(decideExample({ text: 'a' })).toEqual({ allowed: true, reasons: [] });
});
