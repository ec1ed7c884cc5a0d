import {
  createSeededIds,
  createVirtualClock,
  type DepthLevel,
  type Gap,
  type GraphStore,
  type GraphView,
  type Json,
  type Primitive,
} from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemoryGraphStore } from '@warrant/graph';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUTHORED, concept, type Graph, graphs, idOf, queries, relatum, store, view } from '../test/graphs.ts';
import { deepFreeze } from './freeze.ts';
import { ground } from './ground.ts';
import { createGrounder } from './grounder.ts';
import { checkEntries, replayCheck } from './record.ts';
import { viewOf } from './view-of.ts';

const runs = process.env['WARRANT_SOAK'] === undefined ? 300 : 20_000;
const few = process.env['WARRANT_SOAK'] === undefined ? 40 : 2_000;

function multiset(gaps: readonly Gap[]): readonly string[] {
  return gaps
    .filter((gap) => gap.type !== 'reachability')
    .map((gap) =>
      JSON.stringify({ ...gap, concept: 'concept' in gap ? gap.concept.toLowerCase() : undefined, remedy: 0 }),
    )
    .sort();
}

describe('grounded', () => {
  it('is monotone in minDepth: what holds for a deeper floor holds for a shallower one', () => {
    fc.assert(
      fc.property(graphs, queries, fc.integer({ min: 0, max: 4 }), (graph, { concepts, minDepth = 4 }, lower) => {
        const deep = ground(view(...graph), { concepts, minDepth });
        const shallow = ground(view(...graph), { concepts, minDepth: Math.min(lower, minDepth) as DepthLevel });
        if (deep.grounded) expect(shallow.grounded).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it('is monotone in depth: content in a level that brings no new relata takes nothing away', () => {
    fc.assert(
      fc.property(graphs, queries, fc.nat(6), (graph, query, pick) => {
        const at = pick % graph.length;
        const target = graph[at] as (typeof graph)[number];
        // Above the levels that carry relata, so that no gated edge comes into view.
        const deepest = Math.max(-1, ...target.depths.map((depth) => depth.level));
        if (deepest === 4 || target.depths.length !== deepest + 1) return;
        const fresh = {
          level: (deepest + 1) as DepthLevel,
          properties: { more: true },
          relata: [],
          provenance: AUTHORED,
        };
        const deeper = { ...target, depths: [...target.depths, fresh] };
        const before = ground(view(...graph), query);
        const after = ground(view(...graph.map((primitive, index) => (index === at ? deeper : primitive))), query);
        if (before.grounded) expect(after.grounded).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

describe('a query', () => {
  it('may change order and case without changing grounded or its existence, depth and relational gaps', () => {
    fc.assert(
      fc.property(graphs, queries, fc.nat(), (graph, query, seed) => {
        const turned = [...query.concepts].sort((a, b) => ((a.length * 31 + seed) % 7) - ((b.length * 31 + seed) % 7));
        const cased = turned.map((name, index) => ((index + seed) % 2 === 0 ? name.toUpperCase() : name));
        const one = ground(view(...graph), query);
        const two = ground(view(...graph), { ...query, concepts: cased });
        expect(two.grounded).toBe(one.grounded);
        expect(multiset(two.gaps)).toEqual(multiset(one.gaps));
      }),
      { numRuns: runs },
    );
  });

  it('is not touched by a concept that nothing names', () => {
    fc.assert(
      fc.property(graphs, queries, (graph, query) => {
        const stranger = concept('stranger', { 0: true, 1: [['requires', graph[0]?.name ?? 'file', 4]] });
        const { view: _, ...without } = ground(view(...graph), query);
        const { view: __, ...beside } = ground(view(...graph, stranger), query);
        expect(beside).toEqual(without);
      }),
      { numRuns: runs },
    );
  });

  it('says grounded exactly when it names no gap', () => {
    fc.assert(
      fc.property(graphs, queries, (graph, query) => {
        const result = ground(view(...graph), query);
        expect(result.grounded).toBe(result.gaps.length === 0);
        expect(result.resolved).toHaveLength(query.concepts.length);
      }),
      { numRuns: runs },
    );
  });

  it('ends on cycles of every relation, which a store would refuse', () => {
    const ring = ['a', 'b', 'c'].map((name, index, all) =>
      concept(name, {
        0: true,
        1: [
          ['requires', all[(index + 1) % 3] as string, 1],
          ['includes', name, 1],
        ],
      }),
    );
    expect(ground(view(...ring), { concepts: ['a', 'c'] }).grounded).toBe(true);
  });
});

describe('a result', () => {
  it('shows only edges between the primitives it shows, each as deep as it stands', () => {
    fc.assert(
      fc.property(graphs, queries, (graph, query) => {
        const { pathway, primitives } = ground(view(...graph), query);
        const shown = new Map(primitives.map((primitive) => [primitive.id, primitive]));
        for (const edge of pathway) {
          const source = shown.get(edge.source);
          const held = source?.depths.find((depth) => depth.level === edge.sourceDepth)?.relata ?? [];
          expect(held.some((relation) => relation.target === edge.target && relation.relation === edge.relation)).toBe(
            true,
          );
          expect(shown.has(edge.target)).toBe(true);
        }
        const relata = primitives.flatMap((primitive) => primitive.depths.flatMap((depth) => depth.relata));
        expect(relata).toHaveLength(pathway.length);
      }),
      { numRuns: runs },
    );
  });

  it('does not depend on the order in which the view lists its primitives', () => {
    fc.assert(
      fc.property(graphs, queries, (graph, query) => {
        const { view: _, ...one } = ground(view(...graph), query);
        const { view: __, ...two } = ground(view(...[...graph].reverse()), query);
        expect(two).toEqual(one);
      }),
      { numRuns: runs },
    );
  });

  it('stays the same when it is asked for again, whatever was asked between', () => {
    fc.assert(
      fc.property(graphs, queries, queries, (graph, query, other) => {
        const shared = view(...graph);
        const first = JSON.stringify(ground(shared, query));
        ground(shared, other);
        expect(JSON.stringify(ground(shared, query))).toBe(first);
        expect(JSON.stringify({ ...ground(view(...graph), query), view: 0 })).toBe(
          JSON.stringify({ ...JSON.parse(first), view: 0 }),
        );
      }),
      { numRuns: runs },
    );
  });

  it('is the same from a view, from the in-memory and from the SQLite store, and replays from its record', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, queries, async (graph, query) => {
        const file = openSqlite(':memory:');
        const options = { clock: createVirtualClock(), ids: createSeededIds('laws') };
        try {
          const stores = [createMemoryGraphStore(options), createSqliteGraphStore({ ...options, file })];
          const answers = await Promise.all(
            stores.map(async (empty) => {
              const graphStore = await store(empty, graph);
              const result = await createGrounder({ graph: graphStore, metrics: false }).check(query);
              const live = await graphStore.view(query.concepts);
              const entries = checkEntries({ id: 'check', at: '2026-01-01T00:00:00.000Z', view: live, query, result });
              const stored = JSON.parse(JSON.stringify(entries)) as { id: string; type: string; data: Json }[];
              expect(replayCheck(stored.reverse(), 'check').same).toBe(true);
              expect(ground(viewOf(live.snapshot(), { version: live.version }), query)).toEqual(result);
              const { graph: _, ...answer } = result;
              return answer;
            }),
          );
          expect(answers[1]).toEqual(answers[0]);
        } finally {
          file.close();
        }
      }),
      { numRuns: few },
    );
  });
});

/** Puts primitive by primitive, so that what a store refuses keeps nothing else out. */
async function change(graphStore: GraphStore, graph: Graph, id: string): Promise<void> {
  for (const [index, primitive] of graph.entries()) {
    await graphStore.apply([{ type: 'put-primitive', primitive }], { id: `${id}/${index}`, expected: 'any' });
  }
}

describe('a grounder that goes on', () => {
  it('answers as the bare decision does, whatever changed between the checks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(graphs, queries, fc.boolean()), { maxLength: 6 }), async (steps) => {
        const graphStore = createMemoryGraphStore({ clock: createVirtualClock(), ids: createSeededIds('laws') });
        const grounder = createGrounder({ graph: graphStore, metrics: false });
        for (const [index, [graph, query, renames]] of steps.entries()) {
          const named = renames ? graph.map((primitive) => ({ ...primitive, name: `${primitive.name}s` })) : graph;
          await change(graphStore, named, `step ${index}`);
          const live = await graphStore.view(query.concepts);
          expect(await grounder.check(query)).toEqual(ground(live, query));
        }
      }),
      { numRuns: runs },
    );
  });

  it('answers as the bare decision does from a store that forgets, renames, lacks targets or never freezes', async () => {
    const views = fc.tuple(graphs, queries, fc.constantFrom('whole', 'cut', 'mutable', 'mixed', 'renamed', 'twice'));
    await fc.assert(
      fc.asyncProperty(fc.array(views, { maxLength: 6 }), async (steps) => {
        let at: GraphView = view();
        const graph = { view: async () => at } as unknown as GraphStore;
        const grounder = createGrounder({ graph, metrics: false });
        for (const [graphNow, query, how] of steps) {
          at = viewShaped(graphNow, how);
          const answer = await grounder.check(query);
          expect({ ...answer, view: 0 }).toEqual({ ...ground(at, query), view: 0 });
        }
      }),
      { numRuns: runs },
    );
  });
});

/** The same frozen objects wherever the content is the same, as a store gives them. */
const pool = new Map<string, Primitive>();

function viewShaped(graph: Graph, how: string): GraphView {
  const kept = how === 'cut' ? graph.slice(1) : graph;
  const named = kept.map((primitive) => (how === 'renamed' ? { ...primitive, id: `${primitive.id}'` } : primitive));
  const primitives = named.map((primitive, index) => {
    if (how === 'mutable' || (how === 'mixed' && index === named.length - 1)) return primitive;
    const key = JSON.stringify(primitive);
    const frozen = pool.get(key) ?? deepFreeze(structuredClone(primitive));
    pool.set(key, frozen);
    return frozen;
  });
  const all = how === 'twice' ? [...primitives, ...primitives.slice(0, 1)] : primitives;
  const snapshot = { names: [], primitives: all };
  return { version: { epoch: 'shaped', revision: 0 }, digest: `sha256:${'0'.repeat(64)}`, snapshot: () => snapshot };
}

describe('relata', () => {
  it('lead nowhere when their target is not in the view', () => {
    const lone = { ...concept('lone', { 0: true, 1: true }) };
    const depths = lone.depths.map((depth) => ({ ...depth, relata: [relatum('requires', 'absent', 4)] }));
    const result = ground(view({ ...lone, depths }), { concepts: ['lone'] });
    expect(result.grounded).toBe(true);
    expect(result.primitives[0]?.depths.every((depth) => depth.relata.length === 0)).toBe(true);
    expect(result.primitives[0]?.id).toBe(idOf('lone'));
  });
});
