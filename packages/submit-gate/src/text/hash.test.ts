import { describe, expect, it } from 'vitest';
import { hashText, printed } from './hash.ts';
import { normalizedHash } from './normalize.ts';

const TEXTS = Array.from({ length: 2_000 }, (_, index) => `${'x'.repeat(index % 90)}${index}`);

describe('a hash', () => {
  it('is a whole number that JSON keeps, and never 0', () => {
    for (const text of ['', 'a', ...TEXTS]) {
      const hash = hashText(text);
      expect(Number.isSafeInteger(hash) && hash > 0).toBe(true);
      expect(JSON.parse(JSON.stringify(hash))).toBe(hash);
    }
  });

  it('tells texts apart, also printed', () => {
    const hashes = TEXTS.map(hashText);
    expect(new Set(hashes).size).toBe(TEXTS.length);
    expect(new Set(hashes.map(printed)).size).toBe(TEXTS.length);
    for (const hash of hashes) expect(printed(hash)).toMatch(/^[\w-]{10}$/);
  });

  it('prints all its bits', () => {
    const one = 2 ** 52 + 2 ** 30 + 1;
    for (let bit = 0; bit < 53; bit += 1) {
      const bits = BigInt(one) ^ (1n << BigInt(bit));
      expect(printed(Number(bits))).not.toBe(printed(one));
    }
  });

  it('depends on what stands in front of a text', () => {
    const hashes = ['', 'a|', 'b|', 'ab|'].map((prefix) => normalizedHash(prefix, 'text'));
    expect(new Set(hashes).size).toBe(4);
    expect(normalizedHash('a|', 'at 2024-05-01T10:00:00Z')).toBe(normalizedHash('a|', 'at 2025-06-02T11:30:00Z'));
  });
});
