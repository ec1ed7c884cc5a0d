import { foldName } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALWAYS_PROTECTED, checkKey, isUnder, tierOf } from './keys.ts';

const codeOf = (key: string): string => {
  const check = checkKey(key);
  return check.type === 'canonical' ? 'canonical' : (check.reasons[0]?.code ?? '');
};

test.each([
  'memory/working/x',
  'memory/working/Straße',
  'memory/working/a b',
  'memory/org/Ünïcode-ok',
  'skills/x',
  'k',
  'café',
  'memory/working/कुंजी',
  'memory/working/ключ',
  'memory/working/κλειδί',
  'memory/working/مفتاح',
  'memory/working/מפתח',
  'memory/working/鍵と鍵',
  'memory/working/열쇠',
  'memory/working/กุญแจสำคัญ',
  'memory/working/բանալի',
  'memory/working/გასაღები',
  'memory/working/می\u200Cخواهم',
  'memory/working/2026-01-01',
])('takes the key %s', (key) => {
  expect(codeOf(key)).toBe('canonical');
});

test.each([
  ['', 'memory.key-empty'],
  ['/skills/x', 'memory.key-leading-slash'],
  ['./skills/x', 'memory.key-dot-segment'],
  ['memory/../skills/x', 'memory.key-dot-segment'],
  ['memory/working/../../skills/x', 'memory.key-dot-segment'],
  ['skills//x', 'memory.key-empty-segment'],
  ['memory/working/', 'memory.key-empty-segment'],
  [' skills/x', 'memory.key-blank-end'],
  ['skills /x', 'memory.key-blank-end'],
  ['\u00A0skills/x', 'memory.key-blank-end'],
  ['skills\\x', 'memory.key-separator'],
  ['skills\u2215x', 'memory.key-separator'],
  ['skills%2Fx', 'memory.key-escape'],
  ['Skills/x', 'memory.key-lookalike'],
  ['SKILLS/x', 'memory.key-lookalike'],
  ['ſkills/x', 'memory.key-lookalike'],
  ['\uFF53kills/x', 'memory.key-lookalike'],
  ['skılls/x', 'memory.key-lookalike'],
  ['config/Human/x', 'memory.key-lookalike'],
  ['Memory/working/x', 'memory.key-lookalike'],
  ['ѕkills/x', 'memory.key-mixed-scripts'],
  ['memory/working/pаypal', 'memory.key-mixed-scripts'],
  ['memory/working/αlpha', 'memory.key-mixed-scripts'],
  ['sk\u200Bills/x', 'memory.key-control'],
  ['sk\u200Dills/x', 'memory.key-control'],
  ['memory/working/a\nb', 'memory.key-control'],
  ['memory/working/a\u202Eb', 'memory.key-control'],
  ['cafe\u0301', 'memory.key-not-normal'],
  ['memory/\uD800', 'memory.key-not-well-formed'],
  [`memory/${'x'.repeat(600)}`, 'memory.key-too-long'],
])('refuses the key %j as %s', (key, code) => {
  expect(codeOf(key)).toBe(code);
});

describe('whatever a key', () => {
  // A pool of what spellings are made of, and arbitrary Unicode between.
  const piece = fc.oneof(
    fc.constantFrom(...'skillsconfighumanpromptslocked/.\\ %2fSKIＬｌѕіоеκαꜱ\u0301\u200B\u200D\uFEFF\u00AD\t\n'),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
  );
  const spelling = fc
    .tuple(fc.constantFrom(...ALWAYS_PROTECTED), fc.array(fc.tuple(fc.nat(24), piece, fc.boolean()), { maxLength: 3 }))
    .map(([prefix, edits]) => {
      let key = `${prefix}/x`;
      for (const [at, text, replace] of edits) key = key.slice(0, at) + text + key.slice(at + (replace ? 1 : 0));
      return key;
    });

  test('one that is taken folds into a protected subtree only by being in it', () => {
    fc.assert(
      fc.property(spelling, (key) => {
        if (checkKey(key).type === 'refused') return;
        const plain = foldName(key.normalize('NFKC')).replace(/[\p{M}\p{Cf}\s]/gu, '');
        for (const prefix of ALWAYS_PROTECTED) expect(isUnder(plain, prefix) && !isUnder(key, prefix), key).toBe(false);
      }),
      { numRuns: 3000, seed: 8 },
    );
  });
  test('one that is taken is taken as it is', () => {
    fc.assert(
      fc.property(spelling, (key) => {
        const check = checkKey(key);
        if (check.type === 'canonical') expect(check.key).toBe(key);
      }),
      { seed: 8 },
    );
  });
});

test('tiers come from whole segments', () => {
  expect(tierOf('memory/long_term/x')).toBe('long-term');
  expect(tierOf('memory/orgX/x')).toBe('working');
  expect(tierOf('memory/episodic')).toBe('episodic');
});
