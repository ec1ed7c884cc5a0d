import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import { effectiveTargets, transitionDomain } from './domain.ts';
import type { HistoryOf } from './select.ts';

/** What a set of transitions enters (standard, computeEntrySet). Compound states and histories of a chart that compiled have their defaults. */
export type EntrySet = {
  readonly states: Set<ChartNode>;
  /** Compound states entered by their initial transition, whose content runs after their own entry. */
  readonly byDefault: Set<ChartNode>;
  /** Content of a history's default transition, to run after the entry of the history's parent. */
  readonly historyContent: Map<ChartNode, Transition>;
};

export function entrySet(transitions: readonly Transition[], historyOf: HistoryOf): EntrySet {
  const set: EntrySet = { states: new Set(), byDefault: new Set(), historyContent: new Map() };
  for (const transition of transitions) {
    for (const target of transition.targets) addDescendants(set, target, historyOf);
    const domain = transitionDomain(transition, historyOf);
    if (domain === undefined) continue;
    for (const target of effectiveTargets(transition, historyOf)) addAncestors(set, target, domain, historyOf);
  }
  return set;
}

function addDescendants(set: EntrySet, node: ChartNode, historyOf: HistoryOf): void {
  if (node.type === 'history') return addHistory(set, node, historyOf);
  set.states.add(node);
  if (node.type === 'compound') {
    set.byDefault.add(node);
    const { targets } = node.initial as Transition;
    for (const target of targets) addDescendants(set, target, historyOf);
    for (const target of targets) addAncestors(set, target, node, historyOf);
  }
  if (node.type === 'parallel') addRegions(set, node, historyOf);
}

function addHistory(set: EntrySet, history: ChartNode, historyOf: HistoryOf): void {
  const parent = history.parent as ChartNode;
  const byDefault = history.initial as Transition;
  const remembered = historyOf(history);
  const targets = remembered ?? byDefault.targets;
  if (remembered === undefined) set.historyContent.set(parent, byDefault);
  for (const target of targets) addDescendants(set, target, historyOf);
  for (const target of targets) addAncestors(set, target, parent, historyOf);
}

function addAncestors(set: EntrySet, node: ChartNode, domain: ChartNode, historyOf: HistoryOf): void {
  for (
    let ancestor = node.parent;
    ancestor !== undefined && isDescendant(ancestor, domain);
    ancestor = ancestor.parent
  ) {
    set.states.add(ancestor);
    if (ancestor.type === 'parallel') addRegions(set, ancestor, historyOf);
  }
}

function addRegions(set: EntrySet, parallel: ChartNode, historyOf: HistoryOf): void {
  for (const region of parallel.children) {
    if (region.type === 'history') continue;
    if (!hasInside(set.states, region)) addDescendants(set, region, historyOf);
  }
}

function hasInside(states: ReadonlySet<ChartNode>, region: ChartNode): boolean {
  for (const entered of states) if (isDescendant(entered, region)) return true;
  return false;
}
