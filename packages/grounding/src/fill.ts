import type { Edge } from '@warrant/core';
import type { CompiledPrimitive } from './compile.ts';
import { type EdgeTable, FORM_EDGES, type LinkedView, pushLink } from './tables.ts';

/** The number of an id's node; `NOWHERE` for one that the view does not hold. */
export type NumberOf = (id: string) => number;

/** The place that stands for all ids without a node. */
export const NOWHERE = 0;

/** Puts the links of a node into the tables. Its number must be in `nodes`, and so must those of the nodes beside it. */
export function fillNode(tables: LinkedView, node: number, numberOf: NumberOf): void {
  const compiled = tables.nodes[node] as CompiledPrimitive;
  const { requires, visible, gated } = tables;
  requires.start[node] = requires.size;
  for (const id of compiled.requires) {
    const target = numberOf(id);
    if (target !== NOWHERE) pushLink(requires, target);
  }
  requires.end[node] = requires.size;
  pushEdges(visible, node, compiled.visible, numberOf);
  pushEdges(gated, node, compiled.gated, numberOf);
  tables.contiguous[node] = compiled.contiguous;
  tables.loose[node] = looseStart(visible, node, compiled.tied);
  if (compiled.informed.length > 0) tables.informs = true;
  placeForms(tables, node, compiled);
  judgeNode(tables, node);
}

/** Tells whether a gap may lie at the node: anew whenever a target gets its content. */
export function judgeNode(tables: LinkedView, node: number): void {
  const { visible, gated, nodes } = tables;
  let suspect = (gated.start[node] as number) < (gated.end[node] as number);
  const end = visible.end[node] as number;
  for (let at = visible.start[node] as number; at < end && !suspect; at += 1) {
    const target = nodes[visible.target[at] as number];
    suspect = target !== undefined && target.contiguous < (visible.edge[at] as Edge).targetDepth;
  }
  tables.suspect[node] = suspect ? 1 : 0;
}

function pushEdges(table: EdgeTable, node: number, edges: readonly Edge[], numberOf: NumberOf): void {
  table.start[node] = table.size;
  for (const edge of edges) {
    table.edge.push(edge);
    pushLink(table, numberOf(edge.target));
  }
  table.end[node] = table.size;
}

/** Targets of transitive edges are never outside the closure, unless the view lacks them. */
function looseStart(visible: EdgeTable, node: number, tied: number): number {
  const first = visible.start[node] as number;
  for (let at = first; at < first + tied; at += 1) if (visible.target[at] === NOWHERE) return first;
  return first + tied;
}

function placeForms(
  { visible, loose, forms, formStart }: LinkedView,
  node: number,
  { capped }: CompiledPrimitive,
): void {
  const edges = (visible.end[node] as number) - (loose[node] as number);
  if (edges > FORM_EDGES) return;
  formStart[node] = forms.length;
  forms.push(capped);
  for (let form = 1; form < 1 << edges; form += 1) forms.push(undefined);
}
