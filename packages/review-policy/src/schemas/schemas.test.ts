import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { policyDocument } from '../../test/arbitraries.ts';
import { parsePolicy } from '../parse-policy.ts';
import { policySchema, reviewJsonSchemas, reviewSchemas } from './schemas.ts';

const folder = join(import.meta.dirname, '../../schema');
const schemas = reviewJsonSchemas();

function toText(schema: object | undefined): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const anything = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    0.5,
    1,
    1.5,
    -1,
    '',
    ' ',
    'claim',
    'block',
    'auto_approve',
    'fact',
    'x'.repeat(257),
    '🤖'.repeat(256),
    'n'.repeat(129),
    'a\n',
  ),
  fc.array(fc.constantFrom('claim', 'fact', 1, ''), { maxLength: 3 }),
  fc.constantFrom({}, { a: 1 }, { policy_rule: 3 }),
);
const odd = (keys: readonly string[]): fc.Arbitrary<object> =>
  fc.dictionary(fc.constantFrom(...keys), anything, { maxKeys: keys.length });
const condition = odd([
  'actor',
  'actor_not_in',
  'kind',
  'claim_type',
  'min_confidence',
  'max_confidence',
  'has_evidence',
  'payload_has',
  'x',
]);
const rule = fc.oneof(
  odd(['name', 'when', 'action', 'reason', 'x']),
  fc.record(
    { name: anything, when: condition, action: anything, reason: anything },
    { requiredKeys: ['name', 'when'] },
  ),
  policyDocument(3).map((policy) => policy.rules[0] ?? {}),
);
const policy = fc.oneof(
  policyDocument(),
  fc.record({ default: anything, rules: fc.array(rule, { maxLength: 2 }) }, { requiredKeys: [] }),
);
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  config: fc.oneof(
    anything,
    policy.map((item) => ({ review: { policy: item } })),
    odd(['review', 'x']),
  ),
  'policy-rule': rule,
  'policy-decision': odd(['action', 'rule', 'reason', 'facts', 'would', 'effect', 'enabled']),
  proposal: odd(['id', 'kind', 'proposed_by', 'payload', 'rationale', 'status', 'auto_approved', 'policy_rule']),
  'audit-event': odd([
    'id',
    'event',
    'actor',
    'created_at',
    'kb_id',
    'object_ids',
    'dry_run',
    'reversible',
    'data',
    'hash',
  ]),
  capabilities: fc.oneof(
    odd(['policy']),
    odd(['enabled', 'auto_approve_actions', 'default_action']).map((item) => ({ policy: item })),
  ),
};

describe('the JSON Schemas', () => {
  it.each(Object.keys(schemas))('%s is committed as it is generated', (name) => {
    const file = join(folder, `${name}.schema.json`);
    if (process.env['WARRANT_WRITE_SCHEMAS'] !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, toText(schemas[name]));
    }
    expect(readFileSync(file, 'utf8')).toBe(toText(schemas[name]));
    expect(schemas[name]).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  });

  it.each(Object.keys(schemas))('%s says the same in ajv and in zod', (name) => {
    const validate = new Ajv2020({ strict: false }).compile(schemas[name] ?? {});
    const schema: z.ZodType = reviewSchemas[name as keyof typeof reviewSchemas];
    fc.assert(
      fc.property(values[name] ?? anything, (value) => {
        expect(validate(value)).toBe(schema.safeParse(value).success);
      }),
      { numRuns: 300 },
    );
  });

  it('accept a policy exactly when the engine finds no fault, but for repeated names', () => {
    fc.assert(
      fc.property(policy, (value) => {
        const parsed = parsePolicy(value);
        const isFine =
          parsed.type === 'policy' ||
          (parsed.type === 'invalid' && parsed.faults.every((fault) => fault.code === 'policy_duplicate_name'));
        expect(policySchema.safeParse(value).success).toBe(isFine);
      }),
      { numRuns: 500 },
    );
  });
});
