import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { GraphChange, Primitive } from '@warrant/core';
import { afterEach, describe, expect, test } from 'vitest';
import { createMemoryGraphStore, type LocalGraphStore } from '../src/index.ts';
import { openConnection } from '../src/neo4j/connection.ts';
import { createNeo4jGraphStore, type Neo4jGraphStoreOptions } from '../src/neo4j/index.ts';
import { targetOf } from '../src/neo4j/settings.ts';
import { CLOSURE_OF_KEYS } from '../src/neo4j/statements.ts';
import { type BoltProxy, openProxy } from './bolt-proxy.ts';
import { freshGraph, PATIENT_MS, removeGraph } from './neo4j-harness.ts';
import { describeWithNeo4j, openServer } from './neo4j-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const ANY = 'any' as const;

function concept(id: string, targets: readonly string[] = [], text = ''): Primitive {
  const relata = targets.map((target) => ({
    relation: 'requires' as const,
    target,
    targetDepth: 0 as const,
    provenance,
  }));
  return { id, name: id, depths: [{ level: 0, properties: { text }, relata, provenance }], provenance };
}
const put = (...primitives: readonly Primitive[]): readonly GraphChange[] =>
  primitives.map((primitive) => ({ type: 'put-primitive', primitive }));

/** A graph of the test's own, gone afterwards. */
function newGraph(): string {
  const graph = freshGraph();
  cleanups.push(() => removeGraph(graph));
  return graph;
}

async function open(options: Neo4jGraphStoreOptions): Promise<LocalGraphStore> {
  const store = await createNeo4jGraphStore({ connectMs: PATIENT_MS, ...options });
  cleanups.push(() => store.close());
  return store;
}

async function proxy(): Promise<BoltProxy> {
  const made = await openProxy(process.env['WARRANT_NEO4J_URL'] as string);
  cleanups.push(() => made.close());
  return made;
}

function server(): ReturnType<typeof openServer> {
  const made = openServer();
  cleanups.push(() => made.close());
  return made;
}

const names = (primitives: readonly Primitive[]): readonly string[] => primitives.map((one) => one.name);

