import { type Json, type JsonObject, type Reason, WarrantError } from '@warrant/core';
import type { Chart, ChartNode } from './chart.ts';
import type { Scope } from './data-model.ts';
import type { ChartEvent } from './event.ts';
import { fitsIn } from './size.ts';
import type { ActiveInvoke, ChartState, Effect, Timer } from './state.ts';

/** The working copy of one step: mutable inside the step, never seen outside it. */
export type Run = {
  readonly chart: Chart;
  readonly session: string;
  readonly name: string;
  readonly at: string;
  readonly step: number;
  readonly variables: JsonObject;
  readonly reachable: readonly string[];
  /** Active nodes in document order. */
  configuration: ChartNode[];
  readonly active: Set<ChartNode>;
  data: JsonObject;
  history: Record<string, readonly string[]>;
  timers: readonly Timer[];
  invokes: readonly ActiveInvoke[];
  readonly bound: Set<string>;
  readonly internal: ChartEvent[];
  readonly external: ChartEvent[];
  readonly toInvoke: Set<ChartNode>;
  readonly effects: Effect[];
  event: ChartEvent | null;
  status: ChartState['status'];
  stopped: Reason | undefined;
  /** Names that this step made so far. */
  made: number;
  /** Items of foreach visited so far. */
  rounds: number;
  readonly scope: Scope;
};

/** A limit that ends the run. */
export class LimitReached extends WarrantError<'CHART_LIMIT'> {
  constructor(limit: string, bound: number) {
    super('CHART_LIMIT', `more than ${bound} ${limit}`, { data: { limit, bound } });
  }
}

export type StepInput = {
  /** ISO-8601 UTC time of the input. */
  readonly at: string;
  readonly variables?: JsonObject;
  /** Sessions (`#_scxml_…`) and other targets that can be reached now. */
  readonly reachable?: readonly string[];
};

/** Opens a state for one step. */
export function openRun(chart: Chart, state: ChartState, input: StepInput): Run {
  const configuration = state.configuration.map((id) => chart.byId.get(id) as ChartNode);
  const run: Run = {
    chart,
    session: state.session,
    name: state.name,
    at: input.at,
    step: state.steps + 1,
    variables: input.variables ?? {},
    reachable: input.reachable ?? [],
    configuration,
    active: new Set(configuration),
    data: state.data,
    history: state.history,
    timers: state.timers,
    invokes: state.invokes,
    bound: new Set(state.bound),
    internal: [],
    external: [],
    toInvoke: new Set(),
    effects: [],
    event: null,
    status: state.status,
    stopped: undefined,
    made: 0,
    rounds: 0,
    scope: {
      get data() {
        return run.data;
      },
      get event() {
        return run.event;
      },
      session: { id: state.session, name: state.name },
      isActive: (id) => isActive(run, id),
      variables: input.variables ?? {},
    },
  };
  return run;
}

/** The state after the step. */
export function closeRun(run: Run): ChartState {
  return {
    chart: run.chart.digest,
    session: run.session,
    name: run.name,
    status: run.status,
    configuration: run.configuration.map((node) => node.id),
    data: run.data,
    history: run.history,
    timers: run.timers,
    invokes: run.invokes,
    bound: [...run.bound],
    steps: run.step,
    ...(run.stopped === undefined ? {} : { stopped: run.stopped }),
  };
}

/** @throws LimitReached when a value is larger than data may be. */
export function checkSize(run: Run, value: Json): void {
  const { dataSize } = run.chart.limits;
  if (!fitsIn(value, dataSize)) throw new LimitReached('characters of data', dataSize);
}

/** Puts an event into the internal queue; one that is not of its type is an error in its place. */
export function raise(run: Run, event: ChartEvent): void {
  if (isOfItsType(run, event)) push(run, event);
}

/** Puts an event into the external queue; one that is not of its type is an error in its place. */
export function enqueue(run: Run, event: ChartEvent): void {
  if (!isOfItsType(run, event)) return;
  const { queueLength } = run.chart.limits;
  if (run.external.length >= queueLength) throw new LimitReached('events in the external queue', queueLength);
  run.external.push(event);
}

/** Errors have no declared type, so that reporting one cannot go on for ever. */
function isOfItsType(run: Run, { name, data }: ChartEvent): boolean {
  const { types } = run.chart;
  if (types === undefined || /^error([.]|$)/.test(name)) return true;
  const paths = types.violations(name, data);
  if (paths.length === 0) return true;
  raiseError(run, 'error.execution', 'event-type', { data: { event: name, paths } });
  return false;
}

function push(run: Run, event: ChartEvent): void {
  if (run.internal.length >= run.chart.limits.queueLength)
    throw new LimitReached('events in the internal queue', run.chart.limits.queueLength);
  run.internal.push(event);
}

/** Raises a platform error. Its data hold a code, never values: values of errors would grow from step to step. */
export function raiseError(
  run: Run,
  name: string,
  reason: string,
  more: { readonly sendid?: string; readonly data?: { readonly [key: string]: Json } } = {},
): void {
  const sendid = more.sendid === undefined ? {} : { sendid: more.sendid };
  push(run, { name, type: 'platform', data: { reason, ...more.data }, ...sendid });
}

/** A name that no other step makes: `<step>.<n>`. */
export function makeName(run: Run): string {
  run.made += 1;
  return `${run.step}.${run.made}`;
}

function isActive(run: Run, id: string): boolean {
  const node = run.chart.byId.get(id);
  return node !== undefined && run.active.has(node);
}
