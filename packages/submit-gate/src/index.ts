export { answerText, shownText } from './answer-text.ts';
export type { MessageReading, MessageType } from './claims.ts';
export { readMessage } from './claims.ts';
export { CHECK_COMMANDS, CODING } from './coding.ts';
export type { CommandReading } from './commands.ts';
export { readCommand } from './commands.ts';
export type { SubmitGateErrorCode } from './errors.ts';
export { recordedObservation } from './facts.ts';
export { createGate } from './gate.ts';
export { canonicalIdentifier } from './identifiers.ts';
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
export type {
  CallKind,
  Claim,
  ClaimType,
  CommandRule,
  Considered,
  EvidenceClass,
  Expectation,
  ExpectationAnswer,
  GateConfig,
  GateLimits,
  GateSettings,
  GateState,
  GateVerdict,
  LegalMove,
  NamedExtractor,
  NamedNormalizer,
  Obligation,
  ObservationFacts,
  Postcondition,
  PostconditionAnswer,
  Progress,
  RecordedObservation,
  ResolvedConfig,
  RunningCall,
  SignalMapper,
  SignalReading,
  SubmitGate,
  ToolContract,
} from './types.ts';
