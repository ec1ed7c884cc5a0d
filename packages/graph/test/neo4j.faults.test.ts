import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { GraphChange, Primitive } from '@warrant/core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LocalGraphStore } from '../src/index.ts';
import { createNeo4jGraphStore } from '../src/neo4j/index.ts';
import { freshGraph, PATIENT_MS, removeGraph } from './neo4j-harness.ts';
import { describeWithNeo4j, openServer } from './neo4j-server.ts';
import { createOwnNeo4j, type OwnNeo4j } from './own-neo4j.ts';

const IMPORTED = 10_000;
const KILLS = process.env['WARRANT_SOAK'] === undefined ? [150] : [0, 50, 150, 400, 800, 1500, 2500, 4000];
const IMPORTERS =
  process.env['WARRANT_SOAK'] === undefined
    ? { processes: 2, batches: 2, size: 20 }
    : { processes: 8, batches: 12, size: 500 };
const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;

function concept(id: string, target?: string, text = ''): Primitive {
  const relata =
    target === undefined ? [] : [{ relation: 'requires' as const, target, targetDepth: 0 as const, provenance }];
  return { id, name: id, depths: [{ level: 0, properties: { text }, relata, provenance }], provenance };
}
const put = (primitives: readonly Primitive[]): readonly GraphChange[] =>
  primitives.map((primitive) => ({ type: 'put-primitive', primitive }));

describeWithNeo4j('two processes', () => {
  const graph = freshGraph();
  afterEach(() => removeGraph(graph));

  test('that apply at the same version: one wins, the other learns of it', { timeout: 120_000 }, async () => {
    await (await createNeo4jGraphStore({ graph, connectMs: PATIENT_MS })).close();
    const children = ['one', 'two', 'three'].map((id) => child(graph, id));
    await Promise.all(children.map((one) => said(one, /ready/)));
    const answers = children.map((one) => said(one, /applied|conflict/));
    for (const one of children) one.stdin.write('go\n');
    expect([...(await Promise.all(answers))].sort()).toEqual(['applied', 'conflict', 'conflict']);
  });

  function child(name: string, id: string): ChildProcessWithoutNullStreams {
    return start('neo4j-child.ts', [name, id], process.env);
  }
});

function start(script: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  const file = join(import.meta.dirname, script);
  return spawn(process.execPath, ['--import', 'tsx', '--conditions=@warrant/source', file, ...args], { env });
}

function said(one: ChildProcessWithoutNullStreams, word: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    let complaints = '';
    one.stderr.on('data', (bytes) => {
      complaints += String(bytes);
    });
    one.stdout.on('data', (bytes) => {
      text += String(bytes);
      const found = word.exec(text);
      if (found !== null) done(found[0]);
    });
    one.once('exit', () => fail(new Error(`ended before it said ${word.source}\n${complaints}`)));
  });
}

