export { answerText, shownText } from './answer-text.ts';
export type { MessageReading, MessageType } from './claims.ts';
export { readMessage } from './claims.ts';
export { CODING } from './coding.ts';
export { CHECK_COMMANDS } from './command-rules.ts';
export type { CommandReading } from './commands.ts';
export { readCommand } from './commands.ts';
export type {
  CommandRule,
  GateConfig,
  GateLimits,
  GateSettings,
  NamedExtractor,
  NamedNormalizer,
  Postcondition,
  PostconditionAnswer,
  ResolvedConfig,
  SignalMapper,
  SignalReading,
  ToolContract,
} from './config-types.ts';
export type { SubmitGateErrorCode } from './errors.ts';
export { recordedObservation } from './facts.ts';
export { createGate } from './gate.ts';
export type { GatedTool, GatedTools, GateSession, ToolResult } from './gate-tools.ts';
export { gateTools } from './gate-tools.ts';
export { canonicalIdentifier } from './identifiers.ts';
export type { ChildAnswer, GateEvent, GateRecord, Recheck } from './record.ts';
export { acceptChild, describeMove, explainClaim, parseRecord, recheckRecord, replayEvent } from './record.ts';
export { readTrace } from './replay/read-trace.ts';
export type { ReplayReport, ReplayStep } from './replay/replay-trace.ts';
export { renderReplay, replayTrace } from './replay/replay-trace.ts';
export type { Trace, TraceEvent, TraceFormat } from './replay/trace.ts';
export { DEFAULT_LIMITS, DEFAULT_SETTINGS, PRESETS, REFERENCE_SETTINGS } from './settings.ts';
export {
  createExitCodeMapper,
  createHttpStatusMapper,
  createPointerMapper,
  SIGNAL_MAPPERS,
} from './signals/mappers.ts';
export { aggregateConfidence, criteriaFor } from './submit.ts';
export { normalize } from './text/normalize.ts';
export { tokens } from './text/tokens.ts';
export type { TurnLoopOptions, TurnOutcome } from './turn-loop.ts';
export { createTurnLoop } from './turn-loop.ts';
export type { ModelInput, ModelMove, TurnModel } from './turn-model.ts';
export type {
  CallKind,
  Claim,
  ClaimType,
  Considered,
  Evidence,
  EvidenceClass,
  Expectation,
  ExpectationAnswer,
  GateState,
  GateVerdict,
  LegalMove,
  Obligation,
  ObservationFacts,
  PastThings,
  Progress,
  RecordedObservation,
  RunningCall,
  SubmitGate,
  Thing,
} from './types.ts';