describe('settings', () => {
  const environment = { WARRANT_NEO4J_PASSWORD: 'hush-hush' };
  test.each([
    [{}, /WARRANT_NEO4J_URL/],
    [{ url: 'http://127.0.0.1:7474' }, /starts with bolt/],
    [{ url: 'nonsense' }, /starts with bolt/],
    [{ url: 'bolt://neo4j:hush-hush@127.0.0.1' }, /no user or password in the address/],
    [{ url: 'bolt://127.0.0.1', graph: 'a b' }, /name of a graph/],
    [{ url: 'bolt://127.0.0.1', graph: '' }, /name of a graph/],
  ])('%j is refused before anything is reached, without telling the password', async (options, message) => {
    const error = await createNeo4jGraphStore({ environment, ...options }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'GRAPH_INVALID', message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toContain('hush-hush');
  });
});

describe('a server that is none', () => {
  const quick = { connectMs: 300, retryMs: 200, environment: {} };
  async function listen(made: NetServer): Promise<string> {
    await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
    cleanups.push(() => made.close());
    return `bolt://127.0.0.1:${(made.address() as { port: number }).port}`;
  }
  test('nothing listens: a typed error that may go away', async () => {
    const made = createServer();
    const url = await listen(made);
    made.close();
    const error = createNeo4jGraphStore({ url, ...quick });
    await expect(error).rejects.toMatchObject({ code: 'GRAPH_UNREACHABLE', retryable: true, data: { url } });
  });
  test('it takes the connection and says nothing', async () => {
    const url = await listen(createServer((socket) => void cleanups.push(() => socket.destroy())));
    const error = createNeo4jGraphStore({ url, ...quick });
    await expect(error).rejects.toMatchObject({ code: 'GRAPH_UNREACHABLE', retryable: true });
  });
  test('it speaks another protocol, which no retry changes', async () => {
    const url = await listen(createHttpServer((_, response) => void response.end('hello')));
    const error = createNeo4jGraphStore({ url, ...quick, connectMs: PATIENT_MS });
    await expect(error).rejects.toMatchObject({ code: 'GRAPH_UNREACHABLE', retryable: false });
  });
});

describeWithNeo4j('a graph in Neo4j', () => {
  test('a wrong password is a typed error of its own', async () => {
    const environment = { ...process.env, WARRANT_NEO4J_PASSWORD: 'wrong-wrong' };
    const error = await createNeo4jGraphStore({ environment, connectMs: PATIENT_MS }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'GRAPH_UNAUTHORIZED', retryable: false });
    expect(JSON.stringify(error)).not.toContain('wrong-wrong');
  });

  test('a database that is not there is a typed error', async () => {
    const error = createNeo4jGraphStore({ database: 'other', connectMs: PATIENT_MS });
    const status = 'Neo.ClientError.Database.DatabaseNotFound';
    await expect(error).rejects.toMatchObject({ code: 'GRAPH_SERVER_FAILED', data: { status }, retryable: false });
  });

  test('graphs of one database know nothing of each other', async () => {
    const [one, two] = [await open({ graph: newGraph() }), await open({ graph: newGraph() })];
    await one.apply(put(concept('a', ['b']), concept('b')), { id: '1', expected: ANY });
    await two.apply(put(concept('a', ['c'], 'other'), concept('c')), { id: '1', expected: ANY });
    expect(names((await one.view(['a', 'c'])).snapshot().primitives)).toEqual(['a', 'b']);
    expect(names((await two.view(['a', 'b'])).snapshot().primitives)).toEqual(['a', 'c']);
    expect((await one.version()).epoch).not.toBe((await two.version()).epoch);
    await one.apply([{ type: 'remove-primitive', primitive: 'b', dangling: 'remove' }], { id: '2', expected: ANY });
    expect(names((await two.view(['a'])).snapshot().primitives)).toEqual(['a', 'c']);
  });

  test('a newer format is refused', async () => {
    const graph = newGraph();
    await open({ graph });
    await server().run('MATCH (g:WarrantGraph {name: $graph}) SET g.schema = 99', { graph });
    await expect(createNeo4jGraphStore({ graph, connectMs: PATIENT_MS })).rejects.toMatchObject({
      code: 'GRAPH_SCHEMA_NEWER',
      data: { graph, schema: 99, known: 1 },
    });
  });

  test('relationships repeat the relata, through every way of changing them', async () => {
    const graph = newGraph();
    const store = await open({ graph });
    const relata = [
      { relation: 'applies-to', target: 'b', targetDepth: 2, provenance },
      { relation: 'requires', target: 'b', targetDepth: 1, provenance },
    ] as const;
    const both = { ...concept('a'), depths: [{ level: 3 as const, properties: {}, relata, provenance }] };
    await store.apply(put(both, concept('b'), concept('c', ['b'])), { id: '1', expected: ANY });
    const edge = { source: 'a', sourceDepth: 3, relation: 'requires', target: 'b', targetDepth: 1 } as const;
    await store.apply([{ type: 'remove-relatum', edge, provenance }], { id: '2', expected: ANY });
    await store.apply([{ type: 'put-relatum', edge: { ...edge, relation: 'includes', target: 'c' }, provenance }], {
      id: '3',
      expected: ANY,
    });
    const rows = await server().run(
      `MATCH (s:WarrantConcept {graph: $graph})-[r]->(t) RETURN s.id, type(r), t.id, r.from, r.depth ORDER BY s.id, t.id`,
      { graph },
    );
    expect(rows).toEqual([
      ['a', 'WARRANT_APPLIES_TO', 'b', 3, 2],
      ['a', 'WARRANT_INCLUDES', 'c', 3, 1],
      ['c', 'WARRANT_REQUIRES', 'b', 0, 0],
    ]);
  });

  test('a concept that was changed by hand is found out, whether it is read for a view or listed', async () => {
    const graph = newGraph();
    const store = await open({ graph });
    await store.apply(put(concept('a', ['b']), concept('b', [], 'secret')), { id: '1', expected: ANY });
    const { run } = server();
    await run(`MATCH (n:WarrantConcept {graph: $graph, id: 'b'}) SET n.body = replace(n.body, 'secret', 'public')`, {
      graph,
    });
    const corrupt = { code: 'GRAPH_STORE_CORRUPT', data: { primitive: 'b' } };
    await expect(store.view(['a'])).rejects.toMatchObject(corrupt);
    await expect(store.byId('b')).rejects.toMatchObject(corrupt);
    await run(`MATCH (n:WarrantConcept {graph: $graph, id: 'b'}) DETACH DELETE n`, { graph });
    await expect(store.view(['a'])).rejects.toMatchObject(corrupt);
  });

  test('a graph that was put back to an older state is what an open store answers from', async () => {
    const graph = newGraph();
    const store = await open({ graph });
    await store.apply(put(concept('a')), { id: '1', expected: ANY });
    const older = await store.version();
    await store.apply(put(concept('a', ['b']), concept('b')), { id: '2', expected: ANY });
    expect(names((await store.view(['a'])).snapshot().primitives)).toEqual(['a', 'b']);
    const other = await open({ graph: newGraph() });
    await other.apply(put(concept('a')), { id: '1', expected: ANY });
    await server().run(
      `MATCH (n:WarrantConcept {graph: $graph}) DETACH DELETE n WITH count(*) AS gone
       MATCH (b:WarrantBatch {graph: $graph, id: '2'}) DELETE b WITH count(*) AS gone
       MATCH (g:WarrantGraph {name: $graph}) SET g.revision = 1, g.settled = 1 WITH g
       CREATE (:WarrantConcept {graph: $graph, id: 'c', key: 'c', name: 'c', sources: ['authored'], body: '', digest: ''})`,
      { graph },
    );
    expect(await store.version()).toEqual(older);
    expect((await store.view(['a'])).snapshot().primitives).toEqual([]);
  });
});