describeWithNeo4j('a server of its own', () => {
  let own: OwnNeo4j;
  beforeAll(async () => {
    own = await createOwnNeo4j({ WARRANT_NEO4J_TRANSACTION_MB: '96' });
    await own.start();
  }, 300_000);
  afterAll(() => own.dispose(), 60_000);
  const open = (graph: string): Promise<LocalGraphStore> =>
    createNeo4jGraphStore({ graph, environment: own.environment(), connectMs: PATIENT_MS });

  test(`is migrated and filled by ${IMPORTERS.processes} processes at once`, { timeout: 600_000 }, async () => {
    const { processes, batches, size } = IMPORTERS;
    const env = { ...process.env, ...own.environment() };
    const children = Array.from({ length: processes }, (_, index) =>
      start('neo4j-importer.ts', ['many', `p${index}`, String(batches), String(size)], env),
    );
    await Promise.all(children.map((one) => said(one, /ready/)));
    const answers = children.map((one) => said(one, /done (.*)\n/));
    for (const one of children) one.stdin.write('go\n');
    const outcomes = (await Promise.all(answers)).flatMap((text) => JSON.parse(text.slice('done '.length)) as string[]);
    const count = (outcome: string): number => outcomes.filter((one) => one === outcome).length;
    expect(count('own applied')).toBe(processes * batches);
    // What several send under one id is applied once.
    expect([count('shared applied'), count('shared duplicate')]).toEqual([batches, batches * (processes - 1)]);
    const store = await open('many');
    expect((await store.version()).revision).toBe((processes + 1) * batches);
    let found = 0;
    for await (const { depths } of store.primitives()) found += depths.length;
    expect(found).toBe((processes + 1) * batches * size);
    const view = await store.view([`p0-${batches - 1}-${size - 1}`]);
    expect(view.snapshot().primitives).toHaveLength(size + 1);
    await store.close();
  });

  test('is migrated by many hosts at once', { timeout: 120_000 }, async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open('first')));
    const versions = await Promise.all(stores.map((store) => store.version()));
    expect(new Set(versions.map((version) => version.epoch)).size).toBe(1);
    const applied = stores.map((store, index) =>
      store.apply(put([concept(`c${index}`)]), { id: `${index}`, expected: 'any' }),
    );
    expect((await Promise.all(applied)).map((one) => one.type)).toEqual(Array(8).fill('applied'));
    expect(await stores[0]?.version()).toMatchObject({ revision: 8 });
    await Promise.all(stores.map((store) => store.close()));
    const server = openServer(own.environment());
    const names = await server.run("SHOW CONSTRAINTS YIELD name WHERE name STARTS WITH 'warrant_' RETURN name");
    expect(names).toHaveLength(6);
    await server.close();
  });

  test('has not the memory for a batch: a typed error, nothing changed, and the batch goes in parts', {
    timeout: 300_000,
  }, async () => {
    const store = await open('large');
    const text = 'x'.repeat(200_000);
    const all = Array.from({ length: 500 }, (_, index) =>
      concept(`l${index}`, index > 0 ? 'l0' : undefined, `${index} ${text}`),
    );
    const before = await store.version();
    await expect(store.apply(put(all), { id: 'whole', expected: 'any' })).rejects.toMatchObject({
      code: 'GRAPH_TOO_LARGE',
      retryable: false,
    });
    expect(await store.version()).toEqual(before);
    expect((await store.view(['l0'])).snapshot().primitives).toEqual([]);
    for (let part = 0; part < 5; part += 1) {
      const some = all.slice(part * 100, part * 100 + 100);
      expect((await store.apply(put(some), { id: `part ${part}`, expected: 'any' })).type).toBe('applied');
    }
    expect((await store.view(['l499'])).snapshot().primitives).toHaveLength(2);
    await store.close();
  });

  test.each(KILLS)(
    'that is killed %i ms into an import and restarted on its data has all of it or nothing',
    {
      timeout: 600_000,
    },
    async (delay) => {
      const graph = `killed-${delay}`;
      const store = await open(graph);
      await store.apply(put([concept('before')]), { id: 'before', expected: 'any' });
      const changes = put(
        Array.from({ length: IMPORTED }, (_, index) =>
          concept(`i${index}`, index > 0 ? `i${(index * 7) % index}` : 'before'),
        ),
      );
      const attempt = store.apply(changes, { id: 'import', expected: 'any' }).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, delay));
      await own.kill();
      const outcome = await attempt;
      await own.start();
      const server = openServer(own.environment());
      const [row] = await server.run('MATCH (n:WarrantConcept {graph: $graph}) RETURN count(n)', { graph });
      await server.close();
      expect([1, IMPORTED + 1]).toContain(row?.[0]);
      const again = await store.apply(changes, { id: 'import', expected: 'any' });
      expect(again.type).toBe(row?.[0] === 1 ? 'applied' : 'duplicate');
      if ((outcome as { type?: string }).type !== 'applied') {
        expect(['GRAPH_UNREACHABLE', 'GRAPH_OUTCOME_UNKNOWN', 'GRAPH_SERVER_FAILED']).toContain(
          (outcome as { code: string }).code,
        );
      } else expect(again.type).toBe('duplicate');
      expect((await store.version()).revision).toBe(2);
      expect((await store.view(['i1', 'before'])).snapshot().primitives.length).toBeGreaterThan(1);
      await store.close();
    },
  );
});
