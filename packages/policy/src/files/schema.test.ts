import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { policyDocument, policyTestDocument } from './schema.ts';

const runs = process.env['WARRANT_SOAK'] === undefined ? 1000 : 50_000;

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, 0, 3, 4, 5, -1, 1.5, '', 'x', 'never', 'session', 'block') },
  { weight: 1, arbitrary: fc.constantFrom(...['x'.repeat(200), 'x'.repeat(201), '😀'.repeat(200), '😀'.repeat(201)]) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(2001), '😀'.repeat(2000), '😀'.repeat(4096), '😀'.repeat(8193)) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
/** Mostly what the key is for, so that whole documents pass now and then; else anything, or nothing. */
const mostly = (...values: readonly unknown[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anything });

function record(required: object, optional: object, stray: readonly string[] = ['stray']): fc.Arbitrary<object> {
  const fields = { ...required, ...optional } as Record<string, fc.Arbitrary<unknown>>;
  const whole = fc.record(fields, { requiredKeys: Object.keys(required) });
  const cut = fc.record(fields, { requiredKeys: [] });
  const odd = fc.tuple(whole, fc.dictionary(fc.constantFrom(...stray), anything, { minKeys: 1 }));
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: odd.map(([one, more]) => ({ ...one, ...more })) },
  );
}

const entry = fc
  .tuple(
    record(
      { key: mostly('a'), source: mostly('delete'), target: mostly('file'), sourceDepth: mostly(0, 3, 4) },
      {
        name: mostly('name', ''),
        description: mostly('why'),
        triggerCardinality: mostly('single', 'multiple'),
        message: mostly('no'),
        sticky: mostly('never', 'session'),
        metadata: mostly({}, { a: [1, null, { b: 'c' }] }),
      },
    ),
    fc.constantFrom({}, { blockWhen: 'true' }, { confirmWhen: 'true' }, { blockWhen: 'true', confirmWhen: 'true' }),
    fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom('blockWhen', 'confirmWhen'), anything)),
  )
  .map(([rest, conditions, odd]) => ({ ...rest, ...conditions, ...odd }));

const label = record({ trust: mostly('web', 'human') }, { sources: mostly([], ['a']) });
const call = record(
  {},
  {
    tool: mostly('remove'),
    arguments: mostly({}, { path: '/srv' }),
    actor: mostly('agent'),
    directory: mostly('/'),
    labels: fc.dictionary(fc.constantFrom('', '/path'), label, { maxKeys: 2 }),
  },
);
const effects = record(
  {},
  {
    class: mostly('read', 'unknown'),
    reads: mostly([], ['a']),
    deletes: mostly(['b']),
    unknownTargets: mostly([], ['reads', 'writes']),
    network: mostly('yes', 'no'),
  },
);
const example = record(
  { name: mostly('one'), call, concepts: mostly(['delete'], []), expect: mostly('allow', 'block', 'ungrounded') },
  { cardinality: mostly('single'), effects, fired: mostly([], ['a']) },
);

const documents = {
  policy: {
    schema: policyDocument,
    values: record(
      { format: mostly('warrant.policy/1'), policies: fc.array(entry, { maxLength: 2 }) },
      { description: mostly('d') },
    ),
  },
  'policy-test': {
    schema: policyTestDocument,
    values: record(
      { format: mostly('warrant.policy-test/1'), examples: fc.array(example, { maxLength: 2 }) },
      { description: mostly('d') },
    ),
  },
} as const satisfies Readonly<Record<string, { readonly schema: z.ZodType; readonly values: fc.Arbitrary<object> }>>;

describe.each(Object.entries(documents))('the published schema of %s files', (name, { schema, values }) => {
  const published = JSON.parse(readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), 'utf8'));
  const validate = new Ajv2020({ strict: false }).compile(published as object);

  it('accepts exactly what is accepted when such a file is read', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(values, (value) => {
        const document: unknown = JSON.parse(JSON.stringify(value));
        const accepted = schema.safeParse(document).success;
        seen[accepted ? 'accepted' : 'refused'] += 1;
        expect(validate(document), JSON.stringify(document).slice(0, 2000)).toBe(accepted);
      }),
      { numRuns: runs },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs / 20);
  });
});
