import {
  type Annotations,
  type Candidate,
  canonicalJson,
  type Decider,
  type DecisionRequest,
  digestBytes,
  type Json,
  type JsonObject,
  type Provider,
  type ProviderFailure,
  type ProviderResult,
} from '@warrant/core';
import type { DeciderAnswer } from '../kit.ts';
import { shareDefinitions } from './definitions.ts';

/** How the shape of an answer is described to a provider. */
export type AnswerForm = 'oneOf' | 'anyOf' | 'enum';

export type LlmDeciderOptions = {
  readonly provider: Provider;
  readonly model: string;
  readonly instructions?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Tried in order: a provider that refuses a form as invalid is asked with the next one. @default oneOf, anyOf, enum */
  readonly forms?: readonly AnswerForm[];
};

/** Asks a model for one of the offered events as structured output. What it answers is checked again by the chart, whatever the provider promised. */
export function createLlmDecider(options: LlmDeciderOptions): Decider {
  const forms = options.forms ?? (['oneOf', 'anyOf', 'enum'] as const);
  let first = 0;
  return {
    kind: 'llm',
    decide: async (request, signal): Promise<DeciderAnswer> => {
      const prompt = promptOf(request, options.instructions);
      const promptHash = digestBytes(prompt);
      for (let at = first; ; at += 1) {
        const form = forms[at] ?? 'enum';
        const { model, temperature, maxTokens } = options;
        const answer = await options.provider.complete(
          {
            prompt,
            model,
            output: answerSchema(request.candidates, form),
            tools: [],
            ...(temperature === undefined ? {} : { temperature }),
            ...(maxTokens === undefined ? {} : { maxTokens }),
          },
          signal,
        );
        if (answer.type === 'ok') {
          // The forms before were not to its liking. A question that it takes in no form says nothing of forms.
          first = Math.max(first, at);
          return decisionOf(answer.result, promptHash);
        }
        if (answer.failure.class !== 'invalid-request' || at + 1 >= forms.length) return refusal(answer.failure);
      }
    },
  };
}

function refusal(failure: ProviderFailure): DeciderAnswer {
  return { type: 'refusal', reason: `llm.${failure.class}` };
}

function decisionOf(result: ProviderResult, promptHash: `sha256:${string}`): DeciderAnswer {
  const { model, usage, content } = result;
  const spent: Annotations = { model, usage, promptHash };
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return notADecision(spent);
  const { event, payload = null, rationale, confidence } = content as JsonObject;
  if (typeof event !== 'string') return notADecision(spent);
  const annotations = {
    ...spent,
    ...(rationale === undefined || rationale === null ? {} : { rationale }),
    ...(confidence === undefined || confidence === null ? {} : { confidence }),
  } as Annotations;
  return { type: 'decision', event, payload, annotations };
}

function notADecision(annotations: Annotations): DeciderAnswer {
  return { type: 'refusal', reason: 'not-a-decision', annotations };
}

/** JSON Schema of an answer: an event of the offer with its payload, and if the model likes, why. */
export function answerSchema(candidates: readonly Candidate[], form: AnswerForm): JsonObject {
  const why = { rationale: { type: 'string' }, confidence: { type: 'number', minimum: 0, maximum: 1 } };
  if (form === 'enum') {
    return {
      type: 'object',
      properties: { event: { enum: candidates.map(({ event }) => event) }, payload: {}, ...why },
      required: ['event', 'payload'],
      additionalProperties: false,
    };
  }
  const { schemas, definitions } = shareDefinitions(candidates.map(({ payload }) => payload));
  const branches = candidates.map(({ event }, index) => ({
    type: 'object',
    properties: { event: { const: event }, payload: schemas[index] as JsonObject, ...why },
    required: ['event', 'payload'],
    additionalProperties: false,
  }));
  return { [form]: branches, ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }) };
}

function promptOf({ state, candidates, context }: DecisionRequest, instructions = ''): string {
  const moves = candidates.map(({ event, payload }) => `- ${event}: payload ${canonicalJson(payload)}`);
  return [
    ...(instructions === '' ? [] : [instructions, '']),
    `You decide the next move in the state '${state}'. Choose exactly one of these events:`,
    ...moves,
    '',
    'What is known so far, as JSON:',
    canonicalJson(context as Json),
    '',
    'Answer with one JSON object: { "event": …, "payload": …, "rationale": …, "confidence": 0 to 1 }.',
  ].join('\n');
}
