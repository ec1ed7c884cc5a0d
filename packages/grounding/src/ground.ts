import type { Edge, GraphView, GroundingResult, Primitive } from '@warrant/core';
import { type CompiledPrimitive, trimPrimitive } from './compile.ts';
import { findGaps } from './gaps.ts';
import { type LinkedView, linkView } from './link.ts';
import { checkQuery, type GroundQuery } from './query.ts';
import { resolveRoots } from './roots.ts';
import { walk } from './walk.ts';

/**
 * Decides whether the concepts are known well enough, from a view that holds at least their closure.
 * Pure: the same view and query give the same result. Its elements are frozen, its lists are new.
 * @throws GROUNDING_QUERY_INVALID for what is not a query.
 * @throws GROUNDING_VIEW_INVALID for a view that no store can give.
 */
export function ground(view: GraphView, query: GroundQuery): GroundingResult {
  checkQuery(query);
  const linked = linkView(view);
  const roots = resolveRoots(linked, query.concepts);
  const count = walk(linked, roots.known);
  const gaps = findGaps({ view: linked, roots, count, minDepth: query.minDepth });
  const pathway: Edge[] = [];
  const primitives: Primitive[] = [];
  for (let index = 0; index < count; index += 1) primitives.push(show(linked, linked.order[index] as number, pathway));
  return {
    grounded: gaps.length === 0 && roots.resolved.length > 0,
    resolved: roots.resolved,
    gaps,
    pathway,
    primitives,
    graph: view.version,
    view: view.digest,
  };
}

/** Adds the node's edges inside the closure to the pathway; gives the node without relata that lead out of it. */
function show(view: LinkedView, node: number, pathway: Edge[]): Primitive {
  const { mark, round, visible } = view;
  const start = visible.start[node] as number;
  const end = visible.start[node + 1] as number;
  let dropped = 0;
  for (let at = start; at < end; at += 1) {
    // A target inside the closure is also reached: the edge is visible and its source was reached.
    if (mark[visible.target[at] as number] === round) pathway.push(visible.edge[at] as Edge);
    else dropped |= 1 << (at - start);
  }
  const compiled = view.nodes[node] as CompiledPrimitive;
  if (dropped === 0) return compiled.capped;
  return trimPrimitive(compiled, dropped, (index) => mark[visible.target[start + index] as number] !== round);
}
