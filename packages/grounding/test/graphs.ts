import type {
  Depth,
  DepthLevel,
  GraphChange,
  GraphStore,
  Primitive,
  Provenance,
  RelationType,
  Relatum,
} from '@warrant/core';
import fc from 'fast-check';
import { viewOf } from '../src/view-of.ts';

export const AUTHORED: Provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' };

/** `['requires', 'file', 2]` at a level. */
export type Edges = readonly (readonly [RelationType, string, DepthLevel])[];
/** Levels by number: `true` has content, `false` is empty; edges stand beside. */
export type Levels = { readonly [level: number]: boolean | Edges };

export function relatum(relation: RelationType, target: string, targetDepth: DepthLevel): Relatum {
  return { relation, target: idOf(target), targetDepth, provenance: AUTHORED };
}

export function idOf(name: string): string {
  return `id:${name}`;
}

export function level(number: number, content: boolean | Edges): Depth {
  return {
    level: number as DepthLevel,
    properties: content === true ? { note: 'x' } : {},
    relata: typeof content === 'boolean' ? [] : content.map((edge) => relatum(...edge)),
    provenance: AUTHORED,
  };
}

/** A concept; levels that hold edges have no content unless the edges say nothing else. */
export function concept(name: string, levels: Levels): Primitive {
  const depths = Object.entries(levels).map(([number, content]) => level(Number(number), content));
  return { id: idOf(name), name, depths, provenance: AUTHORED };
}

/** A concept known from level 0 to `deepest`, with edges at some levels. */
export function known(name: string, deepest: DepthLevel, edges: { readonly [level: number]: Edges } = {}): Primitive {
  const depths = Array.from({ length: deepest + 1 }, (_, number) => ({
    ...level(number, edges[number] ?? true),
    properties: { note: 'x' },
  }));
  return { id: idOf(name), name, depths, provenance: AUTHORED };
}

export function view(...primitives: readonly Primitive[]) {
  return viewOf({ names: [], primitives });
}

export async function store(graph: GraphStore, primitives: readonly Primitive[]): Promise<GraphStore> {
  const changes = primitives.map((primitive): GraphChange => ({ type: 'put-primitive', primitive }));
  const applied = await graph.apply(changes, { id: 'seed', expected: 'any' });
  if (applied.type !== 'applied') throw new Error(`not stored: ${JSON.stringify(applied)}`);
  return graph;
}

const NAMES = ['file', 'path', 'delete', 'copy', 'disk', 'user', 'link'] as const;
const PULLING: readonly RelationType[] = ['requires', 'depends-on', 'constrained-by'];
const FREE: readonly RelationType[] = ['applies-to', 'includes'];

export type Graph = readonly Primitive[];
export type Asked = { readonly concepts: readonly string[]; readonly minDepth?: DepthLevel };

const depthLevel = fc.integer({ min: 0, max: 4 }) as fc.Arbitrary<DepthLevel>;

/** Any graph that a store accepts: holes, empty levels and free cycles included, no cycle of transitive relations. */
export const graphs: fc.Arbitrary<Graph> = fc
  .array(
    fc.record({
      levels: fc.uniqueArray(fc.tuple(depthLevel, fc.boolean()), { selector: ([number]) => number, maxLength: 5 }),
      edges: fc.array(fc.tuple(fc.nat(4), fc.boolean(), fc.nat(2), fc.nat(6), depthLevel), { maxLength: 5 }),
    }),
    { minLength: 1, maxLength: NAMES.length },
  )
  .map((drafts) =>
    drafts.map(({ levels, edges }, own) => {
      const depths = [...levels]
        .sort(([a], [b]) => a - b)
        .map(([number, content], at) => {
          const chosen = edges.filter(([place]) => place % levels.length === at);
          const relata = chosen.flatMap(([, pulls, kind, to, depth]): Relatum[] => {
            const target = to % drafts.length;
            if (pulls && target >= own) return [];
            const relation = (pulls ? PULLING[kind % 3] : FREE[kind % 2]) as RelationType;
            return [relatum(relation, NAMES[target] as string, depth)];
          });
          const distinct = [...new Map(relata.map((edge) => [JSON.stringify(edge), edge])).values()];
          return { ...level(number, content), relata: distinct };
        });
      const name = NAMES[own] as string;
      return { id: idOf(name), name, depths, provenance: AUTHORED };
    }),
  );

export const queries: fc.Arbitrary<Asked> = fc
  .record({
    concepts: fc.array(fc.constantFrom(...NAMES, 'unheard', 'of'), { minLength: 1, maxLength: 5 }),
    minDepth: fc.option(depthLevel),
  })
  .map(({ concepts, minDepth }) => (minDepth === null ? { concepts } : { concepts, minDepth }));
