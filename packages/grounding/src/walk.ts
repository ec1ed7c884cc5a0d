import type { EdgeTable, LinkedView } from './link.ts';

/** What fits into the marks; after it they start anew. */
const LAST_ROUND = 0x7fff_ffff;

/**
 * Marks the closure of the roots over transitive relata at any depth, and from there what the roots reach over visible
 * edges inside it. Leaves the reached nodes in `view.order`, breadth-first from the roots, and returns how many there are.
 */
export function walk(view: LinkedView, roots: readonly number[]): number {
  if (view.round === LAST_ROUND) {
    view.mark.fill(0);
    view.reach.fill(0);
    view.round = 0;
  }
  view.round += 1;
  const closed = spread(view.order, view.mark, view.round, roots, view.requires, null);
  if (!hasGatedEdges(view, closed)) return closed;
  const seen = view.order.slice(0, closed);
  spread(view.order, view.reach, view.round, roots, view.visible, view.mark);
  return keepReached(view, seen);
}

/** Breadth-first from the roots; `inside` limits it to the nodes of the same round there. */
function spread(
  order: Int32Array,
  mark: Int32Array,
  round: number,
  roots: readonly number[],
  edges: Pick<EdgeTable, 'start' | 'target'>,
  inside: Int32Array | null,
): number {
  const { start, target } = edges;
  let count = 0;
  for (let index = 0; index < roots.length; index += 1) {
    mark[roots[index] as number] = round;
    order[count++] = roots[index] as number;
  }
  for (let head = 0; head < count; head += 1) {
    const node = order[head] as number;
    const end = start[node + 1] as number;
    for (let at = start[node] as number; at < end; at += 1) {
      const to = target[at] as number;
      if (mark[to] === round || (inside !== null && inside[to] !== round)) continue;
      mark[to] = round;
      order[count++] = to;
    }
  }
  return count;
}

function hasGatedEdges(view: LinkedView, count: number): boolean {
  const { order, gated } = view;
  if (gated.edge.length === 0) return false;
  for (let index = 0; index < count; index += 1) {
    const node = order[index] as number;
    if (gated.start[node] !== gated.start[node + 1]) return true;
  }
  return false;
}

function keepReached(view: LinkedView, seen: Int32Array): number {
  let count = 0;
  for (const node of seen) if (view.reach[node] === view.round) view.order[count++] = node;
  return count;
}
