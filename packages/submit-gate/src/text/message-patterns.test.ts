import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as patterns from './message-patterns.ts';
import { fits, type Worded, worded } from './worded.ts';

const all: readonly Worded[] = Object.values(patterns)
  .flat()
  .filter((one): one is Worded => !(one instanceof RegExp));

/** The same without what only looks around: texts for it can be made. */
function withoutLooks(source: string): RegExp {
  return new RegExp(source.replaceAll(/\(\?![^()]*(?:\([^()]*\))?[^()]*\)|\\b/g, ''));
}

test.each(all.map(({ pattern, words }) => [pattern.source.slice(0, 60), words, pattern] as const))(
  'a text that fits %s holds one of its words',
  (_, words, pattern) => {
    const fitting = fc.stringMatching(withoutLooks(pattern.source), { maxLength: 200 });
    fc.assert(
      fc.property(fitting, (text) => words.some((word) => text.toLowerCase().includes(word))),
      { numRuns: 100 },
    );
  },
);

test('words are of any letters, and the pattern decides', () => {
  const one = worded('fail|crash', /\b(?:failed|crashed)\b/i);
  expect(['It FAILED.', 'Crashed!', 'failing', 'crash', 'fine'].map((text) => fits(one, text))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
