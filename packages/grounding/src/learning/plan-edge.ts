import type { DepthLevel, Edge, Gap, GroundingResult, Reason } from '@warrant/core';
import { foldName } from '@warrant/core';
import type { CompiledPrimitive } from '../compile.ts';
import { ground } from '../ground.ts';
import { asCurrent, missingLevels } from '../levels.ts';
import type { ReachabilityCandidate } from './candidate.ts';
import { findConcept, findStored, putRelatum } from './live.ts';
import type { ConceptGap, LearningPlan, PlanInput } from './plan.ts';
import { reason } from './reasons.ts';

/** An edge whose ends are known and which would connect what is apart. */
export type PlacedEdge = {
  readonly edge: Edge;
  readonly source: CompiledPrimitive;
  readonly target: CompiledPrimitive;
};

type Placement =
  | { readonly type: 'placed'; readonly placed: PlacedEdge }
  | Exclude<LearningPlan, { readonly type: 'plan' }>;

/** An edge of a stored concept, once both ends are as deep as the edge stands. */
export function planEdge(input: PlanInput<ReachabilityCandidate>): LearningPlan {
  const placement = placeEdge(input);
  if (placement.type !== 'placed') return placement;
  const missing = depthsBefore(placement.placed);
  if (missing.length > 0) return { type: 'refused', reasons: missing.map(missingDepth) };
  const { edge, source } = placement.placed;
  const stored = findStored(input.view, source.primitive.name);
  return { type: 'plan', changes: putRelatum(stored, edge, input.stamp.provenance) };
}

/** Everything about an edge but the depth of its ends. */
export function placeEdge(input: PlanInput<ReachabilityCandidate>): Placement {
  const { gap, candidate, view, query } = input;
  const { concept } = gap as ConceptGap;
  const { source, target, relation, sourceDepth, targetDepth } = candidate;
  if (source === null || target === null || relation === null || sourceDepth === null || targetDepth === null) {
    return refused(reason('learning.malformed', 'an edge needs source, target, relation and both depths', {}));
  }
  const ends = [foldName(source), foldName(target)];
  if (!ends.includes(foldName(concept))) {
    return refused(reason('learning.unrelated-edge', `the edge neither leaves nor meets '${concept}'`, { concept }));
  }
  const from = findConcept(view, source);
  const to = findConcept(view, target);
  if (from === undefined || to === undefined) {
    const unknown = from === undefined ? source : target;
    return refused(reason('learning.unknown-concept', `'${unknown}' is not in the graph`, { concept: unknown }));
  }
  if (from === to || from.primitive.id === to.primitive.id) {
    return refused(reason('learning.self-edge', 'an edge from a concept to itself connects nothing', { concept }));
  }
  const result = ground(view, query);
  if (!isOpen(result, concept)) return { type: 'already-closed' };
  const other = ends[0] === foldName(concept) ? to : from;
  const scope = outOfScope(result, concept, other);
  if (scope !== null) return refused(scope);
  const edge = { source: from.primitive.id, sourceDepth, relation, target: to.primitive.id, targetDepth };
  return { type: 'placed', placed: { edge, source: from, target: to } };
}

/** The depth gaps to fill first, source before target. */
export function depthsBefore({ edge, source, target }: PlacedEdge): readonly Extract<Gap, { type: 'depth' }>[] {
  return [depthBefore(source, edge.sourceDepth), depthBefore(target, edge.targetDepth)].flat();
}

function depthBefore(node: CompiledPrimitive, required: DepthLevel): readonly Extract<Gap, { type: 'depth' }>[] {
  if (node.contiguous >= required) return [];
  const concept = node.primitive.name;
  const missing = missingLevels(node.knowledge, node.contiguous, required);
  const current = asCurrent(node.contiguous);
  return [
    { type: 'depth', concept, required, current, missing, remedy: { action: 'add-levels', concept, levels: missing } },
  ];
}

function isOpen(result: GroundingResult, concept: string): boolean {
  return result.gaps.some((gap) => gap.type === 'reachability' && foldName(gap.concept) === foldName(concept));
}

/** The other end must be part of what the query resolves, outside the part that the gap's concept is in already. */
function outOfScope(result: GroundingResult, concept: string, other: CompiledPrimitive): Reason | null {
  const { id, name } = other.primitive;
  if (!result.primitives.some((primitive) => primitive.id === id)) {
    return reason(
      'learning.out-of-scope',
      `'${name}' is not part of what the query resolves`,
      { concept, other: name },
      { action: 'connect', concept },
    );
  }
  const own = result.primitives.find((primitive) => foldName(primitive.name) === foldName(concept));
  if (own === undefined || !connected(result.pathway, own.id).has(id)) return null;
  return reason(
    'learning.out-of-scope',
    `'${name}' hangs together with '${concept}' already; the gap would stay`,
    { concept, other: name },
    { action: 'connect', concept },
  );
}

function connected(pathway: readonly Edge[], start: string): ReadonlySet<string> {
  const neighbours = new Map<string, string[]>();
  const note = (from: string, to: string) => {
    const known = neighbours.get(from);
    if (known === undefined) neighbours.set(from, [to]);
    else known.push(to);
  };
  for (const { source, target } of pathway) {
    note(source, target);
    note(target, source);
  }
  const met = new Set([start]);
  for (const id of met) for (const next of neighbours.get(id) ?? []) met.add(next);
  return met;
}

function missingDepth(gap: Extract<Gap, { type: 'depth' }>): Reason {
  return reason(
    'learning.missing-depth',
    `'${gap.concept}' must reach level ${gap.required} before the edge can stand there`,
    { concept: gap.concept, required: gap.required, current: gap.current },
    gap.remedy,
  );
}

function refused(...reasons: readonly Reason[]): Extract<LearningPlan, { type: 'refused' }> {
  return { type: 'refused', reasons };
}
