import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { formatProblem, loadSeed, parseGraphDocuments, SEED_NAMES } from './index.ts';

const text = readFileSync(new URL('../../schema/graph.schema.json', import.meta.url), 'utf8');
const schema = z.fromJSONSchema(JSON.parse(text));

const isValid = (document: unknown): boolean => schema.safeParse(document).success;
const isRead = (document: unknown): boolean =>
  parseGraphDocuments([{ file: 'g.json', text: JSON.stringify(document) }]).type === 'parsed';

test.each(SEED_NAMES)('the published schema takes the seed %s', (name) => {
  const seed = loadSeed(name);
  const parsed = parseGraphDocuments([seed]);
  expect(parsed.type === 'invalid' ? parsed.problems.map(formatProblem) : []).toEqual([]);
  expect(isValid(parse(seed.text))).toBe(true);
});

const wrap = (concept: unknown): unknown => ({ format: 'warrant.graph/1', name: 'x', concepts: { a: concept } });
test.each([
  [true, wrap(null)],
  [
    true,
    wrap({
      existence: null,
      D1: 'x',
      2: { text: 'x', properties: { a: [1] }, requires: { b: 1, c: ['identity', { depth: 2 }] } },
    }),
  ],
  [true, wrap({ identity: { includes: ['b', { concept: 'c', depth: 'D2', metadata: { x: 1 } }] } })],
  [false, wrap({ exist: null })],
  [false, wrap({ D5: null })],
  [false, wrap({ identity: { causes: ['b'] } })],
  [false, wrap({ identity: { requires: { b: 7 } } })],
  [false, wrap({ identity: { requires: [{ depth: 1 }] } })],
  [false, wrap({ identity: 7 })],
  [false, { format: 'warrant.graph/2', name: 'x', concepts: {} }],
  [false, { format: 'warrant.graph/1', concepts: {} }],
  [false, { format: 'warrant.graph/1', name: 'x', concepts: {}, more: 1 }],
])('schema and parser agree: %j %j', (expected, document) => {
  expect([isRead(document), isValid(document)]).toEqual([expected, expected]);
});