describeWithNeo4j('a store that others write behind', () => {
  test('forgets everything when the batches in between are no longer listed', async () => {
    const graph = newGraph();
    const [writer, reader] = [await open({ graph }), await open({ graph })];
    await writer.apply(put(concept('a', ['b']), concept('b')), { id: '1', expected: ANY });
    expect((await reader.view(['a'])).snapshot().primitives).toHaveLength(2);
    await writer.apply(put(concept('b', ['c']), concept('c')), { id: '2', expected: ANY });
    await writer.apply(put(concept('d')), { id: '3', expected: ANY });
    await server().run(`MATCH (b:WarrantBatch {graph: $graph, id: '2'}) DELETE b`, { graph });
    expect(names((await reader.view(['a'])).snapshot().primitives)).toEqual(['a', 'b', 'c']);
  });

  test('follows a batch that is too large to be listed, and one that removes what it has looked up', async () => {
    const graph = newGraph();
    const [writer, reader] = [await open({ graph }), await open({ graph })];
    await writer.apply(put(concept('a', ['b']), concept('b')), { id: '1', expected: ANY });
    expect((await reader.view(['a', 'late'])).snapshot().primitives).toHaveLength(2);
    const many = Array.from({ length: 2500 }, (_, index) => concept(`m${index}`));
    await writer.apply(put(...many, concept('a', ['m7']), concept('late')), { id: '2', expected: ANY });
    expect(names((await reader.view(['a', 'late'])).snapshot().primitives)).toEqual(['a', 'late', 'm7']);
    await writer.apply([{ type: 'remove-primitive', primitive: 'late', dangling: 'refuse' }], {
      id: '3',
      expected: ANY,
    });
    expect(names((await reader.view(['a', 'late'])).snapshot().primitives)).toEqual(['a', 'm7']);
  });

  test('looks at nothing but the version while nothing changes, unknown names included', async () => {
    const graph = newGraph();
    const store = await open({ graph });
    await store.apply(put(concept('a', ['b']), concept('b')), { id: '1', expected: ANY });
    await store.view(['a', 'unknown']);
    const { run } = server();
    // Whatever else is looked at would be found damaged.
    await run(`MATCH (n:WarrantConcept {graph: $graph}) SET n.body = '', n.key = n.id + '!'`, { graph });
    for (const asked of [['a', 'unknown'], ['B'], ['unknown', 'b', 'A']]) {
      expect((await store.view(asked)).snapshot().primitives.length).toBeGreaterThan(0);
    }
  });
});

