import { z } from 'zod';
import { CLAIM_TYPES } from '../kinds.ts';

// Lengths are code points, as in the engine: a pattern counts them alike in zod and in JSON Schema.
const text = (limit: number): z.ZodString =>
  z.string().regex(new RegExp(`^(?=[\\s\\S]*\\P{White_Space})[\\s\\S]{1,${limit}}$`, 'u'));
const value = text(256);
const name = z.string().regex(/^[^\p{Cc}\p{White_Space}](?:[^\p{Cc}]{0,126}[^\p{Cc}\p{White_Space}])?$/u);
const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1).max(256)]);
const share = z.number().min(0).max(1);
const kind = z.enum(['claim', 'page', 'entity', 'relation', 'delete']);
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const json = z.record(z.string(), z.unknown());

export const actionSchema = z
  .enum(['auto_approve', 'require_human', 'block'])
  .meta({ description: 'What a rule does' });

export const ruleConditionSchema = z
  .strictObject({
    actor: oneOrMore(value).optional().describe('The proposer is one of these'),
    actor_not_in: oneOrMore(value).optional().describe('The proposer is none of these'),
    kind: oneOrMore(kind).optional().describe('The kind of the proposal'),
    claim_type: oneOrMore(z.enum(CLAIM_TYPES as [string, ...string[]]))
      .optional()
      .describe('The type of a claim'),
    min_confidence: share.optional().describe('Least confidence of a claim or relation, included'),
    max_confidence: share.optional().describe('Greatest confidence of a claim or relation, included'),
    has_evidence: z.boolean().optional().describe('Whether the proposal has evidence of which every entry is known'),
    payload_has: oneOrMore(value).optional().describe('Payload keys that are all set'),
  })
  .meta({ description: 'All of these must hold; an empty condition always holds' });

export const policyRuleSchema = z
  .strictObject({
    name: name.describe('Unique within the policy'),
    when: ruleConditionSchema,
    action: actionSchema,
    reason: z
      .string()
      .regex(/^[\s\S]{0,1024}$/u)
      .nullable()
      .optional()
      .describe('Shown instead of the facts'),
  })
  .meta({ id: 'policy-rule', title: 'Policy rule', description: 'One rule of a review policy' });

export const policySchema = z
  .strictObject({
    default: actionSchema.optional().describe('Decides when no rule does; require_human when absent'),
    rules: z.array(policyRuleSchema).max(256).optional().describe('Tried in order; the first that holds decides'),
  })
  .meta({ description: 'Rules over proposals, without extensions' });

export const configSchema = z
  .looseObject({
    review: z
      .looseObject({
        policy: policySchema.nullable().optional(),
        approver_role: z
          .string()
          .optional()
          .describe('trusted-agent lets everybody approve their own while no policy is set'),
        auto_approve_on_receipt: z.boolean().optional(),
        expire_pending_after_days: z.number().optional().describe('Days until a waiting proposal is refused'),
      })
      .optional(),
  })
  .meta({ id: 'config', title: 'Configuration', description: 'The part of a configuration that reviews read' });

export const policyDecisionSchema = z
  .strictObject({
    action: actionSchema,
    rule: z.string().nullable().describe('null when the default decided'),
    reason: z.string(),
    facts: z.array(z.string()),
    would: z.enum(['approve', 'queue', 'refuse']),
    effect: z.enum(['approve', 'queue', 'refuse', 'none']),
    enabled: z.literal(false).optional().describe('Present when no policy is set'),
    error: z
      .strictObject({ class: z.literal('policy_invalid'), faults: z.array(z.tuple([z.string(), z.string()])) })
      .optional(),
  })
  .meta({ id: 'policy-decision', title: 'Policy decision', description: 'What a policy says about one proposal' });

export const proposalSchema = z
  .looseObject({
    id: z.string(),
    kind,
    proposed_by: z.string(),
    session_id: z.string().nullable().optional(),
    proposed_at: z.string().optional(),
    payload: json,
    rationale: z.string().nullable().optional(),
    status: z.enum(['pending', 'approved', 'rejected']).optional(),
    decided_at: z.string().nullable().optional(),
    decided_by: z.string().nullable().optional(),
    decision_reason: z.string().nullable().optional(),
    auto_approved: z.boolean().optional().describe('True when the policy approved it'),
    policy_rule: z
      .string()
      .nullable()
      .optional()
      .describe('The rule that approved it; null for the default and for people'),
  })
  .meta({ id: 'proposal', title: 'Proposal', description: 'A proposal and what was decided about it' });

export const auditEventSchema = z
  .looseObject({
    id: z.string(),
    event: z.string(),
    actor: z.string(),
    created_at: z.string(),
    kb_id: z.string().nullable(),
    object_ids: z.array(z.string()),
    dry_run: z.boolean(),
    reversible: z.boolean(),
    data: z.looseObject({
      policy_rule: z.string().nullable().optional(),
      policy_digest: digest.nullable().optional(),
      proposal_digest: digest.optional(),
    }),
    prev_hash: z.string().regex(/^[0-9a-f]{64}$/),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'audit-event', title: 'Audit event', description: 'One line of the audit log' });

export const capabilitiesSchema = z
  .looseObject({
    policy: z.strictObject({
      enabled: z.boolean(),
      auto_approve_actions: z.array(z.string()).describe('Claim types that some rule approves'),
      default_action: actionSchema,
      faults: z.array(z.strictObject({ code: z.string(), path: z.string() })).optional(),
    }),
  })
  .meta({ id: 'capabilities', title: 'Capabilities', description: 'What a server tells agents about its policy' });

/** Every schema by the name of its file. */
export const reviewSchemas = {
  config: configSchema,
  'policy-rule': policyRuleSchema,
  'policy-decision': policyDecisionSchema,
  proposal: proposalSchema,
  'audit-event': auditEventSchema,
  capabilities: capabilitiesSchema,
} as const;

/** The JSON Schemas (2020-12) by file name. */
export function reviewJsonSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(reviewSchemas).map(([file, schema]) => [
      file,
      z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }),
    ]),
  );
}
