import type { Action, ChartIr, StateIr } from '@warrant/chart';
import { readBindings } from './binding.ts';

const ENTERED = 'urn:warrant:decide:entered ';

/** The chart with a mark at the entry of each decide state, so that a step tells which were entered anew. */
export function withEntryMarks(chart: ChartIr): ChartIr {
  const paths = new Map(readBindings(chart).bindings.map(({ path, state }) => [path, state]));
  if (paths.size === 0) return chart;
  return { ...chart, states: chart.states.map((state, index) => mark(state, `/states/${index}`, paths)) };
}

function mark(state: StateIr, path: string, paths: ReadonlyMap<string, string>): StateIr {
  const states = state.states.map((child, index) => mark(child, `${path}/states/${index}`, paths));
  const id = paths.get(path);
  if (id === undefined) return { ...state, states };
  const action: Action = { type: 'log', label: ENTERED + id };
  return { ...state, states, onEntry: [[action], ...state.onEntry] };
}

/** The decide state that a log effect marks as entered, if it is such a mark. */
export function enteredBy(label: string | null): string | undefined {
  return label?.startsWith(ENTERED) === true ? label.slice(ENTERED.length) : undefined;
}
