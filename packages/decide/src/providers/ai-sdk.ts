import type { Json, JsonObject, Provider, ProviderFailure, ProviderRequest, ProviderResult } from '@warrant/core';
import { asObject, asText, failed, parseJson, toolNames } from './http.ts';

/** What this package needs of an AI SDK `LanguageModel` (specification 2, 3 and 4); only its form counts, nothing is imported. */
export type LanguageModelLike = {
  readonly modelId: string;
  doGenerate(options: {
    readonly prompt: readonly unknown[];
    readonly temperature?: number;
    readonly maxOutputTokens?: number;
    readonly responseFormat?: unknown;
    readonly tools?: readonly unknown[];
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{
    readonly content: readonly unknown[];
    readonly usage: unknown;
    readonly response?: { readonly modelId?: string };
  }>;
};

type Completed = Awaited<ReturnType<Provider['complete']>>;

/** Any language model of the AI SDK. */
export function createAiSdkProvider(model: LanguageModelLike): Provider {
  return {
    complete: async (request, signal) => {
      try {
        return resultOf(await model.doGenerate({ ...optionsOf(request), abortSignal: signal }), request, model.modelId);
      } catch (error) {
        return failed(classOf(error));
      }
    },
  };
}

function optionsOf({ prompt, temperature, maxTokens, output, tools }: ProviderRequest) {
  const names = [...toolNames(tools.map(({ iri }) => iri)).keys()];
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(output === undefined ? {} : { responseFormat: { type: 'json', schema: output } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool, index) => ({
            type: 'function',
            name: names[index] as string,
            description: tool.description ?? tool.iri,
            inputSchema: tool.arguments,
          })),
        }),
  };
}

function resultOf(
  generated: {
    readonly content: readonly unknown[];
    readonly usage: unknown;
    readonly response?: { readonly modelId?: string };
  },
  request: ProviderRequest,
  modelId: string,
): Completed {
  const usage = asObject(generated.usage as Json);
  const [promptTokens, completionTokens] = [countOf(usage['inputTokens']), countOf(usage['outputTokens'])];
  if (promptTokens === undefined || completionTokens === undefined) return failed('provider');
  const parts = (generated.content as readonly Json[]).map(asObject);
  const text = parts.flatMap((part) => (part['type'] === 'text' ? [asText(part['text'])] : [])).join('');
  const base = { model: generated.response?.modelId ?? modelId, usage: { promptTokens, completionTokens } };
  if (request.output !== undefined) {
    const value = parseJson(text);
    return value === undefined ? failed('schema') : { type: 'ok', result: { ...base, content: value, toolCalls: [] } };
  }
  const names = toolNames(request.tools.map(({ iri }) => iri));
  const toolCalls: ProviderResult['toolCalls'] = parts
    .filter((part) => part['type'] === 'tool-call')
    .map((part) => ({
      tool: names.get(asText(part['toolName'])) ?? asText(part['toolName']),
      arguments: inputOf(part['input']),
    }));
  return { type: 'ok', result: { ...base, content: text, toolCalls } };
}

/** A number, or from specification 3 on an object with the total. */
function countOf(value: Json | undefined): number | undefined {
  const count = typeof value === 'number' ? value : asObject(value)['total'];
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function inputOf(input: Json | undefined): JsonObject {
  return asObject(typeof input === 'string' ? parseJson(input) : input);
}

function classOf(error: unknown): ProviderFailure['class'] {
  const { statusCode } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly statusCode?: unknown;
  };
  if (typeof statusCode !== 'number') return 'transport';
  if (statusCode === 429) return 'rate-limited';
  if (statusCode === 401 || statusCode === 403) return 'auth';
  return statusCode >= 400 && statusCode < 500 ? 'invalid-request' : 'provider';
}
