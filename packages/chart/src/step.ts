import { type JsonObject, WarrantError } from '@warrant/core';
import { runBlock } from './actions.ts';
import type { Chart, ChartNode, Transition } from './chart.ts';
import { isTime } from './delay.ts';
import { enterStates, makeData } from './enter.ts';
import type { ChartEvent } from './event.ts';
import { exitAll, exitStates } from './exit.ts';
import { historyReader } from './history.ts';
import { routeToInvokes, startInvokes } from './invoke.ts';
import { payloadDespiteFaults } from './payload.ts';
import { plannedDomain } from './plan.ts';
import { checkSize, closeRun, enqueue, LimitReached, Run, raiseError, type StepInput } from './run.ts';
import { judgeIn, selectTransitions } from './select.ts';
import { BlockEnded, deliver } from './send.ts';
import type { ChartState, Effect } from './state.ts';

export type InitialInput = StepInput & {
  readonly sessionId: string;
  /** @default the chart's name */
  readonly name?: string;
  /** Values for data of the chart's top level, such as an invoking chart's parameters. */
  readonly input?: JsonObject;
};

/** An event from outside, or a timer that is due. */
export type Input = StepInput & ({ readonly event: ExternalEvent } | { readonly timer: string });

export type ExternalEvent = Pick<ChartEvent, 'name'> & Partial<Omit<ChartEvent, 'name'>>;

/** The state after the start, and what the start asks the outside to do. @throws CHART_INPUT for a time that is none */
export function initial(chart: Chart, input: InitialInput): readonly [ChartState, readonly Effect[]] {
  const empty: ChartState = {
    chart: chart.digest,
    session: input.sessionId,
    name: input.name ?? chart.name,
    status: 'running',
    configuration: [],
    data: {},
    history: {},
    timers: [],
    invokes: [],
    bound: [],
    steps: -1,
  };
  return perform(chart, empty, input, (run) => {
    const root = chart.nodes[0] as Chart['nodes'][number];
    const nodes = chart.binding === 'early' ? chart.nodes : [root];
    for (const node of nodes) makeData(run, node.data, node === root ? (input.input ?? {}) : {});
    if (chart.binding === 'late') declareLate(run);
    enterStates(run, [root.initial as Transition]);
    finishMacrostep(run);
    settle(run);
  });
}

/** The state after one input, and what it asks the outside to do. Pure: the same arguments give the same answer. @throws CHART_MISMATCH for a state of another chart, CHART_INPUT for a time that is none */
export function step(chart: Chart, state: ChartState, input: Input): readonly [ChartState, readonly Effect[]] {
  if (state.chart !== chart.digest) {
    throw new WarrantError('CHART_MISMATCH', 'this state belongs to another chart', {
      data: { expected: state.chart, actual: chart.digest },
    });
  }
  if (state.status !== 'running') return [state, []];
  return perform(chart, state, input, (run) => {
    if ('timer' in input) fire(run, input.timer);
    else enqueue(run, asExternal(input.event));
    settle(run);
  });
}

function perform(
  chart: Chart,
  state: ChartState,
  input: StepInput,
  work: (run: Run) => void,
): readonly [ChartState, readonly Effect[]] {
  if (!isTime(input.at)) throw new WarrantError('CHART_INPUT', "the 'at' of an input is an ISO-8601 time");
  const run = new Run(chart, state, input);
  try {
    work(run);
    if (run.data !== state.data) checkSize(run, run.data);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    stop(run, error);
  }
  return [closeRun(run), run.effects];
}

/** A run that reached a limit stops for good, with the reason in its state. */
function stop(run: Run, error: LimitReached): void {
  run.status = 'stopped';
  run.stopped = { code: 'chart.limit', message: error.message, data: error.data };
  for (const timer of run.timers) run.effects.push({ type: 'cancel-timer', timer: timer.id });
  for (const invoke of run.invokes) run.effects.push({ type: 'cancel-invoke', id: invoke.id });
  run.timers = [];
  run.invokes = [];
  run.effects.push({ type: 'stopped', reason: run.stopped });
}

