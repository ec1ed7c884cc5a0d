import { type Json, type JsonObject, type Reason, WarrantError } from '@warrant/core';
import type { Chart, ChartNode } from './chart.ts';
import type { Scope } from './data-model.ts';
import type { ChartEvent } from './event.ts';
import { fitsIn } from './size.ts';
import type { ActiveInvoke, ChartState, Effect, Timer } from './state.ts';

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

/** The working copy of one step: mutable inside the step, never seen outside it. It is also what expressions see. */
export class Run implements Scope {
  readonly chart: Chart;
  readonly session: Scope['session'];
  readonly at: string;
  readonly step: number;
  readonly variables: JsonObject;
  readonly reachable: readonly string[];
  /** Active nodes in document order. */
  configuration: readonly ChartNode[];
  data: JsonObject;
  history: Readonly<Record<string, readonly string[]>>;
  timers: readonly Timer[];
  invokes: readonly ActiveInvoke[];
  bound: readonly string[];
  readonly internal: ChartEvent[] = [];
  readonly external: ChartEvent[] = [];
  /** States whose invokes start when the macrostep ends. */
  toInvoke: readonly ChartNode[] = NONE;
  readonly effects: Effect[] = [];
  event: ChartEvent | null = null;
  status: ChartState['status'];
  stopped: Reason | undefined;
  /** Names that this step made so far. */
  made = 0;
  /** Items of foreach visited so far. */
  rounds = 0;

  /** Opens a state for one step. */
  constructor(chart: Chart, state: ChartState, input: StepInput) {
    this.chart = chart;
    this.session = { id: state.session, name: state.name };
    this.at = input.at;
    this.step = state.steps + 1;
    this.variables = input.variables ?? NO_VARIABLES;
    this.reachable = input.reachable ?? NONE;
    this.configuration = state.configuration.map((id) => chart.byId.get(id) as ChartNode);
    this.data = state.data;
    this.history = state.history;
    this.timers = state.timers;
    this.invokes = state.invokes;
    this.bound = state.bound;
    this.status = state.status;
  }

  isActive(id: string): boolean {
    const node = this.chart.byId.get(id);
    return node !== undefined && this.configuration.includes(node);
  }
}

const NONE: readonly never[] = [];
const NO_VARIABLES: JsonObject = {};

/** The state after the step. */
export function closeRun(run: Run): ChartState {
  const state: ChartState = {
    chart: run.chart.digest,
    session: run.session.id,
    name: run.session.name,
    status: run.status,
    configuration: run.configuration.map(({ id }) => id),
    data: run.data,
    history: run.history,
    timers: run.timers,
    invokes: run.invokes,
    bound: run.bound,
    steps: run.step,
  };
  return run.stopped === undefined ? state : { ...state, stopped: run.stopped };
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
