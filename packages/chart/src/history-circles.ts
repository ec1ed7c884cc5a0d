import type { ChartNode } from './chart.ts';

type Visit = {
  readonly node: ChartNode;
  readonly next: IterableIterator<ChartNode>;
  readonly number: number;
  /** The first of the visits still open that this one leads back to. */
  low: number;
  isOpen: boolean;
};

/** The histories whose defaults lead back to themselves: what Tarjan's strongly connected components hold, in linear time. */
export function circlingHistories(nodes: readonly ChartNode[]): ReadonlySet<ChartNode> {
  const circling = new Set<ChartNode>();
  if (!nodes.some(({ type }) => type === 'history')) return circling;
  const visits = new Map<ChartNode, Visit>();
  const open: Visit[] = [];
  // A chain of histories may be longer than calls can nest.
  const path: Visit[] = [];
  const begin = (node: ChartNode): void => {
    const { size } = visits;
    const visit = { node, next: targetsOf(node).values(), number: size, low: size, isOpen: true };
    visits.set(node, visit);
    open.push(visit);
    path.push(visit);
  };
  const follow = (visit: Visit, target: ChartNode): void => {
    if (target === visit.node) circling.add(target);
    const known = visits.get(target);
    if (known === undefined) begin(target);
    else if (known.isOpen) visit.low = Math.min(visit.low, known.number);
  };
  const end = (visit: Visit): void => {
    path.pop();
    const before = path.at(-1);
    if (before !== undefined) before.low = Math.min(before.low, visit.low);
    if (visit.low !== visit.number) return;
    const members = open.splice(open.lastIndexOf(visit));
    for (const member of members) {
      member.isOpen = false;
      if (members.length > 1) circling.add(member.node);
    }
  };
  for (const node of nodes) {
    if (node.type === 'history' && !visits.has(node)) begin(node);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { value, done } = visit.next.next();
      if (done === true) end(visit);
      else follow(visit, value);
    }
  }
  return circling;
}

function targetsOf({ initial }: ChartNode): readonly ChartNode[] {
  return initial === undefined ? [] : initial.targets.filter(({ type }) => type === 'history');
}
