import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createVirtualClock, createVirtualTimer } from '@warrant/core';
import { createPostgresJournal } from '@warrant/journal/postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAgentHost, createScriptedDecider } from '../src/index.ts';
import { collect } from './collect.ts';
import { definitionOf, eventually } from './support.ts';
import { countingTool, WORKER } from './worker-agent.ts';

const url = process.env['WARRANT_POSTGRES_URL'] ?? '';
const A = 'urn:agent:1';
const MESSAGES = 6;
let folder: string;
let schema: string;
let count = 0;

beforeEach(() => {
  count += 1;
  schema = `warrant_decide_${process.pid}_${count}`;
  folder = mkdtempSync(join(tmpdir(), 'decide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function hostProcess(name: string): Promise<string> {
  const child = resolve(import.meta.dirname, 'postgres-host.ts');
  const args = ['--import', 'tsx', '--conditions=@warrant/source', child, url, schema, name, String(MESSAGES)];
  return new Promise((done, failed) => {
    const process_ = spawn(process.execPath, [...args, join(folder, 'marks')], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    let out = '';
    for (const stream of [process_.stdout, process_.stderr])
      stream.on('data', (piece: Buffer) => {
        out += piece.toString();
      });
    process_.on('error', failed);
    process_.on('exit', () => done(out));
  });
}

describe.skipIf(url === '')('three hosts on one PostgreSQL journal', () => {
  test('take each message once and call each tool once, and all come to the same state', {
    timeout: 240_000,
  }, async () => {
    const printed = await Promise.all(['one', 'two', 'three'].map(hostProcess));
    const applied = printed.map((out) => Number(/^applied (\d+)$/m.exec(out)?.[1] ?? Number.NaN));
    expect(
      applied.reduce((sum, one) => sum + one, 0),
      printed.join('\n'),
    ).toBe(MESSAGES);
    const journal = await createPostgresJournal({ url, schema, maxConnections: 2 });
    const entries = await collect(journal.read(`agents/${A}`));
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1));
    const calls = readFileSync(join(folder, 'marks'), 'utf8').trim().split('\n');
    expect(calls).toHaveLength(MESSAGES);
    expect(new Set(calls).size).toBe(MESSAGES);
    const host = createAgentHost({ journal, agents: [WORKER], tools: [countingTool(join(folder, 'none'))] });
    const { sessions, calls: open } = await host.state(A);
    expect(sessions[0]?.chart.data).toMatchObject({ taken: MESSAGES, done: MESSAGES });
    expect(open).toEqual([]);
    await host.close();
    await journal.close();
  });

  test('fire a deadline once, and only one of them has the fallback asked', { timeout: 120_000 }, async () => {
    const chart = definitionOf(`
states:
  a:
    extensions: [{ local: decide, attribute: first }, { local: deadline, attribute: 30s }, { local: fallback, attribute: second }]
    on: { go: b }
  b: { type: final }
`);
    const clock = createVirtualClock();
    const second = createScriptedDecider(Array(3).fill({ type: 'decision', event: 'go', payload: null }));
    const first = { kind: 'human' as const, decide: () => new Promise<never>(() => undefined) };
    const journals = await Promise.all([1, 2, 3].map(() => createPostgresJournal({ url, schema, maxConnections: 2 })));
    const hosts = journals.map((journal, index) =>
      createAgentHost({
        journal,
        clock,
        timer: createVirtualTimer(),
        host: `host-${index}`,
        agents: [chart],
        deciders: { first, second },
      }),
    );
    await Promise.all(hosts.map((host) => host.spawn(A, 'agent')));
    clock.advance(30_001);
    await Promise.all(hosts.map((host) => host.pump()));
    await eventually(async () => expect((await hosts[0]?.state(A))?.status).toBe('done'));
    const [journal] = journals;
    if (journal === undefined) throw new Error('no journal');
    const ids = (await collect(journal.read(`agents/${A}`))).map(({ id }) => id);
    expect(ids).toEqual(['start', 'timer:deadline:1.0', '2.0']);
    expect(second.asked).toHaveLength(1);
    await Promise.all(hosts.map((host) => host.close()));
    await Promise.all(journals.map((one) => one.close()));
  });
});

test.runIf(process.env['CI'] !== undefined)('the server is there where everything has to be shown', () => {
  expect(url).not.toBe('');
});
