import type { ChartIr, ExternalEvent } from '@warrant/chart';
import { combineLabels, type Grant, type Json, type JsonObject, type Label, leastTrust } from '@warrant/core';
import { holdsAny } from '../grant.ts';
import type { Fact, Input } from '../input.ts';
import { NO_LABEL, type Surroundings } from '../labels/relabel.ts';
import { type AgentState, type Call, ROOT, type SessionState, type Slot, type UsageTotals } from '../state.ts';
import { usageVariables } from '../usage.ts';
import type { AgentCompileOptions, Program } from './program.ts';

/** What the machine is made of: the first chart, and how others are compiled. */
export type Machinery = {
  readonly root: ChartIr;
  readonly options: AgentCompileOptions;
  readonly programOf: (ir: ChartIr, limits?: { readonly macrosteps: number }) => Program;
};

export type Queued = {
  readonly session: string;
  readonly what: { readonly event: ExternalEvent } | { readonly timer: string };
  readonly label: Label;
};

/** The working copy of one turn: mutable inside it, never seen outside. */
export type Turn = {
  readonly machinery: Machinery;
  readonly at: string;
  readonly position: number;
  readonly input: Input;
  tools: readonly string[];
  maxAsks: number | null;
  version: ChartIr | null;
  status: AgentState['status'];
  result: Json;
  stopped: AgentState['stopped'];
  sessions: readonly SessionState[];
  slots: readonly Slot[];
  accepted: Readonly<Record<string, number>>;
  asks: Readonly<Record<string, number>>;
  answered: readonly string[];
  calls: readonly Call[];
  usage: UsageTotals;
  label: Label | null;
  readonly queue: Queued[];
  /** Decide states that were entered in this turn, if any were. */
  entered: Set<string> | null;
  readonly facts: Fact[];
  /** What the step under way may have read. */
  around: Surroundings;
  /** Effects and offers named so far. */
  made: number;
  offers: number;
  /** Inputs of charts taken so far. */
  steps: number;
};

const NOWHERE: Surroundings = { before: {}, after: {}, event: NO_LABEL };

export function openTurn(machinery: Machinery, state: AgentState, input: Input, position: number): Turn {
  // Written out: spreading a state of this size is what a turn would spend most of its time on.
  return {
    machinery,
    at: input.at,
    position,
    input,
    tools: state.tools,
    maxAsks: state.maxAsks,
    version: state.version,
    status: state.status,
    result: state.result,
    stopped: state.stopped,
    sessions: state.sessions,
    slots: state.slots,
    accepted: state.accepted,
    asks: state.asks,
    answered: state.answered,
    calls: state.calls,
    usage: state.usage,
    label: state.label,
    queue: [],
    entered: null,
    facts: [],
    around: NOWHERE,
    made: 0,
    offers: 0,
    steps: 0,
  };
}

export function closeTurn(turn: Turn): AgentState {
  const { version, status, result, stopped, sessions, slots, accepted, asks, answered, calls, usage, tools, maxAsks } =
    turn;
  return {
    program: programOf(turn, rootOf(turn)).digest,
    position: turn.position,
    status,
    result,
    stopped,
    sessions,
    slots,
    accepted,
    asks,
    answered,
    calls,
    usage,
    tools,
    maxAsks,
    label: turn.label,
    version,
  };
}

/** A session before its chart has run. */
export type StartedSession = Omit<SessionState, 'chart' | 'labels'>;

/** All but the root. */
export type InvokedSession = SessionState & { readonly parent: string; readonly invoke: string };

/** The program that a session runs; a session that is gone runs what the root runs. */
export function programOf(turn: Turn, session: StartedSession | undefined): Program {
  const { machinery } = turn;
  if (session?.ir != null)
    return machinery.programOf(
      session.ir,
      session.bounds === null ? undefined : { macrosteps: session.bounds.maxMacrosteps },
    );
  return machinery.programOf(turn.version ?? machinery.root);
}

export function rootOf(turn: Turn): SessionState | undefined {
  return turn.sessions.find(({ id }) => id === ROOT);
}

export function isInvoked(session: SessionState): session is InvokedSession {
  return session.parent !== null;
}

export function sessionOf(turn: Turn, id: string): SessionState | undefined {
  return turn.sessions.find((session) => session.id === id);
}

/** Whose decide state an offer is made in: a chart that ends takes its offers with it. */
export function holderOf(turn: Turn, slot: Slot): SessionState {
  return sessionOf(turn, slot.session) as SessionState;
}

export function putSession(turn: Turn, session: SessionState): void {
  const index = turn.sessions.findIndex(({ id }) => id === session.id);
  turn.sessions = index === -1 ? [...turn.sessions, session] : turn.sessions.with(index, session);
}

/** @param label what the event's data are trusted as */
export function enqueue(turn: Turn, session: string, event: ExternalEvent, label: Label): void {
  turn.queue.push({ session, what: { event }, label });
}

/** An event of the machine's own. */
export function tell(
  turn: Turn,
  session: string,
  name: string,
  data: JsonObject,
  more: Partial<ExternalEvent> & { readonly label?: Label } = {},
): void {
  const { label = MACHINE_LABEL, ...rest } = more;
  enqueue(turn, session, { ...rest, name, type: 'platform', data }, label);
}

/** Codes and ids of the machine's own making. */
const MACHINE_LABEL: Label = { trust: 'human', sources: ['host'] };

/** @param key name of a decide state among all that an agent runs */
export function noteEntered(turn: Turn, key: string): void {
  turn.entered ??= new Set();
  turn.entered.add(key);
}

/** Writes down that an offer takes no answer any more. */
export function noteClosed(turn: Turn, slot: Slot, why: Extract<Fact, { type: 'closed' }>['why']): void {
  if (slot.status === 'open') turn.facts.push({ type: 'closed', correlation: slot.correlation, why });
}

/** Offers whose state is left. */
export function dropSlots(turn: Turn, goes: (slot: Slot) => boolean): void {
  const gone = turn.slots.filter(goes);
  if (gone.length === 0) return;
  for (const slot of gone) noteClosed(turn, slot, 'left');
  turn.slots = turn.slots.filter((slot) => !gone.includes(slot));
}

/** Calls that nobody waits for any more. */
export function dropCalls(turn: Turn, goes: (call: Call) => boolean): void {
  for (const call of turn.calls) if (goes(call)) turn.facts.push({ type: 'cancelled', effect: call.effect });
  turn.calls = turn.calls.filter((call) => !goes(call));
}

export function nextEffect(turn: Turn): string {
  turn.made += 1;
  return `${turn.position}.${turn.made - 1}`;
}

/** Writes down what something is started with. */
export function noteGrant(turn: Turn, effect: string, parent: string, grant: Grant): void {
  if (holdsAny(grant)) turn.facts.push({ type: 'granted', effect, parent, grant });
}

export function variablesOf(turn: Turn): JsonObject {
  return usageVariables(turn.usage);
}

/** What came in lowers the trust of the agent as a whole; gives the label that it has. */
export function taint(turn: Turn, label: Label | undefined): Label {
  if (turn.label === null) turn.label = combineLabels([label]);
  else if (!holds(turn.label, label)) turn.label = combineLabels([turn.label, label]);
  return label ?? NO_LABEL;
}

/** Whether combining would change nothing, as is so of most inputs. */
function holds(whole: Label, label: Label | undefined): boolean {
  if (leastTrust([whole.trust, label?.trust]) !== whole.trust) return false;
  return label === undefined || label.sources.every((source) => whole.sources.includes(source));
}
