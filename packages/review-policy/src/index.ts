export { type PolicyCapability, policyCapability } from './capabilities.ts';
export { type CheckOutput, checkRecord, renderCheck, toWireDecision } from './check.ts';
export type {
  ActorPattern,
  Condition,
  ConditionContext,
  EvaluationContext,
  Expression,
  TimeWindow,
  Truth,
} from './conditions.ts';
export { lintActorNames } from './confusables.ts';
export { type Coverage, coverage } from './coverage.ts';
export { type Difference, diffPolicies, type PolicyDiff } from './diff.ts';
export { evaluate, type InvalidProposal, type PolicyDecision, type Would } from './evaluate.ts';
export { type Alternative, type ConditionTrace, type Explanation, explain, type RuleTrace } from './explain.ts';
export { EXTENSIONS, type ExtensionName } from './extensions.ts';
export { createReviewGate } from './gate.ts';
export type {
  ChangePreview,
  GateOptions,
  Recheck,
  ReviewCounts,
  ReviewGate,
  ReviewKind,
  ReviewSettings,
} from './gate-types.ts';
export {
  CLAIM_TYPES,
  DEFAULT_KINDS,
  type KindProfile,
  type KindTable,
  KNOWLEDGE_KINDS,
  kindTable,
} from './kinds.ts';
export { type Finding, type FindingCode, type LintResult, lint, type Severity } from './lint.ts';
export { type DecideRefusal, mayApprove } from './may-decide.ts';
export { createMemoryReviewStore } from './memory-store.ts';
export { type ParseOptions, parsePolicy } from './parse-policy.ts';
export {
  ACTIONS,
  type Action,
  type FaultCode,
  LIMITS,
  type ParsedPolicy,
  type Policy,
  type PolicyFault,
  type Quorum,
  type Rule,
} from './policy.ts';
export {
  type PolicyTest,
  type PolicyTestReport,
  type PolicyTestResult,
  readPolicyTests,
  runPolicyTests,
} from './policy-tests.ts';
export { POLICY_ACTOR, type ReadSubject, readSubject, type Subject } from './proposal.ts';
export {
  ANSI,
  type Paint,
  renderChange,
  renderCounts,
  renderExplanation,
  renderLint,
  renderPending,
  renderPolicyDiff,
  renderPolicyTests,
  renderRecheck,
} from './render.ts';
export { type ItemView, renderItem } from './render-item.ts';
export { type LineSink, MAX_LINE_LENGTH, serveJsonl } from './server/jsonl.ts';
export { createReviewMethods, type MethodResult, type ReviewMethod, type WireError } from './server/methods.ts';
