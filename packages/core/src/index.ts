export type {
  CallClassifier,
  CallEffects,
  Label,
  Labels,
  Observation,
  Started,
  ToolCall,
  ToolFailure,
  Trust,
} from './acts.ts';
export type {
  AgentInput,
  AgentIntent,
  Annotations,
  Candidate,
  Decider,
  Decision,
  DecisionRequest,
  Extension,
  Grant,
  Provider,
  ProviderFailure,
  ProviderRequest,
  ProviderResult,
  TimerIndex,
  Tool,
  ToolOutcome,
  Usage,
} from './agents.ts';
export type { Cancel } from './cancel.ts';
export { canonicalJson, MAX_JSON_DEPTH } from './canonical.ts';
export { CASE_FOLDING_VERSION } from './case-folding.ts';
export type { Clock, VirtualClock } from './clock.ts';
export { createVirtualClock, isoTime, systemClock } from './clock.ts';
export { digest, digestBytes } from './digest.ts';
export type { WarrantErrorOptions } from './error.ts';
export { isWarrantError, WarrantError } from './error.ts';
export { foldName } from './fold.ts';
export type { IdSource } from './ids.ts';
export { createIdSource, createSeededIds } from './ids.ts';
export type { MemoryInboxOptions } from './inbox/memory.ts';
export { createMemoryInbox } from './inbox/memory.ts';
export type { Appended, Entry, Eraser, Journal, Outbox, Recorded, Snapshot, SnapshotStore } from './journal.ts';
export type { ActorKey, Digest, Json, JsonObject, Reason } from './json.ts';
export { isDeeper } from './json-depth.ts';
export type {
  Depth,
  DepthLevel,
  Edge,
  Gap,
  GraphApplied,
  GraphChange,
  GraphStore,
  GraphVersion,
  GraphView,
  Grounder,
  GroundingResult,
  InformedPart,
  PeerAttestation,
  Primitive,
  Provenance,
  RelationType,
  Relatum,
  ViewSnapshot,
} from './knowledge.ts';
export { lazyMember } from './lazy-member.ts';
export type {
  Embedder,
  MemoryChange,
  MemoryConflict,
  MemoryCounter,
  MemoryOrigin,
  MemoryRecord,
  MemoryStore,
} from './memory.ts';
export { nameLook, nameWithoutSeparators } from './name-look.ts';
export { nearest } from './nearest.ts';
export { setOwn } from './own-member.ts';
export { isWithin, normalizePath } from './paths.ts';
export type { Answer, Inbox, Question } from './people.ts';
export type { Proposal, ProposalApproval, ProposalKind, ReviewDecision, Reviewer } from './proposals.ts';
export type { Agent, AgentRegistry } from './registry.ts';
export { createMemoryAgentRegistry, MAX_AGENT_KEY_LENGTH } from './registry.ts';
export type {
  ArtifactChange,
  RecordedReviewEvent,
  ReviewApproval,
  ReviewChain,
  ReviewCommit,
  ReviewCommitted,
  ReviewEvent,
  ReviewRecord,
  ReviewStore,
  StoredReview,
} from './review-store.ts';
export type { SecretPattern } from './secrets/patterns.ts';
export { DEFAULT_SECRET_PATTERNS } from './secrets/patterns.ts';
export type { SecretOptions } from './secrets/replace.ts';
export { createSecretReplacer, replaceSecrets } from './secrets/replace.ts';
export type { Span } from './secrets/spans.ts';
export type { Timer, VirtualTimer } from './timer.ts';
export { createVirtualTimer, systemTimer } from './timer.ts';
export { combineLabels, isTrustedAtLeast, leastTrust, TRUST_ORDER } from './trust.ts';
export type { Gate, GuardOutcome, PolicyFinding, Verdict } from './verdict.ts';
export { clipText, clipTextEnd, isWellFormed, toWellFormed } from './well-formed.ts';
