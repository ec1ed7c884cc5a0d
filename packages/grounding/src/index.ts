export type { ConfidenceOf, LevelConfidence } from './confidence.ts';
export { ground } from './ground.ts';
export type { GraphGrounder, GrounderOptions } from './grounder.ts';
export { createGrounder } from './grounder.ts';
export type {
  ExistenceCandidate,
  LearningCandidate,
  LevelsCandidate,
  ProposedLevel,
  ReachabilityCandidate,
} from './learning/candidate.ts';
export { templateForGap } from './learning/candidate.ts';
export type { LearnOptions, LearnOutcome, Prerequisites } from './learning/learn.ts';
export { checkCandidate, learnGap, reachabilityPrerequisites } from './learning/learn.ts';
export type { LearnedItem } from './learning/learned.ts';
export { listLearned } from './learning/learned.ts';
export type { LearnRequest } from './learning/plan.ts';
export type { LearningProposal } from './learning/proposal.ts';
export { LEARNING_KIND, learningProposalKind, proposeLearning } from './learning/proposal.ts';
export type { LearningReasonCode } from './learning/reasons.ts';
export type { UnlearnOutcome } from './learning/unlearn.ts';
export { unlearn } from './learning/unlearn.ts';
export type { ConceptOutcome } from './outcomes.ts';
export { outcomesOf } from './outcomes.ts';
export type { GroundQuery } from './query.ts';
export type { RecordedVerdict, Replayed } from './record.ts';
export { checkEntries, GROUNDING_STREAM, replayCheck } from './record.ts';
export { gapText, remedyText } from './render/gap-text.ts';
export type { MarkdownOptions } from './render/markdown.ts';
export { renderMarkdown } from './render/markdown.ts';
export { renderMermaid } from './render/mermaid.ts';
export type { TreeOptions } from './render/tree.ts';
export { renderTree } from './render/tree.ts';
export type { Trace, TraceRecord, TraceSink, TraceStep } from './trace.ts';
export { stepsOf, traceRecord, withConfidence } from './trace.ts';
export { viewOf } from './view-of.ts';
