import { foldName, type Gap, type GraphStore, type GroundingResult } from '@warrant/core';

/** One concept's share in a check, as the store counts it. */
export type ConceptOutcome = Parameters<GraphStore['count']>[0][number];

/**
 * What a check says of each concept that was asked for: grounded only when no gap lies in what the concept itself
 * reaches, else the kind of the first such gap. Each concept once, in query order.
 */
export function outcomesOf(result: GroundingResult): readonly ConceptOutcome[] {
  const concepts = [...new Map(result.resolved.map((name) => [foldName(name), name])).values()];
  if (result.gaps.length === 0) return concepts.map((concept) => ({ concept, outcome: 'grounded' }));
  const ids = new Map(result.primitives.map((primitive) => [primitive.name, primitive.id]));
  const names = new Map(result.primitives.map((primitive) => [primitive.id, primitive.name]));
  const targets = targetsBySource(result);
  return concepts.map((concept) => {
    const id = ids.get(concept);
    if (id === undefined) return { concept, outcome: 'existence' };
    const met = new Set([id]);
    for (const node of met) for (const target of targets.get(node) ?? []) met.add(target);
    const closure = new Set([...met].map((node) => names.get(node)));
    const gap = result.gaps.find((candidate) => liesIn(candidate, concept, closure));
    return { concept, outcome: gap?.type ?? 'grounded' };
  });
}

function targetsBySource(result: GroundingResult): ReadonlyMap<string, readonly string[]> {
  const targets = new Map<string, string[]>();
  for (const { source, target } of result.pathway) {
    const known = targets.get(source);
    if (known === undefined) targets.set(source, [target]);
    else known.push(target);
  }
  return targets;
}

function liesIn(gap: Gap, concept: string, closure: ReadonlySet<string | undefined>): boolean {
  switch (gap.type) {
    case 'existence':
      return false;
    case 'reachability':
      return gap.concept === concept;
    case 'depth':
      return closure.has(gap.concept);
    case 'relational':
      return closure.has(gap.source);
  }
}
