import { createSeededIds, createVirtualClock, digest, type Entry, type GraphStore, type Json } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { describe, expect, it } from 'vitest';
import { known, store, view } from '../test/graphs.ts';
import { ground } from './ground.ts';
import { createGrounder } from './grounder.ts';
import { replayCheck } from './record.ts';
import type { Trace } from './trace.ts';
import { traceRecord } from './trace.ts';
import { viewOf } from './view-of.ts';

const clock = createVirtualClock();
const graphOf = () =>
  store(createMemoryGraphStore(), [known('copy', 2, { 1: [['requires', 'file', 1]] }), known('file', 1)]);

function journal(fail = false) {
  const entries: Entry[] = [];
  return {
    entries,
    append: async (_: string, more: readonly Entry[]) => {
      if (fail) throw new Error('disk full');
      const known = new Set(entries.map((entry) => entry.id));
      entries.push(...more.filter((entry) => !known.has(entry.id)));
      return { type: 'duplicate', positions: [] } as const;
    },
  };
}

describe('a grounder', () => {
  it('names the actor in trace and record: the one of the query before its own', async () => {
    const traces: Trace[] = [];
    const log = journal();
    const trace = { write: (one: Trace) => void traces.push(one) };
    const grounder = createGrounder({ graph: await graphOf(), actor: 'robot', clock, journal: log, trace });
    await grounder.check({ concepts: ['copy'] });
    await grounder.check({ concepts: ['copy'], actor: 'clerk', minDepth: 1 });
    expect(traces.map((one) => [one.actor, one.at, one.query])).toEqual([
      ['robot', '2026-01-01T00:00:00.000Z', { concepts: ['copy'], minDepth: null }],
      ['clerk', '2026-01-01T00:00:00.000Z', { concepts: ['copy'], minDepth: 1 }],
    ]);
    const checks = log.entries.filter((entry) => entry.type === 'grounding.checked');
    expect(checks.map((entry) => [entry.agentId, (entry.data as { actor: string }).actor])).toEqual([
      ['robot', 'robot'],
      ['clerk', 'clerk'],
    ]);
  });

  it('records no secret: a view that holds one is named only', async () => {
    const secrets = {
      replace: (value: Json) => JSON.parse(JSON.stringify(value).replaceAll(/sk-\w+/g, '[secret]')) as Json,
    };
    const knows = known('vault', 1);
    const graph = await store(createMemoryGraphStore(), [
      { ...knows, depths: knows.depths.map((depth) => ({ ...depth, properties: { note: 'opens with sk-stored' } })) },
      known('file', 1),
    ]);
    const log = journal();
    const grounder = createGrounder({ graph, clock, journal: log, secrets });
    const result = await grounder.check({ concepts: ['vault', 'sk-asked', 'file'] });
    expect(result.gaps[0]).toMatchObject({ concept: 'sk-asked' });
    expect(JSON.stringify(log.entries)).not.toMatch(/sk-/);
    const [check] = log.entries;
    expect(log.entries).toHaveLength(1);
    expect(check?.data).toMatchObject({ concepts: ['vault', '[secret]', 'file'], view: result.view });
    expect(() => replayCheck(log.entries, check?.id ?? '')).toThrow(
      expect.objectContaining({ code: 'GROUNDING_RECORD_INCOMPLETE' }),
    );
    await grounder.check({ concepts: ['sk-asked', 'file'] });
    expect(JSON.stringify(log.entries)).not.toMatch(/sk-/);
    await grounder.check({ concepts: ['file'] });
    expect(log.entries.map((entry) => entry.type)).toEqual([
      'grounding.checked',
      'grounding.checked',
      'graph.primitive',
      'graph.view',
      'grounding.checked',
    ]);
  });

  it('records a view and its primitives once, under their digests, and the check replays from that alone', async () => {
    const log = journal();
    const grounder = createGrounder({ graph: await graphOf(), clock, journal: log, ids: createSeededIds('record') });
    const first = await grounder.check({ concepts: ['copy', 'ghost', ''], minDepth: 3 });
    const size = log.entries.length;
    await grounder.check({ concepts: ['COPY', 'ghost', ''], minDepth: 3 });
    expect(log.entries.length).toBe(size + 1);
    for (const entry of log.entries.filter((one) => one.type !== 'grounding.checked')) {
      expect(digest(entry.data as Json)).toBe(entry.id);
    }
    for (const check of log.entries.filter((entry) => entry.type === 'grounding.checked')) {
      const { same, now } = replayCheck(log.entries, check.id);
      expect([same, now.gaps]).toEqual([true, first.gaps]);
    }
  });

  it('shows a record that was tampered with', async () => {
    const log = journal();
    await createGrounder({ graph: await graphOf(), clock, journal: log }).check({ concepts: ['copy'], minDepth: 3 });
    const id = log.entries.at(-1)?.id ?? '';
    const turned = log.entries.map((entry) =>
      entry.id === id ? { ...entry, data: { ...(entry.data as object), grounded: true, gaps: [] } } : entry,
    );
    expect(replayCheck(turned, id)).toMatchObject({
      same: false,
      recorded: { grounded: true },
      now: { grounded: false },
    });
    const lacking = log.entries.filter((entry) => entry.type !== 'graph.primitive');
    expect(() => replayCheck(lacking, id)).toThrow(expect.objectContaining({ code: 'GROUNDING_RECORD_INCOMPLETE' }));
    expect(() => replayCheck(log.entries, 'other')).toThrow(
      expect.objectContaining({ code: 'GROUNDING_RECORD_INCOMPLETE' }),
    );
  });

  it('does not answer what could not be recorded', async () => {
    const grounder = createGrounder({ graph: await graphOf(), journal: journal(true) });
    await expect(grounder.check({ concepts: ['copy'] })).rejects.toMatchObject({
      code: 'GROUNDING_NOT_RECORDED',
      retryable: true,
    });
  });

  it('stands by its answer when a trace or a count is lost, and tells', async () => {
    const graph: GraphStore = {
      ...(await graphOf()),
      count: () => {
        throw new Error('read-only');
      },
    };
    const faults: string[] = [];
    const sinks = [
      { write: () => Promise.reject(new Error('full')) },
      {
        write: () => {
          throw new Error('broken');
        },
      },
    ];
    for (const trace of sinks) {
      const onFault = (fault: { readonly code: string }) => {
        faults.push(fault.code);
        throw new Error('a listener that fails');
      };
      const grounder = createGrounder({ graph, trace, onFault });
      expect((await grounder.check({ concepts: ['copy'] })).grounded).toBe(true);
      await grounder.flush();
    }
    expect(faults.sort()).toEqual([
      ...Array(2).fill('GROUNDING_METRICS_FAILED'),
      ...Array(2).fill('GROUNDING_TRACE_FAILED'),
    ]);
  });

  it('counts after it answered, in one batch, and not at all when told so', async () => {
    const batches: number[] = [];
    const graph: GraphStore = { ...(await graphOf()), count: (checks) => void batches.push(checks.length) };
    const grounder = createGrounder({ graph });
    await Promise.all([grounder.check({ concepts: ['copy'] }), grounder.check({ concepts: ['file', 'copy'] })]);
    expect(batches).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches).toEqual([3]);
    const silent = createGrounder({ graph, metrics: false });
    await silent.check({ concepts: ['copy'] });
    await silent.flush();
    expect(batches).toEqual([3]);
  });

  it('rejects with the store: a signal that was aborted, a store that is closed', async () => {
    const graph = await graphOf();
    const grounder = createGrounder({ graph });
    await expect(grounder.check({ concepts: ['copy'] }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await graph.close();
    await expect(grounder.check({ concepts: ['copy'] })).rejects.toMatchObject({ code: 'GRAPH_CLOSED' });
  });

  it('answers the query as it was given, whatever the caller does to it meanwhile', async () => {
    const grounder = createGrounder({ graph: await graphOf() });
    const concepts = ['copy'];
    const answer = grounder.check({ concepts });
    concepts[0] = 'ghost';
    expect((await answer).resolved).toEqual(['copy']);
  });

  it('knows nothing of nothing: no concepts are not grounded, without gaps', async () => {
    const result = await createGrounder({ graph: await graphOf() }).check({ concepts: [] });
    expect(result).toMatchObject({ grounded: false, resolved: [], gaps: [], pathway: [], primitives: [] });
  });
});

describe('a grounder over several views', () => {
  it('finds what a name means now, also when an earlier holder of the name comes back', async () => {
    const one = view(known('file', 2)).snapshot();
    const other = view({ ...known('file', 0), id: 'other' }).snapshot();
    let at = one;
    const version = { epoch: 'e', revision: 0 };
    const digestOf = (): `sha256:${string}` => `sha256:${'0'.repeat(64)}`;
    const graph = { view: async () => ({ version, digest: digestOf(), snapshot: () => at }) };
    const grounder = createGrounder({ graph: graph as unknown as GraphStore, metrics: false });
    for (const [snapshot, grounded] of [
      [one, true],
      [other, false],
      [one, true],
      [other, false],
    ] as const) {
      at = snapshot;
      const result = await grounder.check({ concepts: ['file'], minDepth: 1 });
      expect(result.grounded).toBe(grounded);
      expect(result.primitives).toEqual(snapshot.primitives);
    }
  });

  it('shows the levels up to the first hole, and asks of a target the deepest that any edge asks', async () => {
    const edges = { 0: [['requires', 'file', 1]], 1: [['depends-on', 'file', 3]] } as const;
    const whole = known('delete', 3, edges);
    const holed = { ...whole, depths: whole.depths.filter((depth) => depth.level !== 2) };
    const graph = await store(createMemoryGraphStore(), [known('file', 0), holed]);
    const result = await createGrounder({ graph, metrics: false }).check({ concepts: ['delete'] });
    expect(result.primitives[0]?.depths.map((depth) => depth.level)).toEqual([0, 1]);
    expect(result.gaps).toMatchObject([{ type: 'relational', source: 'delete', target: 'file', required: 3 }]);
  });

  it.each(['applies-to', 'includes'] as const)('leaves out what only %s leads to', async (relation) => {
    const graph = await store(createMemoryGraphStore(), [
      known('file', 1),
      known('delete', 1, { 1: [[relation, 'file', 1]] }),
    ]);
    const whole = view(...(await graph.view(['delete', 'file'])).snapshot().primitives);
    for (const result of [
      await createGrounder({ graph, metrics: false }).check({ concepts: ['delete'] }),
      ground(whole, { concepts: ['delete'] }),
    ]) {
      expect(result.grounded).toBe(true);
      expect(result.pathway).toEqual([]);
      expect(result.primitives.map((primitive) => primitive.name)).toEqual(['delete']);
    }
  });
});

describe('a trace as JSON', () => {
  it('has names where the result has ids', async () => {
    const result = await createGrounder({ graph: await graphOf() }).check({ concepts: ['copy'] });
    const trace: Trace = { at: 'now', actor: null, query: { concepts: ['copy'], minDepth: null }, result };
    const record = JSON.parse(JSON.stringify(traceRecord(trace))) as ReturnType<typeof traceRecord>;
    expect(record.steps).toEqual([
      { source: 'copy', sourceDepth: 1, relation: 'requires', target: 'file', targetDepth: 1 },
    ]);
    expect([record.operation, record.grounded, record.view]).toEqual(['check', true, result.view]);
  });
});

describe('a view from a snapshot', () => {
  it('has the digest of the store it came from', async () => {
    const graph = await graphOf();
    const live = await graph.view(['COPY', 'copy', 'ghost']);
    expect(viewOf(JSON.parse(JSON.stringify(live.snapshot()))).digest).toBe(live.digest);
  });

  it('is not touched by what happens to the snapshot afterwards', () => {
    const primitive = structuredClone(known('file', 1)) as unknown as { depths: unknown[] };
    const view = viewOf({ names: [], primitives: [primitive as never] });
    primitive.depths.length = 0;
    expect(view.snapshot().primitives[0]?.depths).toHaveLength(2);
  });

  it.each([
    ['a level of 7', { level: 7 }],
    ['a level of NaN', { level: Number.NaN }],
    ['no relata', { relata: undefined }],
    ['a relation nobody knows', { relata: [{ relation: 'likes', target: 'x', targetDepth: 0 }] }],
    ['a target depth of 1.5', { relata: [{ relation: 'requires', target: 'x', targetDepth: 1.5 }] }],
    ['content that is a list', { properties: [] }],
  ])('refuses %s', (_, change) => {
    const primitive = known('file', 0);
    const depths = [{ ...primitive.depths[0], ...change }];
    const invalid = expect.objectContaining({ code: 'GROUNDING_VIEW_INVALID' });
    expect(() => viewOf({ names: [], primitives: [{ ...primitive, depths } as never] })).toThrow(invalid);
  });

  it('refuses a level, an id or a name that stands twice', () => {
    const file = known('file', 1);
    const invalid = expect.objectContaining({ code: 'GROUNDING_VIEW_INVALID' });
    const twice = { ...file, depths: [...file.depths, ...file.depths] };
    expect(() => viewOf({ names: [], primitives: [twice] })).toThrow(invalid);
    expect(() => viewOf({ names: [], primitives: [file, { ...file, name: 'other' }] })).toThrow(invalid);
    expect(() => viewOf({ names: [], primitives: [file, { ...file, id: 'other', name: 'FILE' }] })).toThrow(invalid);
  });
});