describeWithNeo4j('a store opened for reading only', () => {
  test('needs a graph, gives its views, and writes nothing: no change, no migration, no count', async () => {
    const graph = newGraph();
    await expect(createNeo4jGraphStore({ graph, readOnly: true, connectMs: PATIENT_MS })).rejects.toMatchObject({
      code: 'GRAPH_SCHEMA_MISSING',
    });
    const writer = await open({ graph });
    await writer.apply(put(concept('a', ['b']), concept('b')), { id: '1', expected: ANY });
    const reader = await open({ graph, readOnly: true });
    expect(names((await reader.view(['a'])).snapshot().primitives)).toEqual(['a', 'b']);
    reader.count([{ concept: 'a', outcome: 'grounded' }]);
    expect(await reader.metrics()).toMatchObject([{ concept: 'a', grounded: 1 }]);
    const read = { code: 'GRAPH_READ_ONLY', retryable: false };
    await expect(reader.apply(put(concept('c')), { id: '2', expected: ANY })).rejects.toMatchObject(read);
    await writer.apply(put(concept('a', ['c']), concept('c')), { id: '3', expected: ANY });
    expect(names((await reader.view(['a'])).snapshot().primitives)).toEqual(['a', 'c']);
    await reader.close();
    expect(await writer.metrics()).toEqual([]);
  });

  test('waits a while for a commit that nobody called complete, then answers; a writer calls it complete', async () => {
    const graph = newGraph();
    const writer = await open({ graph });
    await writer.apply(put(concept('a')), { id: '1', expected: ANY });
    const { run } = server();
    const settled = 'MATCH (g:WarrantGraph {name: $graph}) RETURN g.settled';
    expect(await run(settled, { graph })).toEqual([[1]]);
    const unsettle = 'MATCH (g:WarrantGraph {name: $graph}) SET g.settled = 0 RETURN g.revision';
    await run(unsettle, { graph });
    const waits: number[] = [];
    const timer = {
      after: (ms: number, done: () => void) => {
        waits.push(ms);
        const handle = setTimeout(done, ms === 100 ? 0 : ms);
        return () => clearTimeout(handle);
      },
    };
    const reader = await open({ graph, readOnly: true, timer });
    expect(names((await reader.view(['a'])).snapshot().primitives)).toEqual(['a']);
    expect(waits.filter((ms) => ms === 100)).toHaveLength(20);
    expect(await run(settled, { graph })).toEqual([[0]]);
    const another = await open({ graph });
    await another.view(['a']);
    expect(await run(settled, { graph })).toEqual([[1]]);
  });
});

