import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import neo4j from 'neo4j-driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

const url = process.env['WARRANT_NEO4J_URL'];
const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('WARRANT_NEO4J_') && value !== undefined ? [[name, value]] : [],
  ),
);
let directory = '';
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'warrant-copy-'));
  await runWarrant(directory, ['init']);
  await runWarrant(directory, ['graph', 'seed', 'filesystem']);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const copy = (from: string, to: string, ...more: readonly string[]) =>
  runWarrant(directory, ['graph', 'copy', from, to, ...more], { environment });
const digestIn = (text: string): string => /sha256:[0-9a-f]{64}/.exec(text)?.[0] ?? 'none';

test('a graph goes from the workspace to a file and into another workspace, under one digest', async () => {
  const first = await copy('workspace', 'copy.db');
  expect(first).toMatchObject({ code: 0, error: '' });
  expect(first.out).toMatch(/^20 concepts copied; both have the digest sha256:[0-9a-f]{64}\n$/);
  const again = await copy('workspace', 'copy.db');
  expect(again.out).toBe(first.out.replace('copied', 'were there already'));
  const other = mkdtempSync(join(tmpdir(), 'warrant-copy-'));
  await runWarrant(other, ['init']);
  const into = await runWarrant(other, ['graph', 'copy', join(directory, 'copy.db'), 'workspace']);
  expect(digestIn(into.out)).toBe(digestIn(first.out));
  expect(await runWarrant(other, ['check', 'delete', 'file'])).toMatchObject({ code: 0 });
  rmSync(other, { recursive: true, force: true });
});

test('a graph goes to a document, whose own copies say the same', async () => {
  const told = await copy('workspace', 'graph.yaml', '--json');
  expect(JSON.parse(told.out)).toMatchObject({ type: 'copied', concepts: 20, provenance: false });
  expect(readFileSync(join(directory, 'graph.yaml'), 'utf8')).toContain('format: warrant.graph/1');
  const second = await copy('graph.yaml', 'second.json', '--json');
  expect(JSON.parse(second.out).digest).toBe(JSON.parse(told.out).digest);
});

test('what is there already is never changed', async () => {
  writeFileSync(
    join(directory, 'own.yaml'),
    'format: warrant.graph/1\nname: own\nconcepts: { wheel: { existence: It turns. } }\n',
  );
  expect(await copy('own.yaml', 'own.db')).toMatchObject({ code: 0 });
  expect(await copy('workspace', 'own.db')).toMatchObject({ code: 1, error: expect.stringContaining('wheel') });
  expect(await copy('workspace', 'own.yaml')).toMatchObject({
    code: 2,
    error: expect.stringContaining('never replaces'),
  });
  expect(await copy('own.db', 'own.db')).toMatchObject({ code: 2 });
  expect(await copy('nothing.db', 'own.db')).toMatchObject({
    code: 2,
    error: expect.stringContaining('there is no file'),
  });
});

test('a server that is not there is a failure of the outside, not of the wording', async () => {
  const told = await copy('workspace', 'bolt://127.0.0.1:1?graph=x', '--json');
  expect(told.code).toBe(5);
  expect(JSON.parse(told.out)).toMatchObject({ error: { code: 'GRAPH_UNREACHABLE' } });
});

describe.skipIf(url === undefined)('with a Neo4j server', () => {
  const graph = `cli-${process.pid}`;
  const address = `${url}?graph=${graph}`;
  afterEach(async () => {
    const { WARRANT_NEO4J_USER: user = 'neo4j', WARRANT_NEO4J_PASSWORD: password = '' } = environment;
    const driver = neo4j.driver(url ?? '', neo4j.auth.basic(user, password));
    await driver.executeQuery('MATCH (n) WHERE n.graph = $graph OR n.name = $graph DETACH DELETE n', { graph });
    await driver.close();
  });

  test('a graph goes there and back under one digest, and a workspace works on it there', {
    timeout: 120_000,
  }, async () => {
    const there = await copy('workspace', address);
    expect(there).toMatchObject({ code: 0, error: '' });
    const back = await copy(address, 'back.db');
    expect(digestIn(back.out)).toBe(digestIn(there.out));
    const file = join(directory, '.warrant/warrant.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}graph: { neo4j: { graph: ${graph} } }\n`);
    const run = (...words: readonly string[]) => runWarrant(directory, words, { environment });
    expect(await run('check', 'delete', 'file')).toMatchObject({ code: 0 });
    writeFileSync(
      join(directory, 'own.yaml'),
      'format: warrant.graph/1\nname: own\nconcepts: { wheel: { existence: It turns. } }\n',
    );
    expect(await run('graph', 'import', 'own.yaml')).toMatchObject({ code: 0 });
    expect(await run('check', 'wheel')).toMatchObject({ code: 0 });
    expect(await run('graph', 'copy', 'workspace', 'with-wheel.db')).toMatchObject({
      code: 0,
      out: expect.stringContaining('21 concepts copied'),
    });
  });
});

test('Neo4j is tested where a server is: always in CI', () => {
  if (url === undefined) expect(process.env['CI'] ?? '').toBe('');
});
