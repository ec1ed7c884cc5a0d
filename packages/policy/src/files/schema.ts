import { canonicalJson, isWarrantError, type JsonObject } from '@warrant/core';
import * as z from 'zod';

/** Text of at most so many characters, counted as JSON Schema counts them: by code point. */
function text(most: number) {
  return z
    .string()
    .refine((value) => value.length <= most || [...value].length <= most, `at most ${most} characters`)
    .meta({ maxLength: most });
}

/** The same with at least one. */
function someText(most: number) {
  return text(most).min(1);
}

/** Any JSON object, handed on as it came: rebuilding it would drop a member named `__proto__`. */
const freeData = z
  .unknown()
  .superRefine((value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      context.addIssue({ code: 'invalid_type', expected: 'record', input: value });
      return;
    }
    try {
      canonicalJson(value as JsonObject);
    } catch (error) {
      if (!isWarrantError(error)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  })
  .meta({ type: 'object' }) as unknown as z.ZodType<JsonObject>;
const depth = z.int().min(0).max(4);
const condition = someText(8192);
const labels = z.record(
  z.string(),
  z.strictObject({
    trust: z.enum(['web', 'tool', 'provider', 'agent', 'human']),
    sources: z.array(z.string()).default([]),
  }),
);

/** One policy of a file. Exactly one of `blockWhen` and `confirmWhen` says what happens when it is true. */
const policyEntry = z
  .strictObject({
    key: someText(200).meta({ description: 'Names the policy; unique in the file.' }),
    name: text(200).optional().meta({ description: 'For people. Default: the key.' }),
    description: text(4000).optional().meta({ description: 'Why the policy is there; never evaluated.' }),
    source: z.string().min(1).meta({ description: 'The concept that the applies-to edge starts from.' }),
    target: z.string().min(1).meta({ description: 'The concept that the edge leads to.' }),
    sourceDepth: depth.meta({ description: 'The level of the source that holds the edge, 0 to 4.' }),
    blockWhen: condition
      .optional()
      .meta({ description: 'CEL over call, grounding, edge, shell: true refuses the act.' }),
    confirmWhen: condition.optional().meta({ description: 'CEL over the same: true asks a person.' }),
    triggerCardinality: z
      .enum(['single', 'multiple'])
      .optional()
      .meta({ description: 'Consider it only for calls of this cardinality. Default: every call.' }),
    message: text(2000).optional().meta({ description: 'Shown when the policy fires.' }),
    sticky: z.enum(['never', 'session']).optional().meta({
      description: 'session: one answer covers actor, tool and policy until the session ends. Default: never.',
    }),
    metadata: freeData.optional().meta({ description: 'Free data, recorded with the policy.' }),
  })
  .superRefine((entry, context) => {
    const conditions = [entry.blockWhen, entry.confirmWhen].filter((text) => text !== undefined);
    if (conditions.length !== 1) {
      context.addIssue({ code: 'custom', message: 'a policy has either blockWhen or confirmWhen' });
    }
    if (entry.sticky === 'session' && entry.confirmWhen === undefined) {
      context.addIssue({ code: 'custom', path: ['sticky'], message: 'only a confirmation can last for a session' });
    }
  })
  .meta({
    oneOf: [
      {
        required: ['blockWhen'],
        not: { required: ['confirmWhen'] },
        properties: { sticky: { enum: ['never'] } },
      },
      { required: ['confirmWhen'], not: { required: ['blockWhen'] } },
    ],
  });

export const policyDocument = z
  .strictObject({
    format: z.literal('warrant.policy/1').meta({ description: 'What this file is.' }),
    description: text(4000).optional(),
    policies: z.array(policyEntry).max(10_000),
  })
  .meta({ id: 'warrant.policy/1', title: 'Policies on the edges of a knowledge graph' });

export type PolicyDocument = z.output<typeof policyDocument>;
export type PolicyEntry = z.output<typeof policyEntry>;

const example = z.strictObject({
  name: someText(200),
  call: z.strictObject({
    tool: z.string().min(1).default('tool'),
    arguments: freeData.default({}),
    actor: z.string().optional(),
    directory: z.string().optional(),
    labels: labels.optional(),
  }),
  concepts: z.array(z.string()).min(1),
  cardinality: z.enum(['single', 'multiple']).optional(),
  effects: z
    .strictObject({
      class: z.enum(['read', 'write', 'unknown']).default('unknown'),
      reads: z.array(z.string()).default([]),
      writes: z.array(z.string()).default([]),
      deletes: z.array(z.string()).default([]),
      unknownTargets: z.array(z.enum(['reads', 'writes', 'deletes'])).default([]),
      network: z.enum(['yes', 'no', 'unknown']).default('unknown'),
    })
    .optional()
    .meta({ description: 'What the call would do; `shell` in conditions.' }),
  expect: z.enum(['allow', 'block', 'confirm', 'ungrounded']),
  fired: z.array(z.string()).optional().meta({ description: 'The keys that fire, in any order, when that matters.' }),
});

export const policyTestDocument = z
  .strictObject({
    format: z.literal('warrant.policy-test/1').meta({ description: 'What this file is.' }),
    description: text(4000).optional(),
    examples: z.array(example).max(10_000),
  })
  .meta({ id: 'warrant.policy-test/1', title: 'Examples that policies are held against' });

export type PolicyTestDocument = z.output<typeof policyTestDocument>;
