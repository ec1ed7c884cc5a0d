import type { ChartNode } from './chart.ts';

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
  const [root] = nodes;
  if (root !== undefined) visit(root);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.parent !== undefined) visit(node.parent);
    // What a history remembers was reached before, by another way.
    if (node.type === 'parallel') for (const region of node.children) if (region.type !== 'history') visit(region);
    const byDefault = node.initial?.targets ?? NOTHING;
    for (const target of byDefault) visit(target);
    if (byDefault.length === 0) for (const child of unledChildren(node)) visit(child);
    for (const transition of node.transitions) for (const target of transition.targets) visit(target);
  }
  return found;
}

const NOTHING: readonly ChartNode[] = [];

/** Where a default could lead that the node should have and has not. */
function unledChildren({ type, children, parent }: ChartNode): readonly ChartNode[] {
  if (type === 'history') return parent?.children ?? NOTHING;
  return type === 'compound' ? children : NOTHING;
}
