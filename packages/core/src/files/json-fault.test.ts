import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetOfJsonFault } from './json-fault.ts';

describe('offsetOfJsonFault', () => {
  it.each([
    ['{"a": [}', 7],
    ['{"a" 1}', 5],
    ['{"a": 1,}', 8],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a": tru}', 6],
    ['{"a": "b', 6],
    ['[1, 2', 5],
    ['[] []', 3],
    ['{a: 1}', 1],
    ['  ', 2],
    ['[01]', 2],
    ['{"a": 1]', 7],
    [',', 0],
  ])('of %s is %d', (text, offset) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(offsetOfJsonFault(text)).toBe(offset);
  });

  it('reads valid JSON to its end, and stops within what was cut or spoilt', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        expect(offsetOfJsonFault(text)).toBe(text.length);
        const cut = text.slice(0, at % text.length);
        expect(offsetOfJsonFault(cut)).toBeLessThanOrEqual(cut.length);
      }),
    );
  });
});
