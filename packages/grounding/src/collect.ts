import type { Edge, Primitive } from '@warrant/core';
import { type CompiledPrimitive, trimPrimitive } from './compile.ts';
import { joinParts } from './parts.ts';
import { FORM_BITS, FORM_EDGES, type LinkedView } from './tables.ts';
import type { Walk } from './walk.ts';

/** What a result shows of the reached nodes. */
export type Collected = { readonly pathway: Edge[]; readonly primitives: Primitive[]; readonly suspects: number[] };

/** A guess at the edges of a concept, so that the list seldom grows. */
const LIKELY_EDGES = 3;

/** Gathers the reached primitives and the visible edges between them; notes the nodes where a gap may lie. */
export function collect(view: LinkedView, walk: Walk): Collected {
  const { count } = walk;
  if (walk.parts.apart > 0) joinLoose(view, walk);
  const { order, mark, round, suspect, forms, formStart, loose } = view;
  const { start, end, target, edge } = view.visible;
  const pathway: Edge[] = [];
  const primitives: Primitive[] = [];
  pathway.length = count * LIKELY_EDGES;
  primitives.length = count;
  const suspects: number[] = [];
  let steps = 0;
  for (let index = 0; index < count; index += 1) {
    const node = order[index] as number;
    const first = loose[node] as number;
    const last = end[node] as number;
    for (let at = start[node] as number; at < first; at += 1) pathway[steps++] = edge[at] as Edge;
    let dropped = 0;
    for (let at = first; at < last; at += 1) {
      // A target inside the closure is also reached: the edge is visible and its source was reached.
      if ((mark[target[at] as number] as number) >= round) pathway[steps++] = edge[at] as Edge;
      else dropped |= 1 << (at - first);
    }
    primitives[index] = forms[(formStart[node] as number) + (dropped & FORM_BITS)] ?? trimmed(view, node, dropped);
    if (suspect[node] === 1) suspects.push(node);
  }
  pathway.length = steps;
  return { pathway, primitives, suspects };
}

/** Edges that pull nothing into the closure connect all the same; the walk went over the others. */
function joinLoose({ order, loose, visible, round }: LinkedView, { count, met, parts }: Walk): void {
  const { end, target } = visible;
  for (let index = 0; index < count && parts.apart > 0; index += 1) {
    const node = order[index] as number;
    const last = end[node] as number;
    for (let at = loose[node] as number; at < last; at += 1) {
      const to = met[target[at] as number] as number;
      if (to >= round) joinParts(parts, (met[node] as number) - round, to - round);
    }
  }
}

/** The form without some relata; kept at hand where few loose edges make few forms. */
function trimmed(view: LinkedView, node: number, dropped: number): Primitive {
  const { mark, round, visible, loose, forms, formStart } = view;
  const compiled = view.nodes[node] as CompiledPrimitive;
  if (dropped === 0) return compiled.capped;
  const start = visible.start[node] as number;
  const first = (loose[node] as number) - start;
  const built = trimPrimitive(
    compiled,
    first,
    (index) => (mark[visible.target[start + index] as number] as number) < round,
  );
  const place = (formStart[node] as number) + dropped;
  if (compiled.visible.length - first <= FORM_EDGES) forms[place] = built;
  return built;
}
