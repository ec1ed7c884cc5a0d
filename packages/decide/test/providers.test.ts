import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider, ProviderRequest } from '@warrant/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAiSdkProvider, createAnthropicProvider, createOpenAiProvider } from '../src/index.ts';

/** Answers as told, and notes what it was sent. */
type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;
let behave: Behaviour = (response) => void response.end();
let received:
  | { readonly body: Record<string, unknown>; readonly headers: IncomingMessage['headers']; readonly url: string }
  | undefined;
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  request.on('end', () => {
    received = { body: JSON.parse(text) as Record<string, unknown>, headers: request.headers, url: request.url ?? '' };
    behave(response, request);
  });
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const { signal } = new AbortController();
const request: ProviderRequest = {
  prompt: 'Hi',
  model: 'm1',
  temperature: 0.5,
  tools: [{ iri: 'urn:tool:look-up', description: 'Looks up', arguments: { type: 'object' } }],
};
const output = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const events =
  (items: readonly object[], cut = false): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const item of items) response.write(`event: x\ndata: ${JSON.stringify(item)}\n\n`);
    if (cut) response.destroy();
    else response.end();
  };

const anthropic = (timeoutMs = 30_000) => createAnthropicProvider({ apiKey: 'key-1', fetch, baseUrl, timeoutMs });
const openai = (timeoutMs = 30_000) => createOpenAiProvider({ apiKey: 'key-1', fetch, baseUrl, timeoutMs });
const MESSAGE = {
  type: 'message',
  model: 'm1-real',
  content: [
    { type: 'text', text: 'Hello' },
    { type: 'tool_use', name: 'look-up', input: { q: 1 } },
  ],
  usage: { input_tokens: 5, output_tokens: 6 },
};
const RESPONSE = {
  status: 'completed',
  model: 'm1-real',
  output: [
    { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
    { type: 'function_call', name: 'look-up', arguments: '{"q":1}' },
  ],
  usage: { input_tokens: 5, output_tokens: 6 },
};
const RESULT = {
  content: 'Hello',
  model: 'm1-real',
  usage: { promptTokens: 5, completionTokens: 6 },
  toolCalls: [{ tool: 'urn:tool:look-up', arguments: { q: 1 } }],
};

async function streamed(provider: Provider, asked: ProviderRequest = request) {
  const items = [];
  for await (const item of provider.stream?.(asked, signal) ?? []) items.push(item);
  return items;
}

describe.each([
  ['Anthropic Messages', anthropic, MESSAGE],
  ['OpenAI Responses', openai, RESPONSE],
])('%s', (_, make, whole) => {
  test('gives text, tool calls, usage and the model that answered', async () => {
    behave = json(whole);
    expect(await make().complete(request, signal)).toEqual({ type: 'ok', result: RESULT });
  });

  test.each<[string, Behaviour, object]>([
    ['a rate limit', json({}, 429, { 'retry-after': '7' }), { class: 'rate-limited', retryAfterMs: 7000 }],
    [
      'a rate limit with a date',
      json({}, 429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      { class: 'rate-limited' },
    ],
    ['a wrong key', json({}, 401), { class: 'auth' }],
    ['a bad request', json({}, 400), { class: 'invalid-request' }],
    ['a fault of the server', json({}, 500), { class: 'provider' }],
    ['an overloaded server', json({}, 529), { class: 'rate-limited' }],
    ['broken JSON', (response) => void response.end('{"content": ['), { class: 'transport' }],
    ['JSON that is no object', json([1]), { class: 'transport' }],
    ['an answer without usage', json({ ...whole, usage: undefined }), { class: 'provider' }],
    ['text that is no UTF-8', (response) => void response.end(Buffer.from([0x7b, 0xff, 0xfe])), { class: 'transport' }],
    [
      'a cut body',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"a":');
        setTimeout(() => response.destroy(), 20);
      },
      { class: 'transport' },
    ],
    ['a cut connection', (response) => void response.destroy(), { class: 'transport' }],
  ])('says of %s what it was', async (_name, behaviour, failure) => {
    behave = behaviour;
    expect(await make().complete(request, signal)).toEqual({ type: 'failed', failure });
  });

  test('does not wait for a body that never ends', async () => {
    behave = (response) => {
      response.writeHead(200);
      response.write('{');
    };
    expect(await make(100).complete(request, signal)).toEqual({ type: 'failed', failure: { class: 'transport' } });
  });

  test('stops when it is told to', async () => {
    const stop = new AbortController();
    behave = () => stop.abort();
    expect(await make().complete(request, stop.signal)).toEqual({ type: 'failed', failure: { class: 'transport' } });
  });

  test('does not throw when nobody listens', async () => {
    const provider =
      make === anthropic
        ? createAnthropicProvider({ apiKey: 'k', fetch, baseUrl: 'http://127.0.0.1:1' })
        : createOpenAiProvider({ apiKey: 'k', fetch, baseUrl: 'http://127.0.0.1:1' });
    expect(await provider.complete(request, signal)).toEqual({ type: 'failed', failure: { class: 'transport' } });
  });
});

describe('Anthropic Messages', () => {
  test('is asked as the vendor documents', async () => {
    behave = json(MESSAGE);
    await anthropic().complete(request, signal);
    expect(received).toMatchObject({
      url: '/v1/messages',
      headers: { 'x-api-key': 'key-1', 'anthropic-version': '2023-06-01' },
    });
    expect(received?.body).toEqual({
      model: 'm1',
      max_tokens: 4096,
      temperature: 0.5,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'look-up', description: 'Looks up', input_schema: { type: 'object' } }],
    });
  });

  test('gives a structured answer through a forced tool, or says that there is none', async () => {
    behave = json({ ...MESSAGE, content: [{ type: 'tool_use', name: 'answer', input: { value: { n: 1 } } }] });
    expect(await anthropic().complete({ ...request, output }, signal)).toMatchObject({ result: { content: { n: 1 } } });
    expect(received?.body['tool_choice']).toEqual({ type: 'tool', name: 'answer' });
    behave = json(MESSAGE);
    expect(await anthropic().complete({ ...request, output }, signal)).toEqual({
      type: 'failed',
      failure: { class: 'schema' },
    });
  });

  const STREAM = [
    { type: 'message_start', message: { model: 'm1-real', usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'look-up', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"q":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '1}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 6 } },
    { type: 'message_stop' },
  ];
  test('streams text and ends with the whole', async () => {
    behave = events(STREAM);
    expect(await streamed(anthropic())).toEqual([
      { type: 'partial', text: 'Hel' },
      { type: 'partial', text: 'lo' },
      { type: 'ok', result: RESULT },
    ]);
  });
  test.each([
    ['ends early', events(STREAM.slice(0, 5)), 'transport'],
    ['is cut', events(STREAM.slice(0, 5), true), 'transport'],
    [
      'reports that it is overloaded',
      events([...STREAM.slice(0, 3), { type: 'error', error: { type: 'overloaded_error' } }]),
      'rate-limited',
    ],
  ])('says of a stream that %s what it was', async (_, behaviour, failure) => {
    behave = behaviour;
    expect((await streamed(anthropic())).at(-1)).toEqual({ type: 'failed', failure: { class: failure } });
  });
});

describe.each([
  ['Anthropic', anthropic],
  ['OpenAI', openai],
])('a stream of %s', (_, make) => {
  test.each([null, 3, [1]])('that brings %j is a fault of the transport', async (item) => {
    behave = events([item as unknown as object]);
    expect(await streamed(make())).toEqual([{ type: 'failed', failure: { class: 'transport' } }]);
  });
});

test('an event is whole in however many pieces it comes', async () => {
  const text = [
    { type: 'response.output_text.delta', delta: 'Hi' },
    { type: 'response.completed', response: RESPONSE },
  ]
    .map((item) => `event: x\r\ndata: ${JSON.stringify(item)}\r\n\r\n`)
    .join('');
  behave = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const next = (at: number): void =>
      at < text.length ? void setImmediate(() => response.write(text[at]) && next(at + 1)) : void response.end();
    next(0);
  };
  expect(await streamed(openai())).toEqual([
    { type: 'partial', text: 'Hi' },
    { type: 'ok', result: RESULT },
  ]);
});

