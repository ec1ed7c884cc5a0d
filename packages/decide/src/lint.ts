import { type Chart, type ChartFault, matchesDescriptor, type PlaceOf } from '@warrant/chart';
import { readBindings } from './binding.ts';

/** What in an agent's chart can hardly be meant: a decide state that nobody wakes when its decider is silent or answers badly. */
export function lintAgentChart(chart: Chart, options: { readonly placeOf?: PlaceOf } = {}): readonly ChartFault[] {
  return readBindings(chart.ir).bindings.flatMap((binding): readonly ChartFault[] => {
    if (binding.deadlineMs !== null) return [];
    for (let node = chart.byId.get(binding.state); node !== undefined; node = node.parent) {
      const handled = node.transitions.some(({ events }) =>
        events.some((descriptor) => matchesDescriptor(descriptor, 'error.decide.invalid')),
      );
      if (handled) return [];
    }
    const message = `'${binding.state}' waits for ever when its answer is lost or not accepted: give it a deadline, or a transition on error.decide.invalid`;
    return [{ code: 'decide-waits', path: binding.path, message, ...options.placeOf?.(binding.path) }];
  });
}
