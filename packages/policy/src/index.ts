export type { ConditionAnswer, DormantRule, PolicyDecision, PolicyQuestion } from './decide.ts';
export { decidePolicies, policyQuestions } from './decide.ts';
export type { ExplainedPolicy, Explanation } from './explain.ts';
export { explain } from './explain.ts';
export type { EvaluatePoliciesInput, PolicyEvaluation } from './gate.ts';
export { DEFAULT_TIMEOUT_MS, evaluatePolicies } from './gate.ts';
export { guard, isGuarded } from './guard.ts';
export type { ToolEntry } from './guard-all.ts';
export { guardAll } from './guard-all.ts';
export type {
  CallContext,
  Extraction,
  Guarded,
  GuardOptions,
  GuardReport,
  GuardTrace,
  OnPolicy,
  SecretReplacer,
  SharedGuardOptions,
  ToolGuardOptions,
} from './guard-options.ts';
export type {
  Cardinality,
  Placement,
  PolicyCallback,
  PolicyCallbackResult,
  PolicyContext,
  PolicyDescription,
  PolicyEffect,
  PolicyExpression,
  PolicyFunction,
} from './placement.ts';
export type { PolicySet } from './policy-set.ts';
export { combinePolicies, createPolicySet } from './policy-set.ts';
export type { OrphanedPlacement, PlacementGraph, PreparePoliciesOptions } from './prepare.ts';
export { findOrphans, preparePolicies } from './prepare.ts';
export type { GroundingFacts } from './read-grounding.ts';
export { readGrounding } from './read-grounding.ts';
export type { VerdictOutcome, VerdictRecheckOptions } from './recheck.ts';
export { createVerdictRecheck } from './recheck.ts';
export type { RecordedFailure, RecordedOutcome, RecordedVerdict } from './record-types.ts';
export type { PlacementDeclaration, PolicyRegistry } from './registry.ts';
export { createPolicyRegistry } from './registry.ts';
export type { ReplayedVerdict } from './replay.ts';
export { replayVerdicts } from './replay.ts';
export type { GuardSession, SettledCall } from './session.ts';
export { createGuardSession } from './session.ts';
export { MAX_TOOL_RESULT, toolResult } from './tool-result.ts';
