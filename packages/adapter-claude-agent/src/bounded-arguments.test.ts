import { canonicalJson, createSecretReplacer, type Json, type JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { boundedArguments } from './bounded-arguments.ts';

const same = <T>(value: T): T => value;
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const wide = (count: number, text: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, text]));

describe('arguments as they are recorded', () => {
  it('stay as they are up to a length', () => {
    const args = { file_path: 'a', content: 'x'.repeat(199_000) };
    expect(boundedArguments(args, same)).toBe(args);
  });

  it.each<[string, JsonObject]>([
    ['one long text', { content: 'x'.repeat(5_000_000) }],
    ['a text of signs that take six letters each', { content: '\u0001'.repeat(900_000) }],
    ['a text of characters of two halves', { content: `x${'😀'.repeat(500_000)}` }],
    ['many long texts', wide(90, 'y'.repeat(60_000))],
    ['many short ones', wide(50_000, 'y'.repeat(100))],
    [
      'lists of lists',
      { items: Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 'z'.repeat(200))) },
    ],
    ['long names', { [`x${'😀'.repeat(300_000)}`]: 1 }],
  ])('are cut to what an entry holds: %s', (_what, args) => {
    const kept = boundedArguments(args, same);
    expect(bytes(kept)).toBeLessThan(700_000);
    expect(bytes(kept)).toBeGreaterThan(100);
    expect(typeof canonicalJson(kept)).toBe('string');
  });

  it('show no part of a secret that stands where they are cut', () => {
    const clean = createSecretReplacer({ key: 'a key of sixteen' });
    const replace = <T>(value: T): T => clean(value as Json) as T;
    const secret = `eyJ${'a1B2'.repeat(900)}.${'c3D4'.repeat(900)}.${'e5F6'.repeat(900)}`;
    for (const before of [0, 24_000, 49_990, 96_000, 99_999]) {
      const content = `${' '.repeat(before)} ${secret} ${'.'.repeat(400_000)}`;
      expect([before, /a1B2|c3D4|e5F6/.test(JSON.stringify(boundedArguments({ content }, replace)))]).toEqual([
        before,
        false,
      ]);
    }
  });
});
