import { compileChart, select } from '@warrant/chart';
import { canonicalJson, digestBytes, type Json } from '@warrant/core';
import {
  type AgentMachine,
  type AgentState,
  createAgentMachine,
  type Fact,
  type Input,
  timersOf,
} from '../src/index.ts';
import { withEntryMarks } from '../src/instrument.ts';
import { definitionOf, GRANT } from './support.ts';

/** What every step of an agent has to hold, whatever it is told. */
export type Theorem =
  | 'decider_safety'
  | 'stale_not_taken'
  | 'unknown_not_taken'
  | 'decision_dedup'
  | 'decision_once'
  | 'replay_live';
export type Violation = { readonly theorem: Theorem; readonly path: readonly Input[]; readonly what: string };
export type Checked = {
  readonly transitions: number;
  readonly states: number;
  readonly replayed: number;
  readonly violations: readonly Violation[];
};

type Node = {
  readonly state: AgentState;
  readonly given: readonly string[];
  readonly parent: Node | undefined;
  readonly input: Input;
};
export type Model = { readonly yaml: string; readonly events: readonly string[]; readonly payloads: readonly Json[] };

const START = Date.parse('2026-01-01T00:00:00.000Z');
/** Correlations of the past that answers are tried with. */
const REMEMBERED = 3;
const REPLAY_EVERY = 97;

/** Goes through every interleaving, breadth first, of events, timers and answers: right ones and every wrong one. Works on the real machine. */
export function checkModel({ yaml, events, payloads }: Model, maxTransitions: number): Checked {
  const definition = definitionOf(yaml);
  const machine = createAgentMachine(definition);
  const chart = { machine, inner: compiledOf(machine, definition) };
  const first = startNode(machine);
  const seen = new Set([nameOf(first.state)]);
  const queue: Node[] = [first];
  const violations: Violation[] = [];
  let transitions = 0;
  let replayed = 0;
  for (let at = 0; at < queue.length && transitions < maxTransitions; at += 1) {
    const node = queue[at] as Node;
    for (const input of inputsOf(node, events, payloads)) {
      transitions += 1;
      const { state, facts } = machine.apply(node.state, input, node.state.position + 1);
      const next = { state, given: givenAfter(node, facts), parent: node, input };
      const broken = judge(chart, node.state, input, { state, facts });
      if (broken !== undefined) violations.push({ ...broken, path: pathOf(next) });
      if (transitions % REPLAY_EVERY === 0) {
        replayed += 1;
        if (!replaysLive(machine, next))
          violations.push({ theorem: 'replay_live', what: 'replay differs', path: pathOf(next) });
      }
      if (violations.length > 0) return { transitions, states: seen.size, replayed, violations };
      const name = nameOf(state);
      if (seen.has(name)) continue;
      seen.add(name);
      queue.push(next);
    }
  }
  return { transitions, states: seen.size, replayed, violations };
}

type Inner = { readonly machine: AgentMachine; readonly inner: Parameters<typeof select>[0] };

function startNode(machine: AgentMachine): Node {
  const input: Input = {
    type: 'start',
    at: timeOf(0),
    data: { program: machine.program, input: {}, grant: GRANT, tools: [], maxAsks: null },
  };
  const { state, facts } = machine.apply(machine.empty, input, 1);
  return { state, given: offered(facts), parent: undefined, input };
}

function timeOf(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString();
}

const offered = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === 'offered' ? [fact.correlation] : []));

function givenAfter(node: Node, facts: readonly Fact[]): readonly string[] {
  return [...node.given, ...offered(facts)].slice(-REMEMBERED);
}

/** Every input that may come next, the adversary's included. */
function inputsOf({ state, given }: Node, events: readonly string[], payloads: readonly Json[]): readonly Input[] {
  const at = timeOf(state.position);
  const answers = [...new Set([...given, ...state.slots.map(({ correlation }) => correlation), '999.0', 'x'])].filter(
    (one) => one !== '',
  );
  const names = [...events, 'bogus', 'done.state.a'];
  return [
    ...events.map((name): Input => ({ type: 'event', at, data: { name, data: null } })),
    ...answers.flatMap((correlation) => [
      ...names.flatMap((event) =>
        payloads.map((payload): Input => ({ type: 'decision', at, data: { correlation, event, payload } })),
      ),
      ...events.slice(0, 1).map(
        (event): Input => ({
          type: 'decision',
          at,
          data: { correlation, event, payload: payloads[0] ?? null, annotations: { confidence: 2 } },
        }),
      ),
      { type: 'refusal', at, data: { correlation, reason: 'no' } } as Input,
    ]),
    ...timersOf(state).flatMap(({ timer, due }): readonly Input[] => [
      { type: 'timer', at, data: { timer } },
      { type: 'timer', at: [due, at].sort().at(-1) ?? at, data: { timer } },
    ]),
  ];
}

