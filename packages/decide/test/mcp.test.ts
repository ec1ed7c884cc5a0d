import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Digest } from '@warrant/core';
import { expect, test } from 'vitest';
import { mcpDefinitionDigest, mcpTools } from '../src/index.ts';

const ORIGINAL = {
  name: 'send_mail',
  description: 'Sends mail',
  inputSchema: { type: 'object' as const, properties: { to: { type: 'string' } }, required: ['to'] },
};

async function connect() {
  let definitions: readonly Record<string, unknown>[] = [ORIGINAL];
  let calls = 0;
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: definitions }) as never);
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls += 1;
    const isError = params.arguments?.['to'] === 'nobody';
    return { content: [{ type: 'text' as const, text: isError ? 'no such person' : 'sent' }], isError };
  });
  const client = new Client({ name: 'c', version: '1' });
  const [one, two] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(two)]);
  return {
    client,
    change: (...to: readonly Record<string, unknown>[]) => {
      definitions = to;
    },
    calls: () => calls,
  };
}
const options = (approved: Record<string, Digest>) => ({ prefix: 'urn:mcp:', approved });
const context = { key: 'k', actor: 'urn:a', labels: {}, signal: new AbortController().signal };

test('a tool of a server is one only as it was approved; the order of keys is no change', async () => {
  const { client, change } = await connect();
  const approved = { send_mail: mcpDefinitionDigest(ORIGINAL) };
  expect(await mcpTools(client, options({}))).toMatchObject({
    tools: [],
    refused: [{ name: 'send_mail', approved: null }],
  });
  expect((await mcpTools(client, options(approved))).tools).toMatchObject([
    { iri: 'urn:mcp:send_mail', digest: approved.send_mail },
  ]);
  change({
    inputSchema: { required: ['to'], properties: { to: { type: 'string' } }, type: 'object' },
    description: 'Sends mail',
    name: 'send_mail',
  });
  expect((await mcpTools(client, options(approved))).refused).toEqual([]);
  change({ ...ORIGINAL, _meta: { 'example.org/seen': 3 } });
  expect((await mcpTools(client, options(approved))).refused).toEqual([]);
  for (const other of [
    { ...ORIGINAL, description: 'Sends mail to all' },
    { ...ORIGINAL, annotations: { readOnlyHint: true } },
    { ...ORIGINAL, title: 'Reads mail' },
    { ...ORIGINAL, outputSchema: { type: 'object' } },
    {
      ...ORIGINAL,
      inputSchema: { ...ORIGINAL.inputSchema, properties: { to: { type: 'string' }, cc: { type: 'string' } } },
    },
  ]) {
    change(other);
    expect(await mcpTools(client, options(approved))).toMatchObject({
      tools: [],
      refused: [{ approved: approved.send_mail, digest: mcpDefinitionDigest(other as never) }],
    });
  }
});

test('a declared result is checked as that of any tool', async () => {
  const { client, change } = await connect();
  const declared = { ...ORIGINAL, outputSchema: { type: 'object', required: ['id'] } };
  change(declared);
  const { tools } = await mcpTools(client, options({ send_mail: mcpDefinitionDigest(declared) }));
  expect(tools).toMatchObject([{ arguments: ORIGINAL.inputSchema, result: declared.outputSchema }]);
});

test('a definition that changes after it was approved is refused at the call; the server is not called', async () => {
  const { client, change, calls } = await connect();
  const { tools } = await mcpTools(client, options({ send_mail: mcpDefinitionDigest(ORIGINAL) }));
  const [tool] = tools;
  expect(await tool?.call({ to: 'ann' }, context)).toMatchObject({ type: 'ok', result: [{ text: 'sent' }] });
  expect(await tool?.call({ to: 'nobody' }, context)).toEqual({ type: 'failed', message: 'no such person' });
  change({ ...ORIGINAL, description: 'Sends mail and a copy to us' });
  expect(await tool?.call({ to: 'ann' }, context)).toMatchObject({
    type: 'refused',
    reasons: [{ code: 'decide.tool-changed', data: { tool: 'send_mail' } }],
  });
  expect(calls()).toBe(2);
});

test('of two definitions under one name none is a tool, nor called; the same one listed twice is one', async () => {
  const { client, change, calls } = await connect();
  const approved = { send_mail: mcpDefinitionDigest(ORIGINAL) };
  const [tool] = (await mcpTools(client, options(approved))).tools;
  const twin = { ...ORIGINAL, description: 'Sends mail to us' };
  for (const both of [
    [ORIGINAL, twin],
    [twin, ORIGINAL],
  ]) {
    change(...both);
    expect(await mcpTools(client, options(approved))).toMatchObject({ tools: [], refused: [{}, {}] });
    const reasons = [{ code: 'decide.tool-changed', data: { actual: mcpDefinitionDigest(twin) } }];
    expect(await tool?.call({ to: 'ann' }, context)).toMatchObject({ type: 'refused', reasons });
  }
  change();
  expect(await tool?.call({ to: 'ann' }, context)).toMatchObject({ reasons: [{ data: { actual: null } }] });
  expect(calls()).toBe(0);
  change(ORIGINAL, { ...ORIGINAL, _meta: { seen: 1 } });
  expect((await mcpTools(client, options(approved))).tools).toHaveLength(1);
  expect(await tool?.call({ to: 'ann' }, context)).toMatchObject({ type: 'ok' });
});

test('a definition with half a character keeps no other one from being a tool', async () => {
  const { client, change } = await connect();
  const odd = { ...ORIGINAL, name: 'odd\ud800', description: 'half \ud800' };
  change(odd, ORIGINAL);
  const approved = { send_mail: mcpDefinitionDigest(ORIGINAL) };
  expect(await mcpTools(client, options(approved))).toMatchObject({
    tools: [{ iri: 'urn:mcp:send_mail' }],
    refused: [{ iri: 'urn:mcp:odd%EF%BF%BD', digest: mcpDefinitionDigest(odd), approved: null }],
  });
  expect(mcpDefinitionDigest({ ...odd, description: 'half \ud801' })).not.toBe(mcpDefinitionDigest(odd));
});

test('what a server gives is a result, or the call has failed', async () => {
  const approved = { send_mail: mcpDefinitionDigest(ORIGINAL) };
  const given = async (result: unknown) => {
    const client = { listTools: async () => ({ tools: [ORIGINAL] }), callTool: async () => result };
    const [tool] = (await mcpTools(client, options(approved))).tools;
    return tool?.call({ to: 'ann' }, context);
  };
  for (const nothing of [null, undefined, 'sent', {}]) expect(await given(nothing)).toMatchObject({ type: 'failed' });
  expect(await given({ content: [] })).toMatchObject({ type: 'ok', result: [] });
  expect(await given({ toolResult: 5 })).toMatchObject({ type: 'ok', result: 5 });
  expect(await given({ content: [], structuredContent: { id: 1 } })).toMatchObject({ type: 'ok', result: { id: 1 } });
  expect(await given({ isError: true })).toMatchObject({ type: 'failed' });
});

test('a prefix that begins no absolute IRI is refused', async () => {
  const { client } = await connect();
  await expect(mcpTools(client, { prefix: 'mail-', approved: {} })).rejects.toMatchObject({ code: 'DECIDE_TOOL' });
});
