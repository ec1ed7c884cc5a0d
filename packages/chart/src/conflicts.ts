import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import { exitSet } from './domain.ts';
import type { HistoryOf } from './select.ts';

/** Drops transitions that would leave the same state as another: the one whose source lies deeper wins, else the earlier one (standard, removeConflictingTransitions). */
export function removeConflicts(
  enabled: readonly Transition[],
  configuration: readonly ChartNode[],
  historyOf: HistoryOf,
): readonly Transition[] {
  const exits = new Map(
    enabled.map((transition) => [transition, new Set(exitSet([transition], configuration, historyOf))]),
  );
  const kept = new Set<Transition>();
  for (const candidate of enabled) {
    const rivals = [...kept].filter((other) =>
      intersects(exits.get(candidate) as Set<ChartNode>, exits.get(other) as Set<ChartNode>),
    );
    if (!rivals.every((rival) => isDescendant(candidate.source, rival.source))) continue;
    for (const rival of rivals) kept.delete(rival);
    kept.add(candidate);
  }
  return [...kept].sort((a, b) => a.order - b.order);
}

function intersects(a: ReadonlySet<ChartNode>, b: ReadonlySet<ChartNode>): boolean {
  for (const node of a) if (b.has(node)) return true;
  return false;
}
