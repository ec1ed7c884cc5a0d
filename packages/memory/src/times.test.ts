import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoOf } from './times.ts';

describe('isoOf', () => {
  it('writes every instant as the engine does', () => {
    const instant = fc.oneof(
      fc.integer({ min: -8.64e15, max: 8.64e15 }),
      fc.integer({ min: 0, max: 4e12 }),
      fc.constantFrom(-1, 0, 999, 1000, 59_999, 86_399_999, 86_400_000, 253_402_300_799_999, -62_198_755_200_000),
    );
    fc.assert(fc.property(instant, (time) => isoOf(time) === new Date(time).toISOString()));
  });

  it('refuses what is no time', () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 86_400_000])
      expect(() => isoOf(time)).toThrow(RangeError);
  });
});
