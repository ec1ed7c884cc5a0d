import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import type { HistoryOf } from './select.ts';

/** The states that a transition leads to, histories replaced by what they stand for. */
export function effectiveTargets(transition: Transition, historyOf: HistoryOf): readonly ChartNode[] {
  const found = new Set<ChartNode>();
  for (const target of transition.targets) {
    if (target.type !== 'history') found.add(target);
    else {
      const remembered = historyOf(target) ?? effectiveTargets(target.initial as Transition, historyOf);
      for (const node of remembered) found.add(node);
    }
  }
  return [...found];
}

/** The innermost compound state that stays active through the transition (standard, getTransitionDomain). */
export function transitionDomain(transition: Transition, historyOf: HistoryOf): ChartNode | undefined {
  const targets = effectiveTargets(transition, historyOf);
  if (targets.length === 0) return undefined;
  const { source } = transition;
  if (transition.internal && source.type === 'compound' && targets.every((target) => isDescendant(target, source)))
    return source;
  return leastCommonCompound([source, ...targets]);
}

/** Of the proper ancestors of the first that are compound (or the chart), the innermost that holds all others. */
function leastCommonCompound(nodes: readonly ChartNode[]): ChartNode {
  const [first, ...others] = nodes as [ChartNode, ...ChartNode[]];
  let ancestor = first.parent;
  while (ancestor !== undefined) {
    const holder = ancestor;
    if (holder.type === 'compound' && others.every((node) => isDescendant(node, holder))) return holder;
    ancestor = ancestor.parent;
  }
  return first;
}

/** The domain of a transition in some state of the chart. */
export type DomainOf = (transition: Transition) => ChartNode | undefined;

/** The domains of those transitions that lead somewhere. */
export function domainsOf(transitions: readonly Transition[], domainOf: DomainOf): readonly ChartNode[] {
  const domains: ChartNode[] = [];
  for (const transition of transitions) {
    const domain = domainOf(transition);
    if (domain !== undefined) domains.push(domain);
  }
  return domains;
}

export function isInside(node: ChartNode, domains: readonly ChartNode[]): boolean {
  for (const domain of domains) if (isDescendant(node, domain)) return true;
  return false;
}

/** The active states that a transition leaves, in document order. */
export function exitSet(
  transition: Transition,
  configuration: readonly ChartNode[],
  domainOf: DomainOf,
): readonly ChartNode[] {
  const domains = domainsOf([transition], domainOf);
  return configuration.filter((node) => isInside(node, domains));
}
