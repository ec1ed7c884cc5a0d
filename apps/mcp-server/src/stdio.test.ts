import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createWorkspace } from '@warrant/workspace';
import { afterEach, expect, test } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const POLICY = `review:
  policy:
    rules:
    - {name: weak, when: {max_confidence: 0.4}, action: block, reason: Too weak.}
    - {name: tools, when: {actor: scribe, kind: entity}, action: auto_approve}
`;

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** A client that talks to the server in a process of its own. */
async function connect(...words: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'boss', version: '1.0.0' });
  const main = join(import.meta.dirname, 'bin/warrant-mcp.ts');
  const args = ['--import', 'tsx', '--conditions=@warrant/source', main, ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: REPOSITORY }));
  open.push(client);
  return client;
}

function knowledgeBase(policy: string): string {
  const root = join(mkdtempSync(join(tmpdir(), 'warrant-mcp-')), '.vouch');
  for (const name of ['proposed', 'decided', 'entities']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'config.yaml'), policy);
  return root;
}

const entity = { id: 'crane', name: 'Crane', type: 'tool' };
const relation = { id: 'r', source: 'a', relation: 'uses', target: 'b', confidence: 0.1 };

test('lands, queues and refuses for a real client, as the actor of the server', async () => {
  const root = knowledgeBase(POLICY);
  const client = await connect('--kb', root, '--as', 'scribe');
  const landed = await client.callTool({ name: 'propose_entity', arguments: entity });
  expect(landed).toMatchObject({
    structuredContent: { status: 'approved', policy_rule: 'tools', auto_approved: true },
  });
  expect(landed.isError).toBeUndefined();
  expect(existsSync(join(root, 'entities/crane.yaml'))).toBe(true);
  expect(readFileSync(join(root, 'audit.log.jsonl'), 'utf8')).toMatch(/"actor":"scribe".*"proposal\.entity\.create"/);
  const queued = await client.callTool({ name: 'kb_propose_page', arguments: { id: 'p', title: 'P', body: 'text' } });
  expect(queued).toMatchObject({ structuredContent: { status: 'pending', policy_rule: null } });
  const refused = await client.callTool({ name: 'propose_relation', arguments: relation });
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'policy_blocked', rule: 'weak', reason: 'Too weak.' } },
  });
  const waiting = await client.callTool({ name: 'list_pending', arguments: {} });
  expect(waiting.structuredContent).toMatchObject({ proposals: [{ kind: 'page', proposed_by: 'scribe' }] });
  const text = (waiting.content as readonly { readonly text: string }[])[0]?.text ?? '';
  expect(JSON.parse(text)).toEqual(waiting.structuredContent);
});

test('nobody speaks for somebody else, and what the gate owns cannot be set', async () => {
  const root = knowledgeBase(POLICY);
  const client = await connect('--kb', root);
  for (const extra of [{ proposed_by: 'scribe' }, { status: 'stable' }, { auto_approved: true }]) {
    const ran = await client.callTool({ name: 'propose_entity', arguments: { ...entity, ...extra } });
    expect(ran).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_request' } } });
  }
  const own = await client.callTool({ name: 'propose_entity', arguments: entity });
  expect(own.structuredContent).toMatchObject({ status: 'pending' });
  const outside = await client.callTool({ name: 'propose_entity', arguments: { ...entity, id: '../../escaped' } });
  expect(outside).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_request' } } });
  await expect(client.callTool({ name: '__proto__', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  await expect(client.callTool({ name: 'approve', arguments: {} })).rejects.toMatchObject({ code: -32602 });
});

test('tools describe themselves; checking files nothing; a change of policy counts at once', async () => {
  const root = knowledgeBase(POLICY);
  const client = await connect('--kb', root, '--as', 'scribe');
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name).sort()).toEqual([
    'capabilities',
    'list_pending',
    'policy_check',
    'propose_claim',
    'propose_delete',
    'propose_entity',
    'propose_page',
    'propose_relation',
  ]);
  expect(tools.find((tool) => tool.name === 'propose_claim')).toMatchObject({
    inputSchema: { required: ['id', 'text'], properties: { confidence: { type: 'number', maximum: 1 } } },
    annotations: { readOnlyHint: false },
  });
  const check = { name: 'policy_check', arguments: { kind: 'relation', payload: relation } };
  const weak = { action: 'block', rule: 'weak', reason: 'Too weak.' };
  expect((await client.callTool(check)).structuredContent).toEqual(weak);
  expect((await client.callTool({ name: 'list_pending' })).structuredContent).toEqual({ proposals: [] });
  const before = await client.callTool({ name: 'capabilities' });
  expect(before.structuredContent).toMatchObject({ policy: { enabled: true, default_action: 'require_human' } });
  writeFileSync(join(root, 'config.yaml'), 'review: {policy: {default: maybe}}\n');
  const after = await client.callTool({ name: 'capabilities' });
  expect(after.structuredContent).toMatchObject({
    policy: { faults: [{ code: 'policy_bad_value', path: '/default' }] },
  });
  expect((await client.callTool(check)).structuredContent).toMatchObject({ action: 'require_human' });
});

test("serves a workspace's queue as its agent", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-mcp-'));
  await createWorkspace({ directory });
  const client = await connect('-C', directory);
  const queued = await client.callTool({ name: 'propose_entity', arguments: entity });
  expect(queued.structuredContent).toMatchObject({ status: 'pending' });
  const waiting = await client.callTool({ name: 'list_pending' });
  expect(waiting.structuredContent).toMatchObject({ proposals: [{ proposed_by: 'agent' }] });
});

test('without anything to serve it does not start', async () => {
  await expect(connect('-C', mkdtempSync(join(tmpdir(), 'warrant-mcp-')))).rejects.toThrow(/closed/i);
});
