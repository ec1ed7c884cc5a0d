import { createParts, joinParts, type Parts } from './parts.ts';
import type { LinkedView, Links } from './tables.ts';

/** What fits into the marks; after it they start anew. */
const LAST_ROUND = 0x7fff_ffff;

/** How many nodes were reached, the marks that tell from where, and which roots hang together by the edges met so far. */
export type Walk = { readonly count: number; readonly met: Int32Array; readonly parts: Parts };

/**
 * Marks the closure of the roots over transitive relata at any depth, and from there what the roots reach over visible
 * edges inside it. Leaves the reached nodes in `view.order`, breadth-first from the roots.
 */
export function walk(view: LinkedView, roots: readonly number[]): Walk {
  nextRound(view, roots.length);
  const parts = createParts(roots.length);
  const closed = spread({ view, mark: view.mark, edges: view.requires, inside: null, roots, parts });
  if (!hasGatedEdges(view, closed)) return { count: closed, met: view.mark, parts };
  const seen = view.order.slice(0, closed);
  const visibly = createParts(roots.length);
  spread({ view, mark: view.reach, edges: view.visible, inside: view.mark, roots, parts: visibly });
  return { count: keepReached(view, seen), met: view.reach, parts: visibly };
}

function nextRound(view: LinkedView, roots: number): void {
  if (view.nextRound > LAST_ROUND - roots) {
    view.mark.fill(0);
    view.reach.fill(0);
    view.nextRound = 1;
  }
  view.round = view.nextRound;
  view.nextRound += Math.max(roots, 1);
}

type Spread = {
  readonly view: LinkedView;
  readonly mark: Int32Array;
  readonly edges: Links;
  /** Limits the walk to the nodes marked there. */
  readonly inside: Int32Array | null;
  readonly roots: readonly number[];
  readonly parts: Parts;
};

/** Breadth-first from the roots; every node gets the mark of the root from which it was first met. */
function spread({ view, mark, edges, inside, roots, parts }: Spread): number {
  const { order, round } = view;
  const { start, end, target } = edges;
  let count = 0;
  for (let index = 0; index < roots.length; index += 1) {
    const root = roots[index] as number;
    mark[root] = round + index;
    order[count++] = root;
  }
  for (let head = 0; head < count; head += 1) {
    const node = order[head] as number;
    const own = mark[node] as number;
    const last = end[node] as number;
    for (let at = start[node] as number; at < last; at += 1) {
      const to = target[at] as number;
      const seen = mark[to] as number;
      if (seen >= round) {
        if (seen !== own && parts.apart > 0) joinParts(parts, own - round, seen - round);
      } else if (inside === null || (inside[to] as number) >= round) {
        mark[to] = own;
        order[count++] = to;
      }
    }
  }
  return count;
}

function hasGatedEdges(view: LinkedView, count: number): boolean {
  const { order, gated } = view;
  if (gated.size === 0) return false;
  for (let index = 0; index < count; index += 1) {
    const node = order[index] as number;
    if (gated.start[node] !== gated.end[node]) return true;
  }
  return false;
}

function keepReached(view: LinkedView, seen: Int32Array): number {
  let count = 0;
  for (const node of seen) if ((view.reach[node] as number) >= view.round) view.order[count++] = node;
  return count;
}
