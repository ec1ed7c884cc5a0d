import type { Chart, ChartNode, Transition } from './chart.ts';
import { type DomainOf, transitionDomain } from './domain.ts';
import { type EntrySet, entrySet } from './entry-set.ts';
import type { HistoryOf } from './select.ts';

/** What a transition leaves and enters where no history has a say in it: the same whatever the state of the chart. */
export type Plan = EntrySet & {
  readonly domain: ChartNode | undefined;
  /** The states to enter, in document order. */
  readonly entered: readonly ChartNode[];
  /** Whether entering runs nothing, announces nothing and invokes nothing. */
  readonly entersQuietly: boolean;
};

/** The plan of a transition; none when it depends on what a history remembers. */
export function planOf(chart: Chart, transition: Transition): Plan | undefined {
  const known = chart.plans.get(transition);
  if (known !== undefined) return known === 'depends' ? undefined : known;
  const plan = makePlan(chart, transition);
  chart.plans.set(transition, plan ?? 'depends');
  return plan;
}

function makePlan(chart: Chart, transition: Transition): Plan | undefined {
  let asked = false;
  const historyOf: HistoryOf = () => {
    asked = true;
    return undefined;
  };
  const domain = transitionDomain(transition, historyOf);
  const set = entrySet([transition], historyOf);
  if (asked) return undefined;
  const entered = inDocumentOrder(set.states);
  return { ...set, domain, entered, entersQuietly: entered.every((node) => isQuiet(chart, node, set)) };
}

function isQuiet(chart: Chart, node: ChartNode, { byDefault }: EntrySet): boolean {
  if (node.type === 'final' || node.onEntry.length > 0 || node.invokes.length > 0) return false;
  if (chart.binding === 'late' && node.data.length > 0) return false;
  return !byDefault.has(node) || node.initial === undefined || node.initial.content.length === 0;
}

export function inDocumentOrder(nodes: Iterable<ChartNode>): readonly ChartNode[] {
  return [...nodes].sort((a, b) => a.index - b.index);
}

/** Reads domains from plans where there are some. */
export function plannedDomain(chart: Chart, historyOf: HistoryOf): DomainOf {
  return (transition) => {
    const plan = planOf(chart, transition);
    return plan === undefined ? transitionDomain(transition, historyOf) : plan.domain;
  };
}
