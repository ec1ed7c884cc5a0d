import {
  canonicalJson,
  type Json,
  type Provider,
  type ProviderFailure,
  type ProviderRequest,
  type ProviderResult,
} from '@warrant/core';

export type ScriptedReply =
  | {
      readonly content: Json;
      readonly toolCalls?: ProviderResult['toolCalls'];
      readonly usage?: ProviderResult['usage'];
    }
  | { readonly failure: ProviderFailure };
export type ScriptedProvider = Provider & {
  /** Everything it was asked, in order. */
  readonly requests: readonly ProviderRequest[];
  push(...replies: readonly ScriptedReply[]): void;
};

/** Answers from a script: no network, no key, the same every time. Without a reply left it fails as `provider`. */
export function createScriptedProvider(
  script: readonly (ScriptedReply | ((request: ProviderRequest) => ScriptedReply))[] = [],
): ScriptedProvider {
  const left = [...script];
  const requests: ProviderRequest[] = [];
  return {
    requests,
    push: (...replies) => void left.push(...replies),
    complete: async (request) => {
      requests.push(request);
      const next = left.shift();
      const reply = typeof next === 'function' ? next(request) : next;
      if (reply === undefined) return { type: 'failed', failure: { class: 'provider' } };
      if ('failure' in reply) return { type: 'failed', failure: reply.failure };
      const { content, toolCalls = [], usage = countWords(request.prompt, content) } = reply;
      return { type: 'ok', result: { content, model: request.model || 'scripted', usage, toolCalls } };
    },
  };
}

/** A usage that is the same every time: words, as a stand-in for tokens. */
function countWords(prompt: string, content: Json): ProviderResult['usage'] {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
  return { promptTokens: words(prompt), completionTokens: words(canonicalJson(content)) };
}
