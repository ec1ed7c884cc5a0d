import type { ChartIr } from '@warrant/chart';
import { type Digest, WarrantError } from '@warrant/core';
import type { DecideBinding } from '../binding.ts';
import type { Fact, Input, StartData } from '../input.ts';
import { CHART_LABEL, NO_LABEL } from '../labels/relabel.ts';
import { sameNames } from '../offer.ts';
import { type AgentState, NO_USAGE, ROOT } from '../state.ts';
import { takeDecision, takeRefusal } from './decisions.ts';
import { endPlan } from './leave.ts';
import { takeReview } from './migrate.ts';
import { passDeadline, settleOffers } from './offers.ts';
import { type AgentCompileOptions, compileProgram, createPrograms } from './program.ts';
import { retryLlm, takeLlmError, takeLlmResult, takeReply, takeToolResult } from './results.ts';
import { startSession } from './run.ts';
import { timersOf } from './timers.ts';
import { closeTurn, enqueue, type Machinery, openTurn, type Turn, taint } from './turn.ts';

export type AgentMachineOptions = AgentCompileOptions & { readonly chart: ChartIr };

/** The pure part of an agent: a state and an input give the next state. It calls nothing, and knows no time but the input's. */
export interface AgentMachine {
  /** Digest of the chart, the agent's first version. */
  readonly program: Digest;
  readonly bindings: readonly DecideBinding[];
  /** Decide states of the charts that it invokes, as far as they are known beforehand. */
  readonly invoked: readonly DecideBinding[];
  readonly chart: ChartIr;
  /** The state before the start. */
  readonly empty: AgentState;
  /** Applies the input that stands at a position of the agent's journal, from 1 on. What is not expected changes nothing but the position. */
  apply(state: AgentState, input: Input, position: number): Applied;
}

export type Applied = { readonly state: AgentState; readonly facts: readonly Fact[] };

/** @throws CHART_INVALID with all faults of the chart and of its decide states, with line and column where `placeOf` is given. */
export function createAgentMachine(options: AgentMachineOptions): AgentMachine {
  const { chart, ...compile } = options;
  const program = compileProgram(chart, compile);
  const machinery: Machinery = { root: chart, options: compile, programOf: createPrograms(compile) };
  const empty = emptyState(program.digest);
  return {
    program: program.digest,
    bindings: program.bindings,
    invoked: program.invoked,
    chart,
    empty,
    apply: (state, input, position) => {
      const turn = openTurn(machinery, state, input, position);
      take(turn, state);
      if (turn.status === 'running' && turn.sessions.length > 0) settleOffers(turn);
      noteMove(turn, state);
      return { state: closeTurn(turn), facts: turn.facts };
    },
  };
}

function emptyState(program: Digest): AgentState {
  return {
    program,
    position: 0,
    status: 'running',
    result: null,
    stopped: null,
    sessions: [],
    slots: [],
    accepted: {},
    asks: {},
    answered: [],
    calls: [],
    usage: NO_USAGE,
    tools: [],
    maxAsks: null,
    label: null,
    version: null,
  };
}

function take(turn: Turn, before: AgentState): void {
  const { input } = turn;
  if (input.type === 'start') return start(turn, input.data);
  if (before.sessions.length === 0) return;
  switch (input.type) {
    case 'event': {
      const { name, data, origin, sendid, label } = input.data;
      const more = { ...(origin === undefined ? {} : { origin }), ...(sendid === undefined ? {} : { sendid }) };
      return enqueue(turn, ROOT, { name, data, ...more }, taint(turn, label));
    }
    case 'decision':
      return before.answered.includes(input.data.correlation) ? undefined : takeDecision(turn, input.data);
    case 'refusal':
      return before.answered.includes(input.data.correlation) ? undefined : takeRefusal(turn, input.data);
    case 'timer':
      return fire(turn, before, input.data.timer);
    case 'llm.result':
      return takeLlmResult(turn, input.data);
    case 'llm.error':
      return takeLlmError(turn, input.data);
    case 'tool.result':
      return takeToolResult(turn, input.data);
    case 'reply':
      return takeReply(turn, input.data);
    case 'review':
      return takeReview(turn, input.data);
  }
}

function start(turn: Turn, data: StartData): void {
  if (turn.sessions.length > 0) return;
  turn.tools = data.tools;
  turn.maxAsks = data.maxAsks;
  if (Object.keys(data.input).length > 0) taint(turn, data.label);
  startSession(
    turn,
    { id: ROOT, parent: null, invoke: null, kind: 'root', ir: null, grant: data.grant, bounds: null },
    data.input,
    data.label ?? NO_LABEL,
  );
}

/** A timer that is not set, or not due by the input's time, does nothing. */
function fire(turn: Turn, before: AgentState, name: string): void {
  const timer = timersOf(before).find((one) => one.timer === name);
  if (timer === undefined || Date.parse(timer.due) > Date.parse(turn.at)) return;
  const [kind = '', id = '', rest = ''] = name.split(':');
  if (kind === 'chart') turn.queue.push({ session: id, what: { timer: rest }, label: before.label ?? CHART_LABEL });
  else if (kind === 'deadline') passDeadline(turn, id);
  else if (kind === 'retry') retryLlm(turn, id);
  else if (kind === 'plan') endPlan(turn, id, 'bounds');
  else throw new WarrantError('DECIDE_INPUT', 'a timer of no kind');
}

/** Where the root moved, for people who read the journal. */
function noteMove(turn: Turn, before: AgentState): void {
  const from = before.sessions[0]?.chart.configuration ?? [];
  const to = turn.sessions[0]?.chart.configuration ?? [];
  if (!sameNames(from, to)) turn.facts.push({ type: 'moved', from, to });
}
