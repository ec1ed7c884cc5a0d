import type { Chart, ChartIr, ChartNode, ChartState, Scope } from '@warrant/chart';
import { isWarrantError, type Json, type JsonObject } from '@warrant/core';
import type { Migration, ReviewData } from '../input.ts';
import { ROOT, type SessionState } from '../state.ts';
import { addTo, type Counts } from './counts.ts';
import { type AgentCompileOptions, compileProgram, type Program } from './program.ts';
import { noteEntered, putSession, rootOf, type Turn, tell } from './turn.ts';

/** A reviewed chart version: takes the place of the running one if its stored state can be carried over, else nothing changes. */
export function takeReview(turn: Turn, review: ReviewData): void {
  const reject = (reason: string): void => {
    turn.facts.push({ type: 'version', outcome: 'rejected', proposal: review.proposal, program: null, reason });
    tell(turn, ROOT, 'vt.self-modification.rejected', { proposal: review.proposal, reason });
  };
  if (review.decision === 'rejected') return reject(review.reason ?? 'rejected');
  const root = rootOf(turn) as SessionState;
  // Every other chart was invoked by the root, or by one that was.
  if (root.chart.invokes.length > 0) return reject('busy');
  try {
    // Compiled by itself: a version that is refused must leave no trace.
    const ir = review.chart as ChartIr;
    const program = programFor(ir, withoutPlaces(turn));
    if (program === undefined) return reject('no-chart');
    const { migration = {} } = review;
    const chart = migrateState(root.chart, program.chart, migration);
    if (typeof chart === 'string') return reject(chart);
    // What a state invokes begins as it is entered, and nothing is entered here.
    if (chart.configuration.some((id) => (program.chart.byId.get(id) as ChartNode).invokes.length > 0))
      return reject('not-invoked');
    turn.version = ir;
    turn.accepted = countsUnder(migration, turn.accepted);
    turn.asks = countsUnder(migration, turn.asks);
    putSession(turn, { ...root, chart });
    for (const { state } of program.bindings) noteEntered(turn, state);
    turn.facts.push({ type: 'version', outcome: 'accepted', proposal: review.proposal, program: program.digest });
    tell(turn, ROOT, 'vt.self-modification.accepted', { proposal: review.proposal });
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    reject(error.code.toLowerCase().replaceAll('_', '-'));
  }
}

/** Undefined for what has not even the form of a chart. */
function programFor(ir: ChartIr, options: AgentCompileOptions): Program | undefined {
  try {
    return compileProgram(ir, options);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function withoutPlaces(turn: Turn) {
  const { placeOf: _, ...options } = turn.machinery.options;
  return options;
}

function nameUnder({ states = {} }: Migration, id: string): string {
  return Object.hasOwn(states, id) ? (states[id] as string) : id;
}

/** What a decide state was asked and decided counts under its new name: its bounds are over the agent's life. */
function countsUnder(migration: Migration, counts: Counts): Counts {
  return Object.entries(counts).reduce<Counts>(
    (sums, [key, count]) => addTo(sums, nameUnder(migration, key), count),
    {},
  );
}

/** The state under the new version, or why there is none. */
export function migrateState(state: ChartState, chart: Chart, migration: Migration): ChartState | string {
  const renamed = (id: string) => nameUnder(migration, id);
  const configuration = state.configuration.map(renamed);
  if (!isLegal(chart, configuration)) return 'illegal-configuration';
  const { assign = [] } = migration;
  if (!assign.every(({ location }) => itemsOf(chart).some(({ id }) => id === itemAt(location)))) return 'unknown-data';
  const history = Object.fromEntries(
    Object.entries(state.history)
      .map(([id, states]) => [renamed(id), states.map(renamed)] as const)
      .filter(([id, states]) => isRemembered(chart, id, states)),
  );
  return {
    ...state,
    chart: chart.digest,
    configuration: chart.nodes.filter(({ id }) => configuration.includes(id)).map(({ id }) => id),
    history,
    data: migrateData(state, chart, migration),
    bound: state.bound.map(renamed),
  };
}

/** Whether a history may lead back to these states: to some that can be active together below what it is the history of. */
function isRemembered(chart: Chart, id: string, states: readonly string[]): boolean {
  const history = chart.byId.get(id);
  const nodes = states.map((one) => chart.byId.get(one)).filter((one) => one !== undefined);
  if (history?.type !== 'history' || new Set(nodes).size < states.length) return false;
  const top = history.parent as ChartNode;
  if (!nodes.every(({ index }) => index > top.index && index <= top.last)) return false;
  if (!history.deep) return nodes.every(({ parent }) => parent === top) && isWhole(top, new Set(states));
  if (nodes.some(({ children }) => children.length > 0)) return false;
  const active = new Set(nodes.flatMap((node) => [...upTo(node, top)]).map((node) => node.id));
  return active.has(top.id) && chart.nodes.every((node) => !active.has(node.id) || isWhole(node, active));
}

/** A node and what is around it, up to another one. */
function* upTo(node: ChartNode, top: ChartNode): Generator<ChartNode> {
  for (let one = node; one !== top; one = one.parent as ChartNode) yield one;
  yield top;
}

function itemsOf(chart: Chart): ChartNode['data'] {
  return chart.nodes.flatMap(({ data }) => data);
}

function itemAt(location: string): string {
  return location.replace(/^ctx[.]/, '');
}

/** Old data stay, new data items begin as a chart begins with them, assignments come last and see the old data. */
function migrateData(state: ChartState, chart: Chart, { assign = [], drop }: Migration): JsonObject {
  const scopeOf = (data: JsonObject): Scope => ({
    data,
    event: null,
    session: { id: state.session, name: state.name },
    isActive: (id) => state.configuration.includes(id),
    variables: {},
  });
  const evaluate = (expr: string) => chart.dataModel.expression(expr).evaluate(scopeOf(state.data));
  let data = Object.fromEntries(Object.entries(state.data).filter(([name]) => drop?.includes(name) !== true));
  for (const { id, value } of itemsOf(chart)) {
    if (!Object.hasOwn(data, id)) data = { ...data, [id]: firstValue(value, scopeOf(data)) };
  }
  return { ...data, ...Object.fromEntries(assign.map(({ location, expr }) => [itemAt(location), evaluate(expr)])) };
}

function firstValue(value: ChartNode['data'][number]['value'], scope: Scope): Json {
  if (value === undefined) return null;
  return 'json' in value ? value.json : value.evaluate(scope);
}

/** Exactly the states that can be active together: one child of each compound, all regions of each parallel, every ancestor (standard 3.11). */
export function isLegal(chart: Chart, configuration: readonly string[]): boolean {
  const active = new Set(configuration);
  if (active.size !== configuration.length) return false;
  for (const id of active) {
    const node = chart.byId.get(id);
    if (node === undefined || node.index === 0 || node.type === 'history') return false;
    const { index, id: parent } = node.parent as ChartNode;
    // Whoever is there has come to the end.
    if (index === 0 && node.type === 'final') return false;
    if (index !== 0 && !active.has(parent)) return false;
  }
  return chart.nodes.every((node) => (node.index !== 0 && !active.has(node.id)) || isWhole(node, active));
}

function isWhole({ children, type }: ChartNode, active: ReadonlySet<string>): boolean {
  const states = children.filter((child) => child.type !== 'history');
  const count = states.filter(({ id }) => active.has(id)).length;
  return count === (type === 'compound' ? 1 : states.length);
}
