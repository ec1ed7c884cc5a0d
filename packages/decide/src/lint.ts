import {
  type Chart,
  type ChartFault,
  type ChartIr,
  matchesDescriptor,
  type PlaceOf,
  type StateIr,
} from '@warrant/chart';
import { type DecideBinding, eachState, readBindings } from './binding.ts';
import { invokedCharts } from './machine/invoked-charts.ts';

/** What in an agent's chart, and in those that it invokes, can hardly be meant: a decide state that nobody wakes when its decider is silent or answers badly. */
export function lintAgentChart(chart: Chart, options: { readonly placeOf?: PlaceOf } = {}): readonly ChartFault[] {
  const charts = [{ ir: chart.ir, path: '' }, ...invokedCharts(chart.ir, chart)];
  return charts.flatMap(({ ir, path }) =>
    waitingIn(ir).map((binding) => {
      const place = `${path}${binding.path}`;
      const message = `'${binding.state}' waits for ever when its answer is lost or not accepted: give it a deadline, or a transition on error.decide.invalid`;
      return { code: 'decide-waits', path: place, message, ...options.placeOf?.(place) };
    }),
  );
}

function waitingIn(ir: ChartIr): readonly DecideBinding[] {
  const byPath = new Map<string, StateIr>();
  eachState(ir, (state, _, path) => byPath.set(path, state));
  return readBindings(ir).bindings.filter((binding) => {
    if (binding.deadlineMs !== null) return false;
    for (let path = binding.path; path !== ''; path = path.replace(/\/states\/\d+$/, ''))
      if (byPath.get(path)?.transitions.some(hearsInvalid) === true) return false;
    return true;
  });
}

function hearsInvalid({ events }: StateIr['transitions'][number]): boolean {
  return events.some((descriptor) => matchesDescriptor(descriptor, 'error.decide.invalid'));
}
