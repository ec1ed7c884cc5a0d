import { type Edge, foldName, type GroundingResult } from '@warrant/core';

/** What a gate reads of a grounding result: also what a record keeps of it, so it is plain data. */
export type GroundingFacts = {
  readonly grounded: boolean;
  readonly resolved: readonly string[];
  /** The applies-to edges of the pathway, by the names of their concepts. */
  readonly edges: readonly Edge[];
};

/**
 * The facts a gate decides on. A result that calls itself grounded, yet has gaps, no concept, or concepts that are not
 * among its primitives, is not grounded: it was made by hand or altered.
 */
export function readGrounding(result: GroundingResult): GroundingFacts {
  return {
    grounded: result.grounded === true && isConsistent(result),
    // Conditions are shown the list: a frozen one is as good as a copy.
    resolved: Object.isFrozen(result.resolved) ? result.resolved : Object.freeze([...result.resolved]),
    edges: appliesTo(result),
  };
}

function isConsistent(result: GroundingResult): boolean {
  const { resolved, primitives } = result;
  if (result.gaps.length > 0 || resolved.length === 0) return false;
  // In a grounder's result the roots come first, in query order: mostly nothing has to be folded, and the rest ends early.
  if (resolved.every((name, index) => primitives[index]?.name === name)) return true;
  const wanted = new Set(resolved.map(foldName));
  for (const primitive of primitives) {
    wanted.delete(foldName(primitive.name));
    if (wanted.size === 0) return true;
  }
  return false;
}

function appliesTo(result: GroundingResult): readonly Edge[] {
  const edges = distinct(result.pathway.filter(isApplication));
  if (edges.length === 0) return edges;
  // A handful of edges is the rule, and their ends stand early among the primitives.
  const nameOf = edges.length <= FEW_EDGES ? searched(result.primitives) : indexed(result.primitives);
  return edges.map((edge) => ({ ...edge, source: nameOf(edge.source), target: nameOf(edge.target) }));
}

function isApplication(edge: Edge): boolean {
  return edge.relation === 'applies-to';
}

const FEW_EDGES = 4;

function searched(primitives: GroundingResult['primitives']): (id: string) => string {
  return (id) => primitives.find((primitive) => primitive.id === id)?.name ?? id;
}

function indexed(primitives: GroundingResult['primitives']): (id: string) => string {
  const names = new Map(primitives.map((primitive) => [primitive.id, primitive.name]));
  return (id) => names.get(id) ?? id;
}

/** An edge given twice must not ask a condition twice. */
function distinct(edges: readonly Edge[]): readonly Edge[] {
  if (edges.length < 2) return edges;
  const byEnds = new Map<string, Edge>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.source, edge.sourceDepth, edge.target, edge.targetDepth]);
    if (!byEnds.has(key)) byEnds.set(key, edge);
  }
  return [...byEnds.values()];
}
