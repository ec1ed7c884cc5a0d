import { type Effect, type ExternalEvent, initial, step } from '@warrant/chart';
import type { Json, JsonObject, Label } from '@warrant/core';
import { enteredBy } from '../instrument.ts';
import { least, lowered, relabel } from '../labels/relabel.ts';
import { ROOT, type SessionState } from '../state.ts';
import { invokeService } from './invoke.ts';
import { closeInvoke, closeSession, endPlan } from './leave.ts';
import { checkPlanResult } from './plan.ts';
import { routeSend } from './send.ts';
import {
  dropCalls,
  dropSlots,
  enqueue,
  noteEntered,
  programOf,
  putSession,
  type Queued,
  type StartedSession,
  sessionOf,
  type Turn,
  tell,
  variablesOf,
} from './turn.ts';

/** Inputs that charts of one agent may take in one turn. */
const MAX_STEPS = 10_000;

/** Lets charts run until none of them has anything left to do. */
export function drain(turn: Turn): void {
  for (let next = turn.queue.shift(); next !== undefined; next = turn.queue.shift()) {
    if (turn.status !== 'running') return;
    turn.steps += 1;
    if (turn.steps > MAX_STEPS) return stop(turn, 'agent.steps', `more than ${MAX_STEPS} inputs of charts in one turn`);
    stepOne(turn, next);
  }
}

/** A run that cannot go on ends for good, with the reason in its state. */
export function stop(turn: Turn, code: string, message: string): void {
  turn.status = 'stopped';
  turn.stopped = { code, message, data: {} };
  leaveAll(turn);
}

/** What was sent still goes out; nothing else goes on. */
function leaveAll(turn: Turn): void {
  dropCalls(turn, ({ invoke }) => invoke !== null);
  dropSlots(turn, () => true);
  turn.sessions = turn.sessions.filter(({ id }) => id === ROOT);
  turn.queue.length = 0;
}

function stepOne(turn: Turn, { session: id, what, label }: Queued): void {
  const session = sessionOf(turn, id);
  if (session === undefined) return;
  const { bounds } = session;
  if (bounds !== null && bounds.macrosteps >= bounds.maxMacrosteps) return endPlan(turn, id, 'bounds');
  const { at } = turn;
  const variables = variablesOf(turn);
  const reachable = session.parent === null ? NOTHING : TO_PARENT;
  // Written out: this is where a turn spends its time.
  const input =
    'event' in what ? { event: what.event, at, variables, reachable } : { timer: what.timer, at, variables, reachable };
  const program = programOf(turn, session);
  const [chart, effects] = step(program.chart, session.chart, input);
  const { parent, invoke, kind, ir, grant, labels: before } = session;
  const labels = relabel(program.flows, before, { from: session.chart.data, to: chart.data, event: label });
  const around = { before, after: labels, event: label };
  // What is sent late was made of what the items were then.
  turn.around = 'timer' in what ? lowered(around) : around;
  putSession(turn, { id, parent, invoke, kind, chart, ir, grant, bounds: countStep(session), labels });
  perform(turn, id, effects, 'event' in what ? what.event : null);
}

const NOTHING: readonly string[] = [];
const TO_PARENT: readonly string[] = ['#_parent'];

function countStep({ bounds }: SessionState): SessionState['bounds'] {
  return bounds === null ? null : { ...bounds, macrosteps: bounds.macrosteps + 1 };
}

/** Starts a chart; its effects are done before anything else is looked at. */
export function startSession(turn: Turn, session: StartedSession, input: JsonObject, label: Label): void {
  const program = programOf(turn, session);
  const [chart, effects] = initial(program.chart, {
    sessionId: session.id,
    at: turn.at,
    input,
    variables: variablesOf(turn),
    reachable: session.parent === null ? NOTHING : TO_PARENT,
  });
  const given = Object.keys(chart.data).filter((name) => Object.hasOwn(input, name));
  const made = relabel(
    { ...program.flows, items: program.flows.initial },
    {},
    { from: {}, to: chart.data, event: label },
  );
  const labels = { ...made, ...Object.fromEntries(given.map((name) => [name, label])) };
  turn.around = { before: labels, after: labels, event: label };
  putSession(turn, { ...session, chart, labels });
  perform(turn, session.id, effects, null);
}

function perform(turn: Turn, id: string, effects: readonly Effect[], event: ExternalEvent | null): void {
  const { around } = turn;
  for (const effect of effects) {
    // A chart that an effect starts has surroundings of its own.
    turn.around = around;
    const session = sessionOf(turn, id);
    if (session === undefined || turn.status !== 'running') return;
    performOne(turn, session, effect, event);
  }
}

function performOne(turn: Turn, session: SessionState, effect: Effect, event: ExternalEvent | null): void {
  switch (effect.type) {
    case 'send':
      return routeSend(turn, session, effect);
    case 'invoke':
      return invokeService(turn, session, effect, { event, start: startSession });
    case 'cancel-invoke':
      return closeInvoke(turn, session.id, effect.id);
    case 'forward':
      return forward(turn, session, effect.invoke, effect.event);
    case 'log': {
      const entered = enteredBy(effect.label);
      if (entered !== undefined) noteEntered(turn, slotKey(session.id, entered));
      return;
    }
    case 'done':
      return finish(turn, session, effect.data);
    case 'stopped':
      return stopped(turn, session, effect);
    case 'schedule':
    case 'cancel-timer':
      // The state holds the timers; the host compares.
      return;
  }
}

/** The name of a decide state among all that an agent runs. */
export function slotKey(session: string, state: string): string {
  return session === ROOT ? state : `${session}/${state}`;
}

function forward(turn: Turn, session: SessionState, invoke: string, event: ExternalEvent): void {
  const child = turn.sessions.find((one) => one.parent === session.id && one.invoke === invoke);
  if (child !== undefined) enqueue(turn, child.id, event, turn.around.event);
}

function finish(turn: Turn, session: SessionState, data: Json): void {
  if (session.parent === null || session.invoke === null) {
    turn.status = 'done';
    turn.result = data;
    return leaveAll(turn);
  }
  if (session.kind === 'plan' && !checkPlanResult(turn, session, data)) return endPlan(turn, session.id, 'result');
  closeSession(turn, session.id);
  const label = least([...Object.values(session.labels), turn.around.event]);
  enqueue(turn, session.parent, { name: `done.invoke.${session.invoke}`, data, invokeid: session.invoke }, label);
}

function stopped(turn: Turn, session: SessionState, effect: Extract<Effect, { type: 'stopped' }>): void {
  if (session.parent === null || session.invoke === null) return stop(turn, effect.reason.code, effect.reason.message);
  if (session.kind === 'plan') return endPlan(turn, session.id, 'bounds');
  closeSession(turn, session.id);
  tell(
    turn,
    session.parent,
    'error.communication',
    { reason: 'stopped', invoke: session.invoke },
    { invokeid: session.invoke },
  );
}