describe('OpenAI Responses', () => {
  test('is asked as the vendor documents', async () => {
    behave = json(RESPONSE);
    await openai().complete({ ...request, output, maxTokens: 10 }, signal);
    expect(received).toMatchObject({ url: '/v1/responses', headers: { authorization: 'Bearer key-1' } });
    expect(received?.body).toMatchObject({
      model: 'm1',
      input: 'Hi',
      store: false,
      max_output_tokens: 10,
      text: { format: { type: 'json_schema', strict: false, schema: { properties: { value: output } } } },
      tools: [{ type: 'function', name: 'look-up', parameters: { type: 'object' } }],
    });
  });

  test('refuses oneOf by itself, wherever it stands, and takes anyOf', async () => {
    received = undefined;
    behave = json({
      ...RESPONSE,
      output: [{ type: 'message', content: [{ type: 'output_text', text: '{"value":1}' }] }],
    });
    for (const schema of [{ oneOf: [{}] }, { properties: { a: { oneOf: [{}] } } }])
      expect(await openai().complete({ ...request, output: schema }, signal)).toEqual({
        type: 'failed',
        failure: { class: 'invalid-request' },
      });
    expect(received).toBeUndefined();
    expect(await openai().complete({ ...request, output: { anyOf: [{}] } }, signal)).toMatchObject({
      result: { content: 1 },
    });
  });

  test('streams text and ends with the whole; an early end is a fault of the transport', async () => {
    const deltas = ['Hel', 'lo'].map((delta) => ({ type: 'response.output_text.delta', delta }));
    behave = events([...deltas, { type: 'response.completed', response: RESPONSE }]);
    expect(await streamed(openai())).toEqual([
      { type: 'partial', text: 'Hel' },
      { type: 'partial', text: 'lo' },
      { type: 'ok', result: RESULT },
    ]);
    behave = events(deltas);
    expect((await streamed(openai())).at(-1)).toEqual({ type: 'failed', failure: { class: 'transport' } });
    behave = events([{ type: 'response.failed' }]);
    expect(await streamed(openai())).toEqual([{ type: 'failed', failure: { class: 'provider' } }]);
  });

  test.each([
    ['rate_limit_exceeded', 'rate-limited'],
    ['invalid_prompt', 'invalid-request'],
    ['server_error', 'provider'],
  ])('says of an answer that failed by %s what it was, whole or streamed', async (code, failure) => {
    const failed = { type: 'failed', failure: { class: failure } };
    behave = json({ ...RESPONSE, status: 'failed', error: { code }, usage: null });
    expect(await openai().complete(request, signal)).toEqual(failed);
    behave = events([{ type: 'error', code }]);
    expect(await streamed(openai())).toEqual([failed]);
    behave = events([{ type: 'response.failed', response: { error: { code } } }]);
    expect(await streamed(openai())).toEqual([failed]);
  });
});

