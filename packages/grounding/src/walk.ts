import type { EdgeTable, LinkedView } from './link.ts';
import { createParts, joinParts, type Parts } from './parts.ts';

/** What fits into the marks; after it they start anew. */
const LAST_ROUND = 0x7fff_ffff;

/** How many nodes were reached, and which roots hang together by the edges met so far. */
export type Walk = { readonly count: number; readonly parts: Parts };

/**
 * Marks the closure of the roots over transitive relata at any depth, and from there what the roots reach over visible
 * edges inside it. Leaves the reached nodes in `view.order`, breadth-first from the roots.
 */
export function walk(view: LinkedView, roots: readonly number[]): Walk {
  nextRound(view);
  const parts = createParts(roots.length);
  const closed = spread({ view, mark: view.mark, edges: view.requires, inside: null, roots, parts });
  if (!hasGatedEdges(view, closed)) return { count: closed, parts };
  const seen = view.order.slice(0, closed);
  const visibly = createParts(roots.length);
  spread({ view, mark: view.reach, edges: view.visible, inside: view.mark, roots, parts: visibly });
  return { count: keepReached(view, seen), parts: visibly };
}

function nextRound(view: LinkedView): void {
  if (view.round === LAST_ROUND) {
    view.mark.fill(0);
    view.reach.fill(0);
    view.round = 0;
  }
  view.round += 1;
}

type Spread = {
  readonly view: LinkedView;
  readonly mark: Int32Array;
  readonly edges: Pick<EdgeTable, 'start' | 'target'>;
  /** Limits the walk to the nodes marked there. */
  readonly inside: Int32Array | null;
  readonly roots: readonly number[];
  readonly parts: Parts;
};

/** Breadth-first from the roots; every node gets the label of the root from which it was first met. */
function spread({ view, mark, edges, inside, roots, parts }: Spread): number {
  const { order, label, round } = view;
  const { start, target } = edges;
  let count = 0;
  for (let index = 0; index < roots.length; index += 1) {
    const root = roots[index] as number;
    mark[root] = round;
    label[root] = index;
    order[count++] = root;
  }
  for (let head = 0; head < count; head += 1) {
    const node = order[head] as number;
    const own = label[node] as number;
    const end = start[node + 1] as number;
    for (let at = start[node] as number; at < end; at += 1) {
      const to = target[at] as number;
      if (mark[to] === round) {
        if (parts.apart > 0 && label[to] !== own) joinParts(parts, own, label[to] as number);
      } else if (inside === null || inside[to] === round) {
        mark[to] = round;
        label[to] = own;
        order[count++] = to;
      }
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
