export type { AnalyzeOptions } from './analyze.ts';
export { analyzeCommand, MAX_SOURCE_LENGTH } from './analyze.ts';
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
