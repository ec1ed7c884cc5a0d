import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canonicalJson, createMemoryInbox, type Decider, digest } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemoryJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { expect, test } from 'vitest';
import { createHumanDecider, createMarkedInbox, createScriptedProvider, provenanceOf } from '../src/index.ts';
import { agentFromTools } from '../src/react/index.ts';
import { collect } from './collect.ts';
import { COUNTER } from './counter.ts';
import { AT, definitionOf, eventually, world } from './support.ts';

const A = 'urn:agent:1';
const silent: Decider = { kind: 'human', decide: () => new Promise(() => undefined) };

test('two processes on one file take each input once', { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'decide-'));
  try {
    const path = join(folder, 'journal.db');
    const child = resolve(import.meta.dirname, 'sender.ts');
    const run = (name: string) =>
      new Promise<string>((done, failed) => {
        const args = ['--import', 'tsx', '--conditions=@warrant/source', child, path, name, '25'];
        const process_ = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
        let out = '';
        process_.stdout.on('data', (piece: Buffer) => {
          out += piece.toString();
        });
        process_.on('error', failed);
        process_.on('exit', () => done(out));
      });
    const printed = await Promise.all(['one', 'two'].map(run));
    const applied = printed.map((out) => Number(/applied (\d+)/.exec(out)?.[1]));
    expect((applied[0] ?? 0) + (applied[1] ?? 0)).toBe(25);
    const file = openSqlite(path);
    const { host } = world({ agents: [COUNTER], journal: createSqliteJournal(file) });
    expect((await host.state(A)).sessions[0]?.chart.data['n']).toBe(25);
    file.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a snapshot gives the same state as the whole stream, and one of another chart is passed over', async () => {
  const journal = createMemoryJournal();
  const deciders = { d: silent };
  const { host, open } = world({
    agents: [COUNTER],
    journal,
    deciders,
    snapshots: journal.snapshots,
    snapshotEvery: 7,
  });
  await host.spawn(A, 'agent');
  for (let index = 0; index < 20; index += 1) await host.send(A, { name: 'add' });
  const whole = await open({ snapshotEvery: 1000, deciders: {} }).state(A);
  expect(whole).toEqual(await host.state(A));
  expect(await journal.snapshots.load(`agents/${A}`, 'sha256:other')).toBeUndefined();
});

test.each([
  ['under a key of the kit', { secretMarks: { key: 'a key of sixteen bytes or more' } }],
  ['under a key of the host, where none is given', {}],
])('secrets are replaced before the append, and the step reads what is stored: %s', async (_, marks) => {
  const { host, journal, open } = world({ agents: [COUNTER], deciders: { d: silent }, ...marks });
  await host.spawn(A, 'agent');
  await host.send(A, { name: 'say', data: { text: 'my key is AKIAIOSFODNN7EXAMPLE, keep it' } });
  const state = await host.state(A);
  expect(state.sessions[0]?.chart.data['text']).toMatch(/^my key is \[secret:[0-9a-f]{16}\], keep it$/);
  expect(JSON.stringify(await collect(journal.readAll()))).not.toContain('AKIA');
  expect(await open({ deciders: {} }).state(A)).toEqual(state);
});

test('no secret comes into the record by the id of an event, and the event is still taken once', async () => {
  const { host, journal, open } = world({ agents: [COUNTER], deciders: { d: silent } });
  await host.spawn(A, 'agent');
  const said = { name: 'say', data: { text: 'x' }, id: 'for AKIAIOSFODNN7EXAMPLE' };
  expect(await host.send(A, said)).toMatchObject({ type: 'applied' });
  expect(await open().send(A, said)).toEqual({ type: 'duplicate' });
  expect(JSON.stringify(await collect(journal.readAll()))).not.toContain('AKIA');
});

