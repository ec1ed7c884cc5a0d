import type { ChartNode } from './chart.ts';

/** The nodes that can ever be active, by what transitions and defaults lead to; conditions are taken as possible. */
export function reachableNodes(nodes: readonly ChartNode[]): ReadonlySet<ChartNode> {
  const found = new Set<ChartNode>();
  const waiting: ChartNode[] = [];
  const visit = (node: ChartNode): void => {
    if (found.has(node)) return;
    found.add(node);
    waiting.push(node);
  };
  const [root] = nodes;
  if (root !== undefined) visit(root);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.parent !== undefined) visit(node.parent);
    for (const next of entered(node)) visit(next);
    for (const transition of node.transitions) for (const target of transition.targets) visit(target);
  }
  return found;
}

/** What becomes active with the node. What a history remembers was reached before, by another way. */
function entered(node: ChartNode): readonly ChartNode[] {
  if (node.type === 'parallel') return node.children.filter((child) => child.type !== 'history');
  return node.initial?.targets ?? [];
}