describeWithNeo4j('closures', () => {
  const dense = (): readonly Primitive[] => {
    const count = 200;
    const edges = Array.from({ length: count }, (): string[] => []);
    let left = 10_000;
    for (let distance = 1; left > 0; distance += 1) {
      for (let index = distance; index < count && left > 0; index += 1, left -= 1) {
        edges[index]?.push(`d${index - distance}`);
      }
    }
    return edges.map((targets, index) => concept(`d${index}`, targets));
  };

  test('the server looks at every relationship once, however many paths lead through a dense graph', async () => {
    const graph = newGraph();
    const store = await open({ graph });
    await store.apply(put(...dense()), { id: '1', expected: ANY });
    const fresh = await open({ graph });
    expect((await fresh.view(['d199'])).snapshot().primitives).toHaveLength(200);
    const session = server();
    const hits = await session.profile(CLOSURE_OF_KEYS, { graph, keys: ['d199'] });
    expect(hits.operators.join()).toContain('Pruning,BFS');
    expect(hits.dbHits).toBeGreaterThan(10_000);
    expect(hits.dbHits).toBeLessThan(5 * 10_200);
  });

  test('are the same as those of a store in memory, from one root or from more than the server walks at once', async () => {
    const all = dense();
    const store = await open({ graph: newGraph() });
    const memory = createMemoryGraphStore();
    for (const one of [store, memory]) await one.apply(put(...all), { id: '1', expected: ANY });
    for (const roots of [['d7'], ['d7', 'd120', 'nothing'], all.slice(60, 75).map((one) => one.name)]) {
      const [ours, theirs] = [await store.view(roots), await memory.view(roots)];
      expect(ours.digest).toBe(theirs.digest);
      expect(names(ours.snapshot().primitives)).toEqual(names(theirs.snapshot().primitives));
    }
  });

  test('never mix two revisions while others write', { timeout: 120_000 }, async () => {
    const graph = newGraph();
    const writer = await open({ graph });
    const ids = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const revision = (text: string): readonly GraphChange[] =>
      put(concept('root', ids, text), ...ids.map((id) => concept(id, [], text)));
    await writer.apply(revision('0'), { id: '0', expected: ANY });
    let isWriting = true;
    const write = async (): Promise<void> => {
      for (let round = 1; round <= 12; round += 1)
        await writer.apply(revision(`${round}`), { id: `${round}`, expected: ANY });
      isWriting = false;
    };
    const seen: ReadonlySet<unknown>[] = [];
    const read = async (readOnly: boolean): Promise<void> => {
      while (isWriting) {
        const reader = await createNeo4jGraphStore({ graph, readOnly, cacheLimit: 0, connectMs: PATIENT_MS });
        const { primitives } = (await reader.view(['root'])).snapshot();
        seen.push(new Set(primitives.map((one) => one.depths[0]?.properties['text'])));
        await reader.close();
      }
    };
    await Promise.all([write(), read(false), read(true), read(true)]);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.filter((texts) => texts.size !== 1)).toEqual([]);
  });
});

describeWithNeo4j('a connection that is cut', () => {
  test('before the server heard of the commit: the outcome is unknown, and the retry applies the batch', async () => {
    const between = await proxy();
    const store = await open({ graph: newGraph(), url: between.url });
    between.cutAtCommit('before');
    const batch = { id: '1', expected: ANY };
    await expect(store.apply(put(concept('a')), batch)).rejects.toMatchObject({
      code: 'GRAPH_OUTCOME_UNKNOWN',
      retryable: true,
    });
    expect((await store.view(['a'])).snapshot().primitives).toEqual([]);
    expect((await store.apply(put(concept('a')), batch)).type).toBe('applied');
  });

  test('after it: the outcome is unknown, and the retry is a duplicate', async () => {
    const between = await proxy();
    const store = await open({ graph: newGraph(), url: between.url });
    between.cutAtCommit('after');
    const batch = { id: '1', expected: ANY };
    await expect(store.apply(put(concept('a')), batch)).rejects.toMatchObject({ code: 'GRAPH_OUTCOME_UNKNOWN' });
    expect((await store.apply(put(concept('a')), batch)).type).toBe('duplicate');
    expect(await store.version()).toMatchObject({ revision: 1 });
    expect(names((await store.view(['a'])).snapshot().primitives)).toEqual(['a']);
  });

  test('between two calls goes unnoticed', async () => {
    const between = await proxy();
    const store = await open({ graph: newGraph(), url: between.url });
    await store.apply(put(concept('a')), { id: '1', expected: ANY });
    between.cut();
    expect(names((await store.view(['a'])).snapshot().primitives)).toEqual(['a']);
    between.cut();
    expect((await store.apply(put(concept('b')), { id: '2', expected: ANY })).type).toBe('applied');
  });

  test('by a server that falls silent: a typed error, and an aborted call ends at once', async () => {
    const between = await proxy();
    let isOver = false;
    const timer = {
      after: (ms: number, done: () => void) => {
        const handle = setTimeout(done, isOver ? 100 : ms);
        return () => clearTimeout(handle);
      },
    };
    const store = await open({ graph: newGraph(), url: between.url, timer, retryMs: 0 });
    await store.apply(put(concept('a')), { id: '1', expected: ANY });
    between.mute();
    isOver = true;
    await expect(store.view(['a'])).rejects.toMatchObject({ code: 'GRAPH_UNREACHABLE', retryable: true });
    isOver = false;
    const controller = new AbortController();
    const view = store.view(['a'], { signal: controller.signal });
    const reason = new Error('no longer wanted');
    controller.abort(reason);
    await expect(view).rejects.toBe(reason);
  });
});

