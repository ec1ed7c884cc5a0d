import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CASE_FOLDING_VERSION } from './case-folding.ts';
import { foldName } from './fold.ts';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = resolve(root, process.env['WARRANT_FIXTURES'] ?? '../shared/fixtures', 'vre/names.jsonl');

describe('foldName', () => {
  it.skipIf(!existsSync(fixtures))('gives the recorded key of every recorded name', () => {
    const cases = readFileSync(fixtures, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: string; input: string; key: string });
    expect(cases.length).toBeGreaterThan(100);
    expect(cases.filter(({ input, key }) => foldName(input) !== key)).toEqual([]);
  });

  it.each([
    ['Straße', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['İ', 'i\u0307'],
    ['ı', 'ı'],
    ['ẞ', 'ss'],
    ['ᏸ', 'Ᏸ'],
    ['ꭰ', 'Ꭰ'],
    ['\uFB03', 'ffi'],
    ['\u{10400}', '\u{10428}'],
    ['e\u0301', 'é'],
    ['\u0390', '\u03B9\u0308\u0301'],
    [' A\u0000b ', ' a\u0000b '],
    ['K', 'k'],
    ['Å', 'å'],
    ['\uD800X', '\uD800x'],
  ])('folds %j to %j', (name, key) => {
    expect(foldName(name)).toBe(key);
  });

  it('names the version of its table', () => {
    expect(CASE_FOLDING_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('gives one key for both cases of a name, and for its normal forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(foldName(name.normalize('NFD'))).toBe(foldName(name));
        expect(foldName(foldName(name)).normalize('NFC')).toBe(foldName(name).normalize('NFC'));
      }),
    );
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      if (character.normalize('NFC') !== character) continue;
      const folded = foldName(character);
      if (foldName(folded) !== folded) throw new Error(`${code.toString(16)} folds twice`);
    }
  });

  it('folds a name of a megabyte in linear time', () => {
    expect(foldName('ÄB'.repeat(500_000))).toBe('äb'.repeat(500_000));
  });
});
