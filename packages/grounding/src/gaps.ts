import type { DepthLevel, Edge, Gap } from '@warrant/core';
import type { CompiledPrimitive } from './compile.ts';
import { asCurrent, missingLevels } from './levels.ts';
import { compareCodePoints } from './order.ts';
import { strayRoots } from './reachability.ts';
import type { Roots } from './roots.ts';
import type { LinkedView } from './tables.ts';
import type { Walk } from './walk.ts';

/** A walked view and what was asked of it. */
export type Walked = {
  readonly view: LinkedView;
  readonly roots: Roots;
  readonly walk: Walk;
  /** Reached nodes where a gap may lie. */
  readonly suspects: readonly number[];
  readonly minDepth: DepthLevel | undefined;
};

/** Every gap of the walked closure, in the order results promise. */
export function findGaps(walked: Walked): Gap[] {
  const { view, roots, walk, suspects } = walked;
  const gaps: Gap[] = [];
  for (const concept of roots.unknown) gaps.push(existenceGap(concept));
  if (suspects.length > 0 || hasShallowRoot(walked)) {
    for (const gap of depthGaps(walked)) gaps.push(gap);
    for (const gap of suspects.flatMap((node) => relationalGaps(view, node)).sort(bySourceThenTarget)) gaps.push(gap);
  }
  if (walk.parts.apart > 0) {
    const { stray, anchored } = strayRoots(view, roots.known, walk);
    const names = anchored.map((root) => nameOf(view, root));
    for (const node of stray) gaps.push(reachabilityGap(nameOf(view, node), names));
  }
  return gaps;
}

function hasShallowRoot(walked: Walked): boolean {
  const floor = floorOf(walked);
  for (const root of walked.roots.known) if ((walked.view.contiguous[root] as number) < floor) return true;
  return false;
}

/** A concept that was named must at least exist, so a root without level 0 falls short whatever the query asks. */
function floorOf({ minDepth }: Walked): number {
  return minDepth ?? 0;
}

function existenceGap(concept: string): Gap {
  // No graph can hold a concept without a name.
  const remedy = concept === '' ? { action: 'name-concepts' } : { action: 'add-concept', concept, levels: [0, 1] };
  return { type: 'existence', concept, remedy };
}

function depthGaps(walked: Walked): Gap[] {
  const { view, roots, suspects } = walked;
  const required = new Map<number, number>();
  const floor = floorOf(walked);
  for (const root of roots.known) if (nodeAt(view, root).contiguous < floor) required.set(root, floor);
  for (const node of suspects) {
    const gated = deepestGated(view, node);
    if (gated > (required.get(node) ?? -1)) required.set(node, gated);
  }
  return [...required].map(([node, depth]) => depthGap(nodeAt(view, node), depth as DepthLevel)).sort(byConcept);
}

/** The deepest level of a gated edge inside the closure; -1 without one. */
function deepestGated(view: LinkedView, node: number): number {
  const { gated, mark, round } = view;
  let deepest = -1;
  for (let at = gated.start[node] as number; at < (gated.end[node] as number); at += 1) {
    const edge = gated.edge[at] as Edge;
    if ((mark[gated.target[at] as number] as number) >= round && edge.sourceDepth > deepest) deepest = edge.sourceDepth;
  }
  return deepest;
}

function depthGap(node: CompiledPrimitive, required: DepthLevel): Gap {
  const concept = node.primitive.name;
  const missing = missingLevels(node.knowledge, node.contiguous, required);
  return {
    type: 'depth',
    concept,
    required,
    current: asCurrent(node.contiguous),
    missing,
    remedy: { action: 'add-levels', concept, levels: missing },
  };
}

/** One gap a target, at the deepest depth that an edge asks of it. */
function relationalGaps(view: LinkedView, node: number): Gap[] {
  const { visible, mark, round } = view;
  const required = new Map<number, DepthLevel>();
  for (let at = visible.start[node] as number; at < (visible.end[node] as number); at += 1) {
    const target = visible.target[at] as number;
    const { targetDepth } = visible.edge[at] as Edge;
    if ((mark[target] as number) < round || nodeAt(view, target).contiguous >= targetDepth) continue;
    if (targetDepth > (required.get(target) ?? -1)) required.set(target, targetDepth);
  }
  const source = nameOf(view, node);
  return [...required].map(([target, depth]) => relationalGap(source, nodeAt(view, target), depth));
}

function relationalGap(source: string, node: CompiledPrimitive, required: DepthLevel): Gap {
  const target = node.primitive.name;
  const missing = missingLevels(node.knowledge, node.contiguous, required);
  return {
    type: 'relational',
    source,
    target,
    required,
    current: asCurrent(node.contiguous),
    missing,
    remedy: { action: 'add-levels', concept: target, levels: missing },
  };
}

function reachabilityGap(concept: string, anchored: readonly string[]): Gap {
  return { type: 'reachability', concept, remedy: { action: 'connect', concept, to: anchored } };
}

function byConcept(a: Gap, b: Gap): number {
  return 'concept' in a && 'concept' in b ? compareCodePoints(a.concept, b.concept) : 0;
}

function bySourceThenTarget(a: Gap, b: Gap): number {
  if (a.type !== 'relational' || b.type !== 'relational') return 0;
  return compareCodePoints(a.source, b.source) || compareCodePoints(a.target, b.target);
}

function nodeAt(view: LinkedView, node: number): CompiledPrimitive {
  return view.nodes[node] as CompiledPrimitive;
}

function nameOf(view: LinkedView, node: number): string {
  return nodeAt(view, node).primitive.name;
}
