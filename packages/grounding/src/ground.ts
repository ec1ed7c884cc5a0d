import type { GraphView, GroundingResult, InformedPart } from '@warrant/core';
import { collect } from './collect.ts';
import { findGaps } from './gaps.ts';
import { linkView } from './link.ts';
import { checkQuery, type GroundQuery } from './query.ts';
import { resolveRoots } from './roots.ts';
import type { LinkedView } from './tables.ts';
import { walk } from './walk.ts';

/** What is decided of a query, apart from the names of the graph and the view it was decided on. */
export type Decision = Omit<GroundingResult, 'graph' | 'view'>;

/**
 * Decides whether the concepts are known well enough, from a view that holds at least their closure.
 * Pure: the same view and query give the same result. Its elements are frozen, its lists are new.
 * @throws GROUNDING_QUERY_INVALID for what is not a query.
 * @throws GROUNDING_VIEW_INVALID for a view that no store can give.
 */
export function ground(view: GraphView, query: GroundQuery): GroundingResult {
  checkQuery(query);
  const { grounded, resolved, gaps, pathway, primitives, informed } = decide(linkView(view), query);
  const result = { grounded, resolved, gaps, pathway, primitives, graph: view.version, view: view.digest };
  return informed === undefined ? result : { ...result, informed };
}

/** The same over linked primitives, for a query that was checked. */
export function decide(view: LinkedView, { concepts, minDepth }: GroundQuery): Decision {
  const roots = resolveRoots(view, concepts);
  const walked = walk(view, roots.known);
  const { pathway, primitives, suspects } = collect(view, walked);
  const gaps = findGaps({ view, roots, walk: walked, suspects, minDepth });
  const grounded = gaps.length === 0 && roots.resolved.length > 0;
  const decision = { grounded, resolved: roots.resolved, gaps, pathway, primitives };
  return view.informs ? { ...decision, ...informedOf(view, walked.count) } : decision;
}

/** What peers told about the reached concepts; absent where there is nothing. */
function informedOf(view: LinkedView, count: number): { readonly informed?: readonly InformedPart[] } {
  const reached = Array.from(view.order.subarray(0, count), (node) => view.nodes[node]);
  const informed = reached.flatMap((node) => node?.informed ?? []);
  return informed.length === 0 ? {} : { informed };
}