function judge(
  chart: Inner,
  before: AgentState,
  input: Input,
  after: { readonly state: AgentState; readonly facts: readonly Fact[] },
): Omit<Violation, 'path'> | undefined {
  if (input.type !== 'decision') return undefined;
  const { correlation, event, payload } = input.data;
  const accepted = after.facts.filter((fact) => fact.type === 'accepted');
  const slot = before.slots.find((one) => one.status === 'open' && one.correlation === correlation);
  const candidate = slot?.candidates.find((one) => one.event === event);
  const counts = (state: AgentState) => Object.values(state.accepted).reduce((sum, count) => sum + count, 0);
  const took = counts(after.state) - counts(before);
  if (before.answered.includes(correlation)) {
    const same =
      canonicalJson({ ...before, position: 0 } as unknown as Json) ===
      canonicalJson({ ...after.state, position: 0 } as unknown as Json);
    return same && accepted.length === 0
      ? undefined
      : { theorem: 'decision_dedup', what: `${correlation} had an effect again` };
  }
  if (slot === undefined)
    return took === 0 && accepted.length === 0 ? undefined : { theorem: 'stale_not_taken', what: correlation };
  if (candidate === undefined)
    return took === 0 && accepted.length === 0 ? undefined : { theorem: 'unknown_not_taken', what: event };
  if (took > 1 || accepted.length > 1) return { theorem: 'decision_once', what: correlation };
  if (took === 0) return undefined;
  if (after.state.slots.some((one) => one.correlation === correlation && one.status === 'open'))
    return { theorem: 'decision_once', what: `${correlation} is still open` };
  const root = before.sessions[0]?.chart;
  const now =
    root === undefined
      ? []
      : select(chart.inner, root, { name: event, data: payload }, { vt_usage: before.usage }).transitions;
  const sound = candidate.transitions.length > 0 && candidate.transitions.every((one) => now.includes(one));
  return sound ? undefined : { theorem: 'decider_safety', what: `${event} took other transitions than were offered` };
}

function replaysLive(machine: AgentMachine, node: Node): boolean {
  let state = machine.empty;
  for (const [index, input] of pathOf(node).entries()) {
    const stored = JSON.parse(JSON.stringify({ state, input })) as { state: AgentState; input: Input };
    state = machine.apply(stored.state, stored.input, index + 1).state;
  }
  return canonicalJson(state as unknown as Json) === canonicalJson(node.state as unknown as Json);
}

function pathOf(node: Node): readonly Input[] {
  const path: Input[] = [];
  for (let one: Node | undefined = node; one !== undefined; one = one.parent) path.unshift(one.input);
  return path;
}

/** Equal for states that differ only in positions, ids and times. */
function nameOf(state: AgentState): string {
  const ids = new Map<string, string>();
  const rename = (id: string) => {
    if (!ids.has(id)) ids.set(id, `c${ids.size}`);
    return ids.get(id) ?? '';
  };
  const sessions = state.sessions.map(({ chart }) => ({
    configuration: chart.configuration,
    data: chart.data,
    status: chart.status,
    timers: chart.timers.map(({ event }) => event),
  }));
  const slots = state.slots.map(({ correlation, due, ...rest }) => ({
    ...rest,
    correlation: rename(correlation),
    due: due !== null,
  }));
  const { accepted, asks, status, usage } = state;
  return digestBytes(JSON.stringify([sessions, slots, accepted, asks, status, usage]));
}

function compiledOf(machine: AgentMachine, definition: ReturnType<typeof definitionOf>) {
  const { dataModel, types } = definition;
  return compileChart(withEntryMarks(machine.chart), {
    ...(dataModel === undefined ? {} : { dataModel }),
    ...(types === undefined ? {} : { types }),
  });
}
