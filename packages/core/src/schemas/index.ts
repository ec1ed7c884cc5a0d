export {
  callEffectsSchema,
  labelSchema,
  labelsSchema,
  observationSchema,
  startedSchema,
  toolCallSchema,
  trustSchema,
} from './acts.ts';
export {
  agentInputSchema,
  annotationsSchema,
  decisionSchema,
  grantSchema,
  memoryConflictSchema,
  memoryRecordSchema,
  providerFailureSchema,
  providerResultSchema,
  usageSchema,
} from './agents.ts';
export { entrySchema, recordedSchema, snapshotSchema } from './journal.ts';
export {
  depthSchema,
  edgeSchema,
  gapSchema,
  graphChangeSchema,
  graphVersionSchema,
  groundingResultSchema,
  primitiveSchema,
  provenanceSchema,
  relatumSchema,
} from './knowledge.ts';
export { parseModel } from './parse.ts';
export { agentSchema, answerSchema, proposalSchema, questionSchema, reviewDecisionSchema } from './people.ts';
export { digestSchema, json as jsonSchema, jsonObject as jsonObjectSchema, reasonSchema } from './values.ts';
export { policyFindingSchema, verdictSchema } from './verdict.ts';
