import {
  type DepthLevel,
  digest,
  type Edge,
  foldName,
  type Gap,
  type Grounder,
  type GroundingResult,
  type Json,
  type Primitive,
  type RelationType,
} from '@warrant/core';
import type { PlacementGraph } from '../../src/prepare.ts';

/** `[source, sourceDepth, relation, target, targetDepth]` */
export type SmallEdge = readonly [string, DepthLevel, RelationType, string, DepthLevel];

/** Concept names with their deepest level, and edges between them. Ids differ from names on purpose. */
export type SmallGraph = {
  readonly concepts: { readonly [name: string]: DepthLevel };
  readonly edges: readonly SmallEdge[];
};

/** delete applies to file from level 3 on. */
export const FILES: SmallGraph = {
  concepts: { delete: 3, file: 3, directory: 3 },
  edges: [
    ['delete', 3, 'applies-to', 'file', 2],
    ['delete', 3, 'applies-to', 'directory', 2],
  ],
};

const provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;
const idOf = (name: string): string => `id-${foldName(name)}`;

/** A grounder over a handful of concepts, written without the grounding layer: enough for the rules of policies. */
export function createSmallGrounder(
  initial: SmallGraph,
): Grounder & PlacementGraph & { graph: SmallGraph; checks: number } {
  const state = {
    graph: initial,
    checks: 0,
    check: async (query: Parameters<Grounder['check']>[0]): Promise<GroundingResult> => {
      state.checks += 1;
      return ground(state.graph, query.concepts, query.minDepth ?? null);
    },
    view: async (names: readonly string[]) => {
      const wanted = new Set(names.map(foldName));
      const primitives = primitivesOf(state.graph).filter((primitive) => wanted.has(foldName(primitive.name)));
      return {
        version: { epoch: 'small', revision: 1 },
        digest: viewDigest(names, primitives),
        snapshot: () => ({ names, primitives }),
      };
    },
  };
  return state;
}

function viewDigest(names: readonly string[], primitives: readonly Primitive[]): GroundingResult['view'] {
  const digests = primitives.map((primitive) => digest(primitive as unknown as Json)).sort();
  return digest({ names: [...new Set(names.map(foldName))].sort(), primitives: digests });
}

function primitivesOf(graph: SmallGraph): readonly Primitive[] {
  return Object.entries(graph.concepts).map(([name, deepest]) => ({
    id: idOf(name),
    name,
    provenance,
    depths: ([0, 1, 2, 3, 4] as const)
      .filter((level) => level <= deepest)
      .map((level) => ({
        level,
        properties: { note: 'x' },
        provenance,
        relata: graph.edges
          .filter((edge) => foldName(edge[0]) === foldName(name) && edge[1] === level)
          .map(([, , relation, target, targetDepth]) => ({ relation, target: idOf(target), targetDepth, provenance })),
      })),
  }));
}

function ground(graph: SmallGraph, concepts: readonly string[], minDepth: DepthLevel | null): GroundingResult {
  const known = new Map(primitivesOf(graph).map((primitive) => [foldName(primitive.name), primitive]));
  const roots = [...new Set(concepts.map(foldName))];
  const named = roots.flatMap((key) => known.get(key) ?? []);
  const ids = new Set(named.map((primitive) => primitive.id));
  const pathway: Edge[] = graph.edges
    .map(([source, sourceDepth, relation, target, targetDepth]) => ({
      source: idOf(source),
      sourceDepth,
      relation,
      target: idOf(target),
      targetDepth,
    }))
    .filter((edge) => ids.has(edge.source) && ids.has(edge.target))
    .filter((edge) => (named.find((primitive) => primitive.id === edge.source)?.depths.length ?? 0) > edge.sourceDepth);
  const gaps: Gap[] = concepts
    .filter((name) => !known.has(foldName(name)))
    .map((concept) => ({ type: 'existence', concept, remedy: { action: 'add-concept', concept } }));
  for (const primitive of named) {
    const current = (primitive.depths.length - 1) as DepthLevel;
    if (minDepth === null || current >= minDepth) continue;
    const missing = ([0, 1, 2, 3, 4] as const).filter((level) => level > current && level <= minDepth);
    gaps.push({
      type: 'depth',
      concept: primitive.name,
      required: minDepth,
      current,
      missing,
      remedy: { action: 'add-depths' },
    });
  }
  const resolved = concepts.map((name) => known.get(foldName(name))?.name ?? name);
  const view = viewDigest(concepts, named);
  const grounded = concepts.length > 0 && gaps.length === 0;
  return { grounded, resolved, gaps, pathway, primitives: named, graph: { epoch: 'small', revision: 1 }, view };
}
