export type { Chart, ChartNode, Transition } from './chart.ts';
export { chartDigest } from './chart-digest.ts';
export type { CompileOptions } from './compile.ts';
export { compileChart } from './compile.ts';
export type { DataModel, Expression, Location, Scope } from './data-model.ts';
export { parseDelay } from './delay.ts';
export type { ChartEvent } from './event.ts';
export { matchesDescriptor } from './event.ts';
export type { EventTypes, EventTypesCompiler } from './event-types.ts';
export type { Considered, ExplainedGuard, Explanation, GuardPart } from './explain.ts';
export { explain } from './explain.ts';
export type { ChartFault } from './fault.ts';
export { chartInvalid, faultsOf, MAX_FAULTS } from './fault.ts';
export type {
  Action,
  Block,
  Branch,
  ChartIr,
  Content,
  DataItem,
  DoneData,
  InvokeIr,
  Param,
  SendIr,
  StateIr,
  TransitionIr,
} from './ir.ts';
export type { Limits } from './limits.ts';
export { defaultLimits } from './limits.ts';
export type { LintFinding } from './lint.ts';
export { lintChart } from './lint.ts';
export type { Selected } from './look.ts';
export { select } from './look.ts';
export type { MermaidOptions } from './mermaid.ts';
export { toMermaid } from './mermaid.ts';
export { nullDataModel } from './null-data-model.ts';
export type { OfferedEvent, OfferOptions } from './offer.ts';
export { enabledEvents } from './offer.ts';
export type { PlaceOf, ReadChart, SourcePlace, SurveyedChart } from './places.ts';
export { renderExplanation } from './render-explanation.ts';
export type { ResolvedSource, SourceRequest, SourceResolver } from './resolve.ts';
export type { StepInput } from './run.ts';
export { SCXML_PROCESSOR } from './send.ts';
export type { ActiveInvoke, ChartState, Effect, Timer } from './state.ts';
export type { ExternalEvent, InitialInput, Input } from './step.ts';
export { initial, step } from './step.ts';
