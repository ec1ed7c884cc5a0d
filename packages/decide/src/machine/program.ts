import {
  type Chart,
  type ChartFault,
  type ChartIr,
  chartDigest,
  compileChart,
  type DataModel,
  type EventTypesCompiler,
  faultsOf,
  type Limits,
  type PlaceOf,
  type SourceResolver,
  type StateIr,
} from '@warrant/chart';
import { type Digest, isWarrantError, type Json, type JsonObject, WarrantError } from '@warrant/core';
import { type DecideBinding, eachState, readBindings } from '../binding.ts';
import { withEntryMarks } from '../instrument.ts';
import { type Flows, flowsOf } from '../labels/flows.ts';
import { invokeFaults } from './invoke-faults.ts';
import { invokedCharts, invokedFaults } from './invoked-charts.ts';

/** Checks values against JSON Schemas and reads structured types; `ajvSchemas()` of `./schemas` is one. */
export interface Schemas {
  /** JSON Pointers to what in the value is not as the schema has it. */
  violations(schema: JsonObject, value: Json): readonly string[];
  /** JSON Schema of a type such as `{ category: billing | other }`. @throws DECIDE_TYPE */
  ofType(type: string): JsonObject;
}

/** How charts of one agent are compiled. All parts are pure. */
export type AgentCompileOptions = {
  /** The language of expressions; `agentDataModel()` of `./cel` also knows `vt_usage`. */
  readonly dataModel?: DataModel;
  readonly types?: EventTypesCompiler;
  readonly placeOf?: PlaceOf;
  readonly resolver?: SourceResolver;
  readonly schemas?: Schemas;
  /** Reads plans; `planReader()` of `./plans` knows YAML and SCXML. Without it no plan runs. */
  readonly plans?: (text: string) => ChartIr;
};

/** A chart ready to run as an agent. */
export type Program = {
  /** The chart's own digest; marks that we add do not count. */
  readonly digest: Digest;
  readonly ir: ChartIr;
  readonly chart: Chart;
  readonly bindings: readonly DecideBinding[];
  /** Decide states of the charts that it invokes. */
  readonly invoked: readonly DecideBinding[];
  readonly nodes: ReadonlyMap<string, StateIr>;
  readonly flows: Flows;
};

/** @throws CHART_INVALID with every fault of the chart and of what it says to agents. */
export function compileProgram(ir: ChartIr, options: AgentCompileOptions, limits: Partial<Limits> = {}): Program {
  const { bindings, faults } = readBindings(ir, options.placeOf);
  const all = [...faults, ...invokeFaults(ir, options.schemas, options.placeOf)];
  const { dataModel, types, placeOf, resolver } = options;
  const given = { dataModel, types, placeOf, resolver };
  const compileOptions = {
    limits,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  const chart = orFaults(
    () => compileChart(withEntryMarks(ir), compileOptions),
    (compiled) => [...all, ...invokedFaults(invokedCharts(ir, compiled), options.schemas, placeOf)],
  );
  const invoked = invokedCharts(ir, chart).flatMap((one) => readBindings(one.ir).bindings);
  const nodes = new Map<string, StateIr>();
  eachState(ir, (state, id) => nodes.set(id, state));
  return { digest: chartDigest(ir), ir, chart, bindings, invoked, nodes, flows: flowsOf(ir) };
}

function orFaults(compile: () => Chart, faultsIn: (compiled: Chart | undefined) => readonly ChartFault[]): Chart {
  let chart: Chart | undefined;
  let own: readonly ChartFault[] = [];
  try {
    chart = compile();
  } catch (error) {
    if (!isWarrantError(error, 'CHART_INVALID')) throw error;
    own = faultsOf(error);
  }
  const faults = [...faultsIn(chart), ...own];
  if (chart === undefined || faults.length > 0) throw chartInvalid(faults);
  return chart;
}

function chartInvalid(faults: readonly ChartFault[]): WarrantError<'CHART_INVALID'> {
  const lines = faults.map(
    ({ line, column, path, message }) => `${line === undefined ? path || '/' : `${line}:${column ?? 1}`}: ${message}`,
  );
  return new WarrantError('CHART_INVALID', lines.join('\n'), {
    data: { faults: faults as unknown as readonly JsonObject[] },
  });
}

/** Programs by the digest of their chart: compiled once, the latest few kept. */
export function createPrograms(options: AgentCompileOptions): (ir: ChartIr, limits?: Partial<Limits>) => Program {
  const known = new WeakMap<ChartIr, Program>();
  const byDigest = new Map<string, Program>();
  const { placeOf: _, ...inner } = options;
  return (ir, limits = {}) => {
    const same = known.get(ir);
    if (same !== undefined) return same;
    const key = `${chartDigest(ir)} ${JSON.stringify(limits)}`;
    const program = byDigest.get(key) ?? compileProgram(ir, inner, limits);
    if (byDigest.size >= MAX_KEPT) byDigest.clear();
    byDigest.set(key, program);
    known.set(ir, program);
    return program;
  };
}

const MAX_KEPT = 100;
