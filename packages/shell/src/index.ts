export type { AnalyzeOptions } from './analyze.ts';
export { analyzeCommand, MAX_SOURCE_LENGTH } from './analyze.ts';
export type { ShellCallOptions } from './classifier.ts';
export { analyzeCall, createShellClassifier, UNKNOWN_EFFECTS } from './classifier.ts';
export type { ShellConceptOptions } from './concepts.ts';
export { cardinalityFor, conceptsFor, shellCardinality, shellConcepts, UNKNOWN_COMMAND } from './concepts.ts';
export type { AnalysisCounts } from './counts.ts';
export { countAnalyses } from './counts.ts';
export { celShell, toCallEffects } from './effects.ts';
export type { ConceptMapping, ProgramConcepts } from './mapping.ts';
export { defaultMapping } from './mapping.ts';
export type { MappedDomain } from './mapping-domains.ts';
export { MAPPED_DOMAINS, mappingFor } from './mapping-domains.ts';
export type { ProgramIssue, Programs } from './programs.ts';
export { lintPrograms, parsePrograms } from './programs.ts';
export { programsSchema } from './programs-schema.ts';
export type { RenderOptions } from './render.ts';
export { describeUnknown, renderAnalysis } from './render.ts';
export type { OperandKind, ProgramSpec, SubcommandSpec } from './table/spec.ts';
export type {
  AnalysedCommand,
  Analysis,
  CommandWord,
  PathEffect,
  ShellClass,
  Span,
  TargetKind,
  Unknown,
  UnknownCode,
} from './types.ts';
