export {
  actionSchema,
  auditEventSchema,
  capabilitiesSchema,
  configSchema,
  policyDecisionSchema,
  policyRuleSchema,
  policySchema,
  proposalSchema,
  reviewJsonSchemas,
  reviewSchemas,
  ruleConditionSchema,
} from './schemas.ts';