test('people may answer through an inbox that holds no secrets either', async () => {
  const bare = createMemoryInbox();
  const secretMarks = { key: 'a key of sixteen bytes or more' };
  const inbox = createMarkedInbox(bare, secretMarks);
  const { host, journal } = world({
    agents: [
      definitionOf(`
data: { by: null }
states:
  a: { extensions: [{ local: decide, attribute: d }], on: { yes: { target: b, do: [{ assign: { location: by, expr: ev.data.by } }] } } }
  b: {}
`),
    ],
    deciders: { d: createHumanDecider({ inbox }) },
    secretMarks,
  });
  await host.spawn(A, 'agent');
  await eventually(async () => expect(await inbox.pending()).toHaveLength(1));
  const [question] = await inbox.pending({ kind: 'decision' });
  const { id: questionId, subject } = question ?? { id: '', subject: digest(0) };
  const secret = 'AKIAIOSFODNN7EXAMPLE';
  const answer = { questionId, subject, choice: 'yes', answeredBy: 'human:ann', answeredAt: AT };
  expect(await inbox.answer({ ...answer, payload: { by: `ann ${secret}` }, reason: secret })).toEqual({
    type: 'answered',
  });
  const mark = /^ann \[secret:[0-9a-f]{16}\]$/;
  const waited = await bare.wait(questionId);
  expect(waited).toMatchObject({ answer: { ...answer, payload: { by: expect.stringMatching(mark) as string } } });
  expect(JSON.stringify(waited)).not.toContain(secret);
  await eventually(async () => expect((await host.state(A)).sessions[0]?.chart.data['by']).toMatch(mark));
  expect(JSON.stringify(await collect(journal.readAll()))).not.toContain(secret);
  expect(await inbox.withdraw('none', 'x')).toEqual({ type: 'unknown' });
  expect(await inbox.consume(digest('none'), { by: 'x' })).toEqual({ type: 'none' });
});

test('an input that opens seven long offers at once is still recorded in 4 KiB, and each offer tells an event', async () => {
  const names = (region: number) =>
    Array.from({ length: 30 }, (_, event) => `a_rather_long_name_${region}_${event}: over`);
  const regions = Array.from(
    { length: 7 },
    (_, region) =>
      `      region_${region}: { extensions: [{ local: decide, attribute: decider }], on: { ${names(region).join(', ')} } }`,
  );
  const agent = definitionOf(
    `states:\n  idle: { on: { go: all } }\n  all:\n    type: parallel\n    states:\n${regions.join('\n')}\n  over: {}\n`,
  );
  const { host, journal } = world({ agents: [agent], deciders: { decider: silent } });
  await host.spawn(A, 'agent');
  await host.send(A, { name: 'go' });
  const [, entry] = await collect(journal.read(`agents/${A}`));
  expect(Buffer.byteLength(canonicalJson(entry?.data ?? null))).toBeLessThan(4096);
  const { decisions } = await provenanceOf(journal, A);
  expect(decisions).toHaveLength(7);
  for (const { offered } of decisions) expect(offered.length).toBeGreaterThan(0);
});

test('an input costs one append, and its entry little besides what was said', async () => {
  const model = createScriptedProvider([
    { content: { event: 'call.look', payload: {} } },
    { content: { event: 'finish', payload: 'x' } },
  ]);
  const agent = agentFromTools({ tools: { look: async () => 'seen', other: async () => 1 }, model });
  const journal = createMemoryJournal();
  await agent.run('t', { journal, actor: A });
  const entries = await collect(journal.read(`agents/${A}`));
  // Task, tool call, result, answer.
  expect(entries).toHaveLength(4);
  for (const { data } of entries) expect(Buffer.byteLength(canonicalJson(data))).toBeLessThan(4096);
});

test.each([
  ['an actor that is no IRI', 'agent 1', 'DECIDE_ACTOR_NAME'],
  ['an actor that never was', 'urn:agent:none', 'DECIDE_UNKNOWN_ACTOR'],
])('%s is refused with its code', async (_, actor, code) => {
  const { host } = world({ agents: [COUNTER], deciders: { d: silent } });
  await expect(host.send(actor, { name: 'add' })).rejects.toMatchObject({ code });
});

test('one name is one run: the same start again is none, another one is refused', async () => {
  const { host, open } = world({ agents: [COUNTER], deciders: { d: silent } });
  await host.spawn(A, 'agent', { n: 5 });
  expect(await open().spawn(A, 'agent', { n: 5 })).toEqual({ type: 'duplicate' });
  await expect(open().spawn(A, 'agent', { n: 6 })).rejects.toMatchObject({ code: 'DECIDE_ACTOR_EXISTS' });
  const other = { ...definitionOf('states: { a: {} }'), name: 'agent' };
  await expect(open({ agents: [other] }).send(A, { name: 'add' })).rejects.toMatchObject({
    code: 'DECIDE_UNKNOWN_CHART',
  });
});

test.each([
  ['no name', { host: '' }],
  ['a name of more than 200 bytes', { host: 'ä'.repeat(101) }],
  ['no lease', { leaseMs: 0 }],
  ['nobody in memory', { maxActive: 0 }],
  ['a snapshot of no input', { snapshotEvery: 0 }],
])('a host with %s is refused', (_, options) => {
  const { open } = world({ agents: [COUNTER] });
  expect(open({ host: 'ä'.repeat(100), leaseMs: 1, maxActive: 1, snapshotEvery: 1 }).name).toHaveLength(100);
  expect(() => open(options)).toThrow(expect.objectContaining({ code: 'DECIDE_OPTIONS' }));
});
