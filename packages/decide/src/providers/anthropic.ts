import type { Json, JsonObject, Provider, ProviderRequest, ProviderResult } from '@warrant/core';
import {
  asList,
  asObject,
  asText,
  type FetchLike,
  failed,
  type HttpOptions,
  parseJson,
  postJson,
  postStream,
  toolNames,
  wrapped,
} from './http.ts';

export type AnthropicOptions = {
  readonly apiKey: string;
  /** Usually the platform's own `fetch`. */
  readonly fetch: FetchLike;
  /** @default https://api.anthropic.com */
  readonly baseUrl?: string;
  /** @default 4096 */
  readonly maxTokens?: number;
  /** @default 120000 */
  readonly timeoutMs?: number;
};

type Completed = Awaited<ReturnType<Provider['complete']>>;
const ANSWER = 'answer';

/** The Anthropic Messages API over a `fetch` of your own. A structured answer is a forced tool. @see https://docs.anthropic.com/en/api/messages */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const http: HttpOptions = {
    fetch: options.fetch,
    url: `${(options.baseUrl ?? 'https://api.anthropic.com').replace(/\/$/, '')}/v1/messages`,
    headers: { 'x-api-key': options.apiKey, 'anthropic-version': '2023-06-01' },
    timeoutMs: options.timeoutMs ?? 120_000,
  };
  return {
    complete: async (request, signal) => {
      const answered = await postJson(bodyOf(request, options), http, signal);
      return answered.type === 'failed' ? answered : resultOf(answered.value, request);
    },
    async *stream(request, signal) {
      const message: Message = { content: [], texts: [], usage: {}, model: request.model, stop: undefined };
      for await (const event of postStream({ ...bodyOf(request, options), stream: true }, http, signal)) {
        if (event.type === 'failed') return yield event;
        if (event.value['type'] === 'error') return yield failed(errorClass(event.value));
        const partial = accumulate(message, event.value);
        if (partial !== undefined) yield { type: 'partial', text: partial };
      }
      // A stream that ends before the message does was cut off.
      yield message.stop === undefined ? failed('transport') : resultOf(messageOf(message), request);
    },
  };
}

function bodyOf(request: ProviderRequest, options: AnthropicOptions): JsonObject {
  const { prompt, model, temperature, maxTokens, output, tools } = request;
  const names = [...toolNames(tools.map(({ iri }) => iri)).keys()];
  const offered = tools.map((tool, index) => ({
    name: names[index] as string,
    description: tool.description ?? tool.iri,
    input_schema: tool.arguments,
  }));
  return {
    model,
    max_tokens: maxTokens ?? options.maxTokens ?? 4096,
    messages: [{ role: 'user', content: prompt }],
    ...(temperature === undefined ? {} : { temperature }),
    ...(output === undefined ? {} : { tools: [answerTool(output)], tool_choice: { type: 'tool', name: ANSWER } }),
    ...(output === undefined && offered.length > 0 ? { tools: offered } : {}),
  };
}

function answerTool(output: JsonObject): JsonObject {
  return { name: ANSWER, description: 'Give the answer in this form.', input_schema: wrapped(output) };
}

function resultOf(message: JsonObject, request: ProviderRequest): Completed {
  const usage = asObject(message['usage']);
  const [promptTokens, completionTokens] = [usage['input_tokens'], usage['output_tokens']];
  const blocks = asList(message['content']).map(asObject);
  if (typeof promptTokens !== 'number' || typeof completionTokens !== 'number' || !Array.isArray(message['content']))
    return failed('provider');
  const model = typeof message['model'] === 'string' ? message['model'] : request.model;
  const base = { model, usage: { promptTokens, completionTokens } };
  const uses = blocks.filter((block) => block['type'] === 'tool_use');
  if (request.output !== undefined) {
    const answer = uses.find((block) => block['name'] === ANSWER);
    const value = answer && asObject(answer['input'])['value'];
    return value === undefined ? failed('schema') : { type: 'ok', result: { ...base, content: value, toolCalls: [] } };
  }
  const text = blocks.flatMap((block) => (block['type'] === 'text' ? [asText(block['text'])] : [])).join('');
  const names = toolNames(request.tools.map(({ iri }) => iri));
  const toolCalls: ProviderResult['toolCalls'] = uses.map((block) => ({
    tool: names.get(asText(block['name'])) ?? asText(block['name']),
    arguments: asObject(block['input']),
  }));
  return { type: 'ok', result: { ...base, content: text, toolCalls } };
}

type Message = {
  readonly content: { [name: string]: Json }[];
  readonly texts: string[];
  usage: JsonObject;
  model: string;
  stop: Json | undefined;
};

/** Takes one event of a stream; gives the text that it adds. */
function accumulate(message: Message, event: JsonObject): string | undefined {
  const index = Number(event['index']);
  switch (event['type']) {
    case 'message_start': {
      const start = asObject(event['message']);
      message.usage = asObject(start['usage']);
      if (typeof start['model'] === 'string') message.model = start['model'];
      return undefined;
    }
    case 'content_block_start':
      message.content[index] = { ...asObject(event['content_block']) };
      message.texts[index] = '';
      return undefined;
    case 'content_block_delta': {
      const { text, partial_json: json } = asObject(event['delta']) as {
        readonly text?: string;
        readonly partial_json?: string;
      };
      message.texts[index] = (message.texts[index] ?? '') + (text ?? json ?? '');
      return text;
    }
    case 'message_delta':
      message.usage = { ...message.usage, ...asObject(event['usage']) };
      return undefined;
    case 'message_stop':
      message.stop = true;
      return undefined;
    default:
      return undefined;
  }
}

function messageOf({ content, texts, usage, model }: Message): JsonObject {
  const blocks = content.map((block, index): JsonObject => {
    const text = texts[index] ?? '';
    if (block['type'] === 'text') return { ...block, text };
    return text === '' ? block : { ...block, input: parseJson(text) ?? null };
  });
  return { content: blocks, usage, model };
}

function errorClass(event: JsonObject) {
  const type = asObject(event['error'])['type'];
  if (type === 'rate_limit_error' || type === 'overloaded_error') return 'rate-limited' as const;
  if (type === 'authentication_error' || type === 'permission_error') return 'auth' as const;
  return type === 'invalid_request_error' ? ('invalid-request' as const) : ('provider' as const);
}
