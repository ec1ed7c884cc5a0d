import type { GraphView, GroundingResult } from '@warrant/core';
import { collect } from './collect.ts';
import { findGaps } from './gaps.ts';
import { linkView } from './link.ts';
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
  const walked = walk(linked, roots.known);
  const { pathway, primitives, suspects } = collect(linked, walked);
  const gaps = findGaps({ view: linked, roots, walk: walked, suspects, minDepth: query.minDepth });
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
