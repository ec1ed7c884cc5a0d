import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { formatBundle, parseBundle } from '../src/index.ts';
import { bundleOf, told } from './helpers.ts';

const schema = JSON.parse(readFileSync(new URL('../schema/bundle.schema.json', import.meta.url), 'utf8'));
const isValid = new Ajv2020({ strict: false }).compile(schema);

test('the published schema takes what is published', () => {
  const bundle = bundleOf([told('a', [0, 'a', ['requires', 'b', 0]], [2, 'c']), told('b', [0, 'b'])]);
  expect(isValid(JSON.parse(formatBundle(bundle)))).toBe(true);
});

test.each([
  { levels: [{ level: 5, properties: {}, relata: [] }] },
  { levels: [{ level: 0, properties: [], relata: [] }] },
  { levels: [{ level: 0, properties: {}, relata: [{ relation: 'causes', target: 'b', targetDepth: 0 }] }] },
  { levels: [{ level: 0, properties: {}, relata: [], provenance: {} }] },
  { levels: [], id: 'x' },
])('schema and parser refuse the primitive %j', (rest) => {
  const text = formatBundle(bundleOf([{ name: 'a', ...rest } as never]));
  expect([isValid(JSON.parse(text)), parseBundle(text).type]).toEqual([false, 'refused']);
});

test.each([{ sequence: 0 }, { createdAt: 'now' }, { peer: '' }, { format: 'warrant.bundle/2' }, { more: 1 }])(
  'schema and parser refuse the manifest %j',
  (change) => {
    const bundle = bundleOf([told('a', [0, 'a'])]);
    const text = JSON.stringify({ ...bundle, manifest: { ...bundle.manifest, ...change } });
    expect([isValid(JSON.parse(text)), parseBundle(text).type]).toEqual([false, 'refused']);
  },
);
