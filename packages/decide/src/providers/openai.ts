import type { Json, JsonObject, Provider, ProviderFailure, ProviderRequest, ProviderResult } from '@warrant/core';
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

export type OpenAiOptions = {
  readonly apiKey: string;
  /** Usually the platform's own `fetch`. */
  readonly fetch: FetchLike;
  /** @default https://api.openai.com */
  readonly baseUrl?: string;
  /** @default 120000 */
  readonly timeoutMs?: number;
};

type Completed = Awaited<ReturnType<Provider['complete']>>;

/** The OpenAI Responses API over a `fetch` of your own. Its structured outputs know no oneOf: such a schema is refused here already, so that a decider takes the next form. @see https://platform.openai.com/docs/api-reference/responses */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const http: HttpOptions = {
    fetch: options.fetch,
    url: `${(options.baseUrl ?? 'https://api.openai.com').replace(/\/$/, '')}/v1/responses`,
    headers: { authorization: `Bearer ${options.apiKey}` },
    timeoutMs: options.timeoutMs ?? 120_000,
  };
  return {
    complete: async (request, signal) => {
      if (hasOneOf(request.output)) return failed('invalid-request');
      const answered = await postJson(bodyOf(request), http, signal);
      return answered.type === 'failed' ? answered : resultOf(answered.value, request);
    },
    async *stream(request, signal) {
      if (hasOneOf(request.output)) return yield failed('invalid-request');
      let response: JsonObject | undefined;
      for await (const event of postStream({ ...bodyOf(request), stream: true }, http, signal)) {
        if (event.type === 'failed') return yield event;
        const { type, delta } = event.value;
        if (type === 'response.output_text.delta' && typeof delta === 'string') yield { type: 'partial', text: delta };
        if (type === 'response.completed' || type === 'response.incomplete')
          response = asObject(event.value['response']);
        if (type === 'error') return yield failed(errorClass(event.value));
        if (type === 'response.failed') return yield failed(errorClass(asObject(event.value['response'])['error']));
      }
      yield response === undefined ? failed('transport') : resultOf(response, request);
    },
  };
}

function hasOneOf(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([name, member]) => (name === 'oneOf' && !Array.isArray(schema)) || hasOneOf(member),
  );
}

function bodyOf({ prompt, model, temperature, maxTokens, output, tools }: ProviderRequest): JsonObject {
  const names = [...toolNames(tools.map(({ iri }) => iri)).keys()];
  return {
    model,
    input: prompt,
    store: false,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(output === undefined
      ? {}
      : { text: { format: { type: 'json_schema', name: 'answer', strict: false, schema: wrapped(output) } } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool, index) => ({
            type: 'function',
            name: names[index] as string,
            description: tool.description ?? tool.iri,
            parameters: tool.arguments,
            strict: false,
          })),
        }),
  };
}

function resultOf(response: JsonObject, request: ProviderRequest): Completed {
  const usage = asObject(response['usage']);
  const [promptTokens, completionTokens] = [usage['input_tokens'], usage['output_tokens']];
  if (response['status'] === 'failed') return failed(errorClass(response['error']));
  if (typeof promptTokens !== 'number' || typeof completionTokens !== 'number') return failed('provider');
  const items = asList(response['output']).map(asObject);
  const parts = items.flatMap((item) => (item['type'] === 'message' ? asList(item['content']).map(asObject) : []));
  const text = parts.flatMap((part) => (part['type'] === 'output_text' ? [asText(part['text'])] : [])).join('');
  const base = {
    model: typeof response['model'] === 'string' ? response['model'] : request.model,
    usage: { promptTokens, completionTokens },
  };
  if (request.output !== undefined) {
    const value = asObject(parseJson(text))['value'];
    return value === undefined ? failed('schema') : { type: 'ok', result: { ...base, content: value, toolCalls: [] } };
  }
  const names = toolNames(request.tools.map(({ iri }) => iri));
  const toolCalls: ProviderResult['toolCalls'] = items
    .filter((item) => item['type'] === 'function_call')
    .map((item) => ({
      tool: names.get(asText(item['name'])) ?? asText(item['name']),
      arguments: asObject(parseJson(asText(item['arguments']))),
    }));
  return { type: 'ok', result: { ...base, content: text, toolCalls } };
}

/** Of an answer that came with status 200 and yet failed. */
function errorClass(error: Json | undefined): ProviderFailure['class'] {
  const { code } = asObject(error);
  if (code === 'rate_limit_exceeded') return 'rate-limited';
  return code === 'invalid_prompt' ? 'invalid-request' : 'provider';
}
