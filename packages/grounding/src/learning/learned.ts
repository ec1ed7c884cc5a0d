import type { Cancel, Depth, Edge, GraphStore, Primitive, Provenance } from '@warrant/core';

/** One thing that was learned, with the proposal that brought it. */
export type LearnedItem = {
  readonly proposalId: string | null;
  readonly at: string;
  /** The concept that holds it. */
  readonly concept: string;
} & (
  | { readonly type: 'concept' }
  | { readonly type: 'level'; readonly level: Depth['level'] }
  | { readonly type: 'relatum'; readonly edge: Edge }
);

/**
 * Everything in the graph that was learned, by id of the concept that holds it.
 * @param options.proposalId only what this proposal brought
 */
export async function listLearned(
  graph: GraphStore,
  options: { readonly proposalId?: string } & Cancel = {},
): Promise<readonly LearnedItem[]> {
  const { proposalId, signal } = options;
  const items: LearnedItem[] = [];
  for await (const primitive of graph.primitives({
    provenance: 'learned',
    ...(signal === undefined ? {} : { signal }),
  })) {
    for (const item of learnedIn(primitive)) {
      if (proposalId === undefined || item.proposalId === proposalId) items.push(item);
    }
  }
  return items;
}

function learnedIn(primitive: Primitive): readonly LearnedItem[] {
  const concept = primitive.name;
  const items: LearnedItem[] = [];
  const add = (
    provenance: Provenance,
    what: { type: 'concept' } | { type: 'level'; level: Depth['level'] } | { type: 'relatum'; edge: Edge },
  ) => {
    if (provenance.source !== 'learned') return;
    items.push({ ...what, concept, proposalId: provenance.proposalId ?? null, at: provenance.at });
  };
  add(primitive.provenance, { type: 'concept' });
  for (const depth of primitive.depths) {
    add(depth.provenance, { type: 'level', level: depth.level });
    for (const { relation, target, targetDepth, provenance } of depth.relata) {
      const edge = { source: primitive.id, sourceDepth: depth.level, relation, target, targetDepth };
      add(provenance, { type: 'relatum', edge });
    }
  }
  return items;
}
