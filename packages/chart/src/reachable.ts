import type { ChartNode, Transition } from './chart.ts';

/**
 * Whether each node, by its index, can ever be active, by what transitions and defaults lead to; conditions are taken as
 * possible. A default that is missing, which is a fault of its own, may lead to any child.
 */
export function reachableNodes(nodes: readonly ChartNode[]): readonly boolean[] {
  const found = nodes.map(() => false);
  const waiting: ChartNode[] = [];
  const visit = (node: ChartNode): void => {
    if (found[node.index] === true) return;
    found[node.index] = true;
    waiting.push(node);
  };
  const visitAll = (all: readonly ChartNode[]): void => {
    for (let at = 0; at < all.length; at += 1) visit(all[at] as ChartNode);
  };
  visitAll(nodes.slice(0, 1));
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.parent !== undefined) visit(node.parent);
    // What a history remembers was reached before, by another way.
    if (node.type === 'parallel') visitAll(node.children.filter(({ type }) => type !== 'history'));
    const byDefault = node.initial?.targets ?? NOTHING;
    visitAll(byDefault.length === 0 ? unledChildren(node) : byDefault);
    const { transitions } = node;
    for (let at = 0; at < transitions.length; at += 1) visitAll((transitions[at] as Transition).targets);
  }
  return found;
}

const NOTHING: readonly ChartNode[] = [];

/** Where a default could lead that the node should have and has not. */
function unledChildren({ type, children, parent }: ChartNode): readonly ChartNode[] {
  if (type === 'history') return parent?.children ?? NOTHING;
  return type === 'compound' ? children : NOTHING;
}