describeWithNeo4j('a transaction', () => {
  const failing = (code: string): Error => Object.assign(new Error(code), { name: 'Neo4jError', code });
  async function attempts(
    errors: readonly string[],
    retryMs: number,
  ): Promise<{ readonly told: unknown; readonly count: number }> {
    const settings = { connectMs: PATIENT_MS, statementMs: PATIENT_MS, retryMs, maxConnections: 2 };
    const connection = openConnection(targetOf({}), settings);
    cleanups.push(() => connection.close());
    let count = 0;
    const work = connection.write(async () => {
      const error = errors[Math.min(count, errors.length - 1)];
      count += 1;
      if (error !== undefined && count <= errors.length) throw failing(error);
      return { commit: false, value: 'done' };
    });
    return { told: await work.catch((error: unknown) => error), count };
  }
  const DEADLOCK = 'Neo.TransientError.Transaction.DeadlockDetected';

  test('is tried again after a transient error, until it succeeds', async () => {
    expect(await attempts([DEADLOCK, 'ServiceUnavailable', DEADLOCK], PATIENT_MS)).toEqual({ told: 'done', count: 4 });
  });

  test('is given up when the budget is used up', async () => {
    const { told, count } = await attempts(Array(1000).fill(DEADLOCK), 200);
    expect(told).toMatchObject({ code: 'GRAPH_SERVER_FAILED', retryable: true, data: { status: DEADLOCK } });
    expect(count).toBeLessThan(1000);
  });

  test('is not tried again where that would not help, or might do it twice', async () => {
    const large = 'Neo.TransientError.General.MemoryPoolOutOfMemoryError';
    expect(await attempts([large], PATIENT_MS)).toMatchObject({ told: { code: 'GRAPH_TOO_LARGE' }, count: 1 });
    const wrong = 'Neo.ClientError.Statement.SyntaxError';
    expect(await attempts([wrong], PATIENT_MS)).toMatchObject({ told: { code: 'GRAPH_SERVER_FAILED' }, count: 1 });
  });
});

describeWithNeo4j('an aborted call', () => {
  test('stops what the server does for it, and changes nothing', async () => {
    const graph = newGraph();
    const store = await open({ graph });
    const { run, hold } = server();
    const release = await hold('MATCH (l:WarrantLock {graph: $graph}) SET l.holder = 0', { graph });
    const controller = new AbortController();
    const work = store.apply(put(concept('a')), { id: '1', expected: ANY, signal: controller.signal });
    work.catch(() => undefined);
    const waiting = async (): Promise<number> =>
      (
        await run(
          `SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'MATCH (l:WarrantLock {graph: $graph}) SET l.holder = $batch' RETURN 1`,
        )
      ).length;
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    controller.abort();
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
    await release();
    expect((await store.view(['a'])).snapshot().primitives).toEqual([]);
    expect((await store.apply(put(concept('a')), { id: '1', expected: ANY })).type).toBe('applied');
  });
});