describe('a language model of the AI SDK', () => {
  const content = [
    { type: 'text', text: 'Hello' },
    { type: 'tool-call', toolName: 'look-up', input: '{"q":1}' },
  ];
  test.each([
    ['numbers', { inputTokens: 5, outputTokens: 6 }],
    ['objects with totals', { inputTokens: { total: 5 }, outputTokens: { total: 6 } }],
  ])('is asked through its form alone; usage in %s', async (_, usage) => {
    const asked: unknown[] = [];
    const provider = createAiSdkProvider({
      modelId: 'm0',
      doGenerate: async (options) => {
        asked.push(options);
        return { content, usage, response: { modelId: 'm1-real' } };
      },
    });
    expect(await provider.complete(request, signal)).toEqual({ type: 'ok', result: RESULT });
    expect(asked).toMatchObject([{ prompt: [{ role: 'user' }], temperature: 0.5, tools: [{ name: 'look-up' }] }]);
  });
  test.each([
    [{ statusCode: 429 }, 'rate-limited'],
    [{ statusCode: 403 }, 'auth'],
    [{ statusCode: 422 }, 'invalid-request'],
    [{ statusCode: 503 }, 'provider'],
    [{}, 'transport'],
  ])('that throws %j fails as %s', async (error, failure) => {
    const provider = createAiSdkProvider({
      modelId: 'm',
      doGenerate: () => Promise.reject(Object.assign(new Error('x'), error)),
    });
    expect(await provider.complete(request, signal)).toEqual({ type: 'failed', failure: { class: failure } });
  });
});
