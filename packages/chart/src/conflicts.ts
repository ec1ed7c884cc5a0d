import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import type { DomainOf } from './domain.ts';

type Candidate = { readonly transition: Transition; readonly domain: ChartNode | undefined };

/** Drops transitions that would leave the same state as another: the one whose source lies deeper wins, else the earlier one (standard, removeConflictingTransitions). */
export function removeConflicts(enabled: readonly Transition[], domainOf: DomainOf): readonly Transition[] {
  let kept: readonly Candidate[] = [];
  for (const transition of enabled) {
    const candidate = { transition, domain: domainOf(transition) };
    const rivals = kept.filter((other) => areRivals(candidate, other));
    if (!rivals.every((rival) => isDescendant(transition.source, rival.transition.source))) continue;
    kept = [...kept.filter((other) => !rivals.includes(other)), candidate];
  }
  return kept.map(({ transition }) => transition).sort((a, b) => a.order - b.order);
}

/** Domains are active and compound, so each has an active state inside: the exit sets meet exactly when one domain holds the other. */
function areRivals({ domain: one }: Candidate, { domain: other }: Candidate): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || isDescendant(one, other) || isDescendant(other, one);
}
