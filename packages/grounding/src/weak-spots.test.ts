import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock, type DepthLevel, type GraphStore } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemoryGraphStore } from '@warrant/graph';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import { describe, expect, it } from 'vitest';
import { concept, idOf, known, store, view } from '../test/graphs.ts';
import { ground } from './ground.ts';
import { createGrounder } from './grounder.ts';
import { checkCandidate, learnGap } from './learning/learn.ts';

/** What the reference does that a person would not expect, each done better here. */
describe('weak spots of the reference', () => {
  it('on_trace can open the gate: whoever is told of a check cannot change its result', async () => {
    const graph = await store(createMemoryGraphStore(), [
      known('file', 2, { 1: [['requires', 'disk', 4]] }),
      known('disk', 1),
    ]);
    const write = (trace: { readonly result: object }) => {
      Object.assign(trace.result, { grounded: true });
    };
    const result = await createGrounder({ graph, metrics: false, trace: { write } }).check({
      concepts: ['file', 'ghost'],
    });
    expect(result.grounded).toBe(false);
    const parts: unknown[] = [result, result.resolved, result.gaps, result.pathway, result.primitives, result.graph];
    const inner = [...result.gaps, ...result.gaps.map((gap) => gap.remedy), ...result.pathway, ...result.primitives];
    const depths = result.primitives.flatMap((primitive) => [primitive.depths, ...primitive.depths]);
    const relata = result.primitives.flatMap((primitive) => primitive.depths.flatMap((d) => [d.relata, ...d.relata]));
    expect([...parts, ...inner, ...depths, ...relata].every(Object.isFrozen)).toBe(true);
    expect(() => Object.assign(result.gaps[0] as object, { concept: 'other' })).toThrow(TypeError);
  });

  it('a level of relata only vanishes: it counts as knowledge in every query, and learning says the same', async () => {
    const a = concept('a', { 0: true, 1: true, 2: [['applies-to', 'b', 0]] });
    const b = known('b', 1);
    expect(ground(view(a, b), { concepts: ['a'], minDepth: 2 }).grounded).toBe(true);
    expect(ground(view(a, b), { concepts: ['a', 'b'] }).grounded).toBe(true);
    const graph = await store(createMemoryGraphStore(), [a, b]);
    const gap = { type: 'depth', concept: 'a', required: 2, current: 1, missing: [2], remedy: {} } as const;
    const candidate = { type: 'depth', levels: [{ level: 2, properties: { x: 1 } }] };
    const request = { gap, candidate, query: { concepts: ['a'], minDepth: 2 as const } };
    expect((await learnGap(graph, request, { proposalId: 'p' })).type).toBe('already-closed');
  });

  it.each([
    ['no level at all', {}],
    ['no level 0', { 1: true, 2: true }],
  ])('no level at all is grounded: a concept with %s has a depth gap, alone and beside others', (_, levels) => {
    const hollow = concept('hollow', levels);
    const gap = { type: 'depth', concept: 'hollow', required: 0, current: null, missing: [0] };
    expect(ground(view(hollow), { concepts: ['hollow'] }).gaps).toMatchObject([gap]);
    expect(ground(view(hollow, known('file', 1)), { concepts: ['file', 'hollow'] }).gaps).toMatchObject([
      gap,
      { type: 'reachability' },
    ]);
  });

  it('metrics lie: a root whose prerequisite has the gap does not count as grounded, and one beside it does', async () => {
    const graph = createMemoryGraphStore();
    await store(graph, [
      known('copy', 2, { 1: [['requires', 'path', 1]] }),
      known('path', 1, { 1: [['depends-on', 'disk', 3]] }),
      known('disk', 0),
      known('user', 1, { 1: [['applies-to', 'copy', 0]] }),
      known('mail', 1),
    ]);
    const grounder = createGrounder({ graph });
    await grounder.check({ concepts: ['copy', 'user', 'mail', 'COPY', 'ghost'] });
    await grounder.flush();
    const counted = (await graph.metrics()).map((m) => [
      m.concept,
      m.checked,
      m.grounded,
      m.relational,
      m.reachability,
      m.existence,
    ]);
    expect(counted.sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['copy', 1, 0, 1, 0, 0],
      ['ghost', 1, 0, 0, 0, 1],
      ['mail', 1, 0, 0, 1, 0],
      ['user', 1, 0, 1, 0, 0],
    ]);
  });

  it('delete cascades silently: a prerequisite cannot go without its dependants being named', async () => {
    const graph = await store(createMemoryGraphStore(), [
      known('copy', 1, { 1: [['requires', 'path', 1]] }),
      known('path', 1),
    ]);
    const remove = { type: 'remove-primitive', primitive: idOf('path'), dangling: 'refuse' } as const;
    const refused = await graph.apply([remove], { id: 'remove', expected: 'any' });
    expect(refused).toMatchObject({ type: 'refused', reasons: [{ code: 'graph.dangling' }] });
    expect((await createGrounder({ graph }).check({ concepts: ['copy'] })).pathway).toHaveLength(1);
  });

  describe('reachability learning', () => {
    const query = { concepts: ['copy', 'mail'] };
    const gap = { type: 'reachability', concept: 'mail', remedy: {} } as const;
    const edge = (source: string, target: string) => ({
      gap,
      query,
      candidate: { type: 'reachability', source, target, relation: 'applies-to', sourceDepth: 1, targetDepth: 0 },
    });
    const graphOf = () =>
      store(createMemoryGraphStore(), [
        known('copy', 1, { 1: [['requires', 'path', 1]] }),
        known('path', 1),
        known('mail', 1),
        known('far', 1),
      ]);
    const codes = async (graph: GraphStore, source: string, target: string) =>
      (await checkCandidate(graph, edge(source, target))).map((reason) => reason.code);

    it('refuses an edge from a concept to itself', async () => {
      expect(await codes(await graphOf(), 'mail', 'MAIL')).toEqual(['learning.self-edge']);
    });

    it('refuses an edge to a concept outside the query, and takes one to what the query resolves', async () => {
      const graph = await graphOf();
      expect(await codes(graph, 'mail', 'far')).toEqual(['learning.out-of-scope']);
      expect(await codes(graph, 'mail', 'path')).toEqual([]);
      expect(await codes(graph, 'copy', 'mail')).toEqual([]);
    });

    it('does not learn a stale gap twice, and stores equal relata once', async () => {
      const graph = await graphOf();
      expect((await learnGap(graph, edge('copy', 'mail'), { proposalId: 'one' })).type).toBe('learned');
      expect((await learnGap(graph, edge('copy', 'mail'), { proposalId: 'two' })).type).toBe('already-closed');
      const { pathway, gaps } = await createGrounder({ graph }).check(query);
      expect([pathway.length, gaps]).toEqual([2, []]);
    });
  });

  it.each([
    ['text for a list', 'ab', undefined],
    ['a list-like object', { 0: 'a', length: 1 }, undefined],
    ['a number among the names', ['a', 1], undefined],
    ['a hole', Object.assign([], { length: 2 }), undefined],
    ['a lone surrogate', ['a\uD800'], undefined],
    ['depth 7', ['a'], 7],
    ['depth NaN', ['a'], Number.NaN],
    ['depth -0.5', ['a'], -0.5],
    ['depth as text', ['a'], '2'],
    ['depth null', ['a'], null],
  ])('strings for lists: %s is refused with a code', async (_, concepts, minDepth) => {
    const query = {
      concepts: concepts as unknown as string[],
      ...(minDepth === undefined ? {} : { minDepth: minDepth as DepthLevel }),
    };
    const invalid = expect.objectContaining({ code: 'GROUNDING_QUERY_INVALID' });
    expect(() => ground(view(known('a', 1)), query)).toThrow(invalid);
    const graph = await store(createMemoryGraphStore(), [known('a', 1)]);
    await expect(createGrounder({ graph }).check(query)).rejects.toEqual(invalid);
  });

  it('order depends on random ids: gaps stand in one order whatever the ids are', () => {
    const targets = ['zeta', '\u{1F600}', 'alpha', '\uFFFD'];
    const edges = targets.map((name) => ['requires', name, 3] as const);
    const graph = [known('root', 1, { 1: edges }), ...targets.map((name) => known(name, 0))];
    const renamed = graph.map((primitive, index) => ({
      ...primitive,
      id: `x${9 - index}`,
      depths: primitive.depths.map((depth) => ({
        ...depth,
        relata: depth.relata.map((relatum) => ({
          ...relatum,
          target: `x${9 - graph.findIndex((other) => other.id === relatum.target)}`,
        })),
      })),
    }));
    const names = (result: ReturnType<typeof ground>) =>
      result.gaps.map((gap) => (gap.type === 'relational' ? gap.target : gap.type));
    const expected = ['alpha', 'zeta', '\uFFFD', '\u{1F600}'];
    expect(names(ground(view(...graph), { concepts: ['root'] }))).toEqual(expected);
    expect(names(ground(view(...renamed), { concepts: ['root'] }))).toEqual(expected);
  });

  it('check writes on every call: it answers before anything is counted, and from a file it may only read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grounding-'));
    try {
      const path = join(folder, 'graph.db');
      const writer = openSqlite(path);
      await store(createSqliteGraphStore({ file: writer }), [known('file', 2)]);
      writer.close();
      const file = openSqlite(path, { readOnly: true });
      const grounder = createGrounder({ graph: createSqliteGraphStore({ file }), clock: createVirtualClock() });
      expect((await grounder.check({ concepts: ['file'] })).grounded).toBe(true);
      await grounder.flush();
      expect((await grounder.check({ concepts: ['FILE'], minDepth: 3 })).gaps).toHaveLength(1);
      file.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
