import type { Chart, ChartState, Scope } from '@warrant/chart';
import { isWarrantError, type Json } from '@warrant/core';
import type { Migration, ReviewData } from '../input.ts';
import { ROOT, type SessionState } from '../state.ts';
import { addTo, type Counts } from './counts.ts';
import { compileProgram } from './program.ts';
import { putSession, rootOf, type Turn, tell } from './turn.ts';

/** A reviewed chart version: takes the place of the running one if its stored state can be carried over, else nothing changes. */
export function takeReview(turn: Turn, review: ReviewData): void {
  const reject = (reason: string): void => {
    turn.facts.push({ type: 'version', outcome: 'rejected', proposal: review.proposal, program: null, reason });
    tell(turn, ROOT, 'vt.self-modification.rejected', { proposal: review.proposal, reason });
  };
  if (review.decision === 'rejected') return reject(review.reason ?? 'rejected');
  if (review.chart === undefined) return reject('no-chart');
  const root = rootOf(turn) as SessionState;
  if (turn.sessions.length > 1 || root.chart.invokes.length > 0) return reject('busy');
  try {
    // Compiled by itself: a version that is refused must leave no trace.
    const program = compileProgram(review.chart, withoutPlaces(turn));
    const { migration = {} } = review;
    const chart = migrateState(root.chart, program.chart, migration);
    if (typeof chart === 'string') return reject(chart);
    turn.version = review.chart;
    turn.accepted = countsUnder(migration, turn.accepted);
    turn.asks = countsUnder(migration, turn.asks);
    putSession(turn, { ...root, chart });
    for (const { state } of program.bindings) turn.entered.add(state);
    turn.facts.push({ type: 'version', outcome: 'accepted', proposal: review.proposal, program: program.digest });
    tell(turn, ROOT, 'vt.self-modification.accepted', { proposal: review.proposal });
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    reject(error.code.toLowerCase().replaceAll('_', '-'));
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
  const history = Object.fromEntries(
    Object.entries(state.history)
      .map(([id, states]) => [renamed(id), states.map(renamed)] as const)
      .filter(([id, states]) => chart.byId.has(id) && states.every((one) => chart.byId.has(one))),
  );
  return {
    ...state,
    chart: chart.digest,
    configuration: chart.nodes.filter(({ id }) => configuration.includes(id)).map(({ id }) => id),
    history,
    data: migrateData(state, chart, migration),
    bound: state.bound.map(renamed).filter((id) => chart.byId.has(id)),
  };
}

/** Old data stay, new data items begin with their written value, assignments come last and see the old data. */
function migrateData(state: ChartState, chart: Chart, { assign = [], drop = [] }: Migration): ChartState['data'] {
  const kept = Object.entries(state.data).filter(([name]) => !drop.includes(name));
  const fresh = chart.nodes.flatMap((node) =>
    node.data.map(({ id, value }): [string, Json] => [id, value !== undefined && 'json' in value ? value.json : null]),
  );
  const scope: Scope = {
    data: state.data,
    event: null,
    session: { id: state.session, name: state.name },
    isActive: (id) => state.configuration.includes(id),
    variables: {},
  };
  const set = assign.map(({ location, expr }): [string, Json] => [
    location.replace(/^ctx[.]/, ''),
    chart.dataModel.expression(expr).evaluate(scope),
  ]);
  return Object.fromEntries([...fresh, ...kept, ...set]);
}

/** Exactly the states that can be active together: one child of each compound, all regions of each parallel, every ancestor (standard 3.11). */
export function isLegal(chart: Chart, configuration: readonly string[]): boolean {
  const active = new Set(configuration);
  if (active.size !== configuration.length || active.size === 0) return false;
  for (const id of active) {
    const node = chart.byId.get(id);
    if (node === undefined || node.index === 0 || node.type === 'history') return false;
    if (node.parent !== undefined && node.parent.index !== 0 && !active.has(node.parent.id)) return false;
  }
  return chart.nodes.every((node) => {
    if (node.index !== 0 && !active.has(node.id)) return true;
    const children = node.children.filter(({ type }) => type !== 'history');
    const count = children.filter(({ id }) => active.has(id)).length;
    if (node.type === 'compound') return count === 1;
    return node.type !== 'parallel' || count === children.length;
  });
}
