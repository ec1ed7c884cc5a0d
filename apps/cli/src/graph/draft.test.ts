import type { Gap } from '@warrant/core';
import { parseGraphDocuments } from '@warrant/graph/documents';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftGraph } from './draft.ts';

const missing = (concept: string): Gap => ({ type: 'existence', concept, remedy: { action: 'add-concept' } }) as Gap;
const seen = (...names: readonly string[]) =>
  names.map((name) => ({ concepts: [name, 'delete'], gaps: [missing(name)] }));

/** What a person does with a draft: take the marks away. */
function meant(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('  # --'))
    .map((line) => line.replace(/^ {2}# /, '  '))
    .join('\n');
}

function namesIn(text: string): readonly string[] {
  const parsed = parseGraphDocuments([{ file: 'g', text }]);
  if (parsed.type === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.documents.flatMap(({ concepts }) => concepts.map(({ name }) => name));
}

const STRANGE = [
  'a: b',
  '# x',
  'line\nbreak',
  'tab\there',
  ' lead',
  '__proto__',
  'null',
  '~',
  '"',
  'a\u001b[31m',
  '\u202Ea',
];

test('whatever was asked for, the draft can be read before and after it is edited', () => {
  const { text } = draftGraph(seen(...STRANGE));
  expect(namesIn(text)).toEqual([]);
  expect([...namesIn(meant(text))].sort()).toEqual([...STRANGE].sort());
  expect(text).not.toMatch(/[\p{Cf}\p{Zl}\t]/u);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }), { minLength: 1 }), (names) => {
      const drafted = draftGraph(seen(...names)).text;
      expect(namesIn(drafted)).toEqual([]);
      expect(namesIn(meant(drafted)).length).toBeGreaterThan(0);
    }),
    { numRuns: 100, seed: 5 },
  );
});

test('what can be no name is told and not drafted', () => {
  const { text, concepts } = draftGraph(seen('', 'x'.repeat(513), '\uD800', 'fine'));
  expect(concepts).toBe(4);
  expect(namesIn(meant(text))).toEqual(['fine']);
  expect(text.match(/can be no concept's name/g)).toHaveLength(3);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200);
});