/** Data items of states exist from the start, also when their values come late (standard 5.3.2). */
function declareLate(run: Run): void {
  const names = run.chart.nodes
    .flatMap((node) => node.data.map((item) => item.id))
    .filter((name) => !Object.hasOwn(run.data, name));
  run.data = { ...run.data, ...Object.fromEntries(names.map((name) => [name, null])) };
}

function fire(run: Run, id: string): void {
  const timer = run.timers.find((one) => one.id === id);
  if (timer === undefined) return;
  run.timers = run.timers.filter((one) => one !== timer);
  try {
    deliver(run, timer);
  } catch (error) {
    if (!(error instanceof BlockEnded)) throw error;
  }
}

function asExternal(event: ExternalEvent): ChartEvent {
  const { name, type = 'external', data = null, sendid, origin, origintype, invokeid } = event;
  // Most events carry nothing more; spreading is what a step would spend most of its time on.
  if (sendid === undefined && origin === undefined && origintype === undefined && invokeid === undefined)
    return { name, type, data };
  return {
    name,
    type,
    data,
    ...(sendid === undefined ? {} : { sendid }),
    ...(origin === undefined ? {} : { origin }),
    ...(origintype === undefined ? {} : { origintype }),
    ...(invokeid === undefined ? {} : { invokeid }),
  };
}

/** Macrosteps until both queues are empty (standard, mainEventLoop). */
function settle(run: Run): void {
  const { macrosteps } = run.chart.limits;
  // A state between two steps is at rest, unless the input itself was an error.
  if (run.internal.length > 0) finishMacrostep(run);
  for (let count = 1; ; count += 1) {
    if (run.status === 'done') return finish(run);
    const event = run.external.shift();
    if (event === undefined) return;
    if (count > macrosteps) throw new LimitReached('macrosteps for one input', macrosteps);
    run.event = event;
    if (run.invokes.length > 0) routeToInvokes(run, event);
    takeTransitions(run, event);
    finishMacrostep(run);
  }
}

/** Transitions without an event and internal events, then the invokes; again while those raise something. */
function finishMacrostep(run: Run): void {
  const { microsteps } = run.chart.limits;
  for (let count = 0; run.status === 'running'; count += 1) {
    if (count > microsteps) throw new LimitReached('microsteps in one macrostep', microsteps);
    if (takeTransitions(run, null)) continue;
    if (run.internal.length === 0) startInvokes(run);
    const event = run.internal.shift();
    if (event === undefined) return;
    run.event = event;
    takeTransitions(run, event);
  }
}

/** One microstep; false when nothing was enabled. */
function takeTransitions(run: Run, event: ChartEvent | null): boolean {
  if (event === null && !run.configuration.some(hasEventless)) return false;
  const domainOf = plannedDomain(run.chart, historyReader(run.chart, run.history));
  const { transitions, errors } = selectTransitions(run.configuration, event, judgeIn(run), domainOf);
  for (const transition of errors)
    raiseError(run, 'error.execution', 'chart.condition', { data: { transition: transition.id } });
  if (transitions.length === 0) return false;
  exitStates(run, transitions, domainOf);
  for (const transition of transitions) runBlock(run, transition.content);
  enterStates(run, transitions);
  return true;
}

function hasEventless(node: ChartNode): boolean {
  return node.hasEventless;
}

/** A final at the top ends the chart at once: queues are dropped, everything is left (standard, exitInterpreter). */
function finish(run: Run): void {
  const final = run.configuration[0] as ChartNode;
  run.internal.length = 0;
  run.external.length = 0;
  exitAll(run);
  // Told after the exits (standard, exitInterpreter), which may have changed the data.
  const data = final.doneData === undefined ? null : doneData(run, final.doneData);
  run.internal.length = 0;
  run.external.length = 0;
  for (const timer of run.timers) run.effects.push({ type: 'cancel-timer', timer: timer.id });
  run.timers = [];
  run.effects.push({ type: 'done', data });
}

function doneData(run: Run, payload: NonNullable<Chart['nodes'][number]['doneData']>) {
  return payloadDespiteFaults(payload, run, () => {});
}
