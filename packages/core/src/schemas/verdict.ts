import * as z from 'zod';
import type { PolicyFinding, Verdict } from '../verdict.ts';
import { toolCallSchema } from './acts.ts';
import { edgeSchema, gapSchema, graphVersionSchema } from './knowledge.ts';
import { digestSchema, name, reasonSchema, texts } from './values.ts';

export const policyFindingSchema: z.ZodType<PolicyFinding> = z
  .strictObject({
    key: name,
    edge: edgeSchema,
    outcome: z.enum(['passed', 'fired', 'skipped', 'dormant']),
    effect: z.enum(['block', 'confirm']),
    reason: reasonSchema,
  })
  .meta({ id: 'PolicyFinding', description: 'What one placement of a policy said' });
export const verdictSchema: z.ZodType<Verdict> = z
  .strictObject({
    decision: z.enum(['allow', 'ungrounded', 'block', 'confirm']),
    enforced: z.boolean(),
    call: toolCallSchema,
    grounding: z.strictObject({ grounded: z.boolean(), resolved: texts, gaps: z.array(gapSchema) }),
    policies: z.array(policyFindingSchema),
    reasons: z.array(reasonSchema),
    inputs: z.strictObject({ graph: graphVersionSchema, view: digestSchema, policy: digestSchema }),
  })
  .meta({ id: 'Verdict', description: 'Whether a call may run, and why' });
