import {
  canonicalJson,
  type Digest,
  isWarrantError,
  type Json,
  type JsonObject,
  type Labels,
  type ProviderFailure,
  type ProviderRequest,
  type ProviderResult,
  type ToolOutcome,
  TRUST_ORDER,
  toWellFormed,
} from '@warrant/core';
import { copyOf } from '../copy.ts';
import type { Input, ToolResultData } from '../input.ts';
import { isObject } from '../is-object.ts';
import type { AgentKit, AgentTool } from '../kit.ts';
import type { Schemas } from '../machine/program.ts';
import type { LlmCall, ToolCall, ToolFailureClass } from '../state.ts';
import { isUsage } from '../usage.ts';
import { withoutSecrets, withSecrets } from './secrets.ts';

/** Larger results are refused, never cut. */
export const MAX_RESULT_BYTES = 256 * 1024;

export type CallContext = {
  readonly kit: AgentKit;
  readonly schemas: Schemas | undefined;
  readonly key: string;
  readonly actor: string;
  readonly labels: Labels;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onPartial: ((text: string) => void) | undefined;
};
/** An input without its time, which the append gives. */
export type Outcome = {
  [Type in Input['type']]: { readonly type: Type; readonly data: Extract<Input, { type: Type }>['data'] };
}[Input['type']];

/** Makes a model call and says what came of it. Never throws: every fault is a class of `error.llm`. */
export async function performLlm(call: LlmCall, context: CallContext): Promise<Outcome> {
  const { request, effect } = call;
  const failed = (
    failure: Omit<Extract<Outcome, { type: 'llm.error' }>['data'], 'effect' | 'promptHash'>,
  ): Outcome => ({
    type: 'llm.error',
    data: { effect, promptHash: request.promptHash, ...failure },
  });
  const provider = context.kit.providers?.[request.provider];
  if (provider === undefined) return failed({ class: 'unknown-provider' });
  const started = context.now();
  try {
    const asked = providerRequest(call, context);
    const answer =
      request.stream && provider.stream !== undefined
        ? await streamed(provider.stream(asked, context.signal), context)
        : await provider.complete(asked, context.signal);
    if (answer.type === 'failed') return failed(failureOf(answer.failure));
    const { result } = answer;
    if (!isUsage(result.usage) || !isJson(result.content)) return failed({ class: 'provider' });
    if (asked.output !== undefined && context.schemas?.violations(asked.output, result.content).length !== 0)
      return failed({ class: 'schema', usage: result.usage });
    const data = { effect, ...resultOf(result, request.promptHash), latencyMs: context.now() - started };
    return isJson(data) && typeof data.model === 'string' && data.toolCalls.every(isToolCall)
      ? { type: 'llm.result', data }
      : failed({ class: 'provider' });
  } catch (error) {
    return failed({ class: isWarrantError(error, 'DECIDE_TYPE') ? 'invalid-request' : 'provider' });
  }
}

const CLASSES: ReadonlySet<unknown> = new Set<ProviderFailure['class']>([
  'rate-limited',
  'schema',
  'transport',
  'auth',
  'invalid-request',
  'provider',
  'unknown-provider',
]);
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** Whatever a provider says is one of the seven classes, and no wait is longer than a day. */
function failureOf({ class: said, retryAfterMs }: ProviderFailure): ProviderFailure {
  const known = CLASSES.has(said) ? said : 'provider';
  if (typeof retryAfterMs !== 'number' || !(retryAfterMs >= 0)) return { class: known };
  return { class: known, retryAfterMs: Math.round(Math.min(retryAfterMs, MAX_WAIT_MS)) };
}

function resultOf({ content, model, usage, toolCalls }: ProviderResult, promptHash: Digest) {
  return {
    content,
    model,
    promptHash,
    usage,
    toolCalls: toolCalls.map(({ tool, arguments: given }) => ({ tool, arguments: given })),
  };
}

function providerRequest({ request }: LlmCall, { kit, schemas }: CallContext): ProviderRequest {
  const tools = (kit.tools ?? [])
    .filter(({ iri }) => request.tools.includes(iri))
    .map(({ iri, description, arguments: schema }) => ({
      iri,
      arguments: schema,
      ...(description === undefined ? {} : { description }),
    }));
  return {
    prompt: request.prompt,
    model: request.model,
    tools,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === null ? {} : { maxTokens: request.maxTokens }),
    ...(request.output === null || schemas === undefined ? {} : { output: schemas.ofType(request.output) }),
  };
}

function isToolCall(call: { readonly tool: unknown; readonly arguments: Json }): boolean {
  return typeof call.tool === 'string' && isObject(call.arguments);
}

type Answer = Awaited<ReturnType<NonNullable<AgentKit['providers']>[string]['complete']>>;

async function streamed(
  items: AsyncIterable<Answer | { readonly type: 'partial'; readonly text: string }>,
  { onPartial }: CallContext,
): Promise<Answer> {
  for await (const item of items) {
    if (item.type !== 'partial') return item;
    onPartial?.(item.text);
  }
  return { type: 'failed', failure: { class: 'transport' } };
}

/** Calls a tool, checked before and after. Never throws. */
export async function performTool(call: ToolCall, context: CallContext): Promise<Outcome> {
  const tool = toolOf(call, context.kit);
  if (tool === undefined) return failure(call, 'unknown', `no tool '${call.tool}' is registered`);
  const given = call.arguments ?? {};
  if (!isObject(given)) return wrongArguments(call, ['']);
  const used = new Map<string, string>();
  let args: JsonObject;
  try {
    args = (await withSecrets(given, { call, kit: context.kit, used })) as JsonObject;
  } catch (error) {
    return failure(call, 'arguments', messageOf(error));
  }
  // What the tool gets is what is checked: a reference to a secret stands for a text.
  const paths = context.schemas?.violations(tool.arguments, args) ?? [];
  if (paths.length > 0) return wrongArguments(call, paths);
  try {
    const { key, actor, signal } = context;
    const labels = copyOf(context.labels);
    const outcome = judgeOutcome(call, tool, await tool.call(args, { key, actor, labels, signal }), context.schemas);
    return withoutSecrets(outcome, used);
  } catch (error) {
    return withoutSecrets(failure(call, 'execution', messageOf(error)), used);
  }
}

function wrongArguments(call: ToolCall, paths: readonly string[]): Outcome {
  return failure(call, 'arguments', 'the arguments are not as the tool has them', { paths });
}

/** What a tool says of a call that was made before, without the secrets that the call held. */
export async function judgeStatus(
  call: ToolCall,
  tool: AgentTool,
  outcome: ToolOutcome,
  { kit, schemas }: Pick<CallContext, 'kit' | 'schemas'>,
): Promise<Outcome> {
  const used = new Map<string, string>();
  try {
    await withSecrets(call.arguments, { call, kit, used });
  } catch {
    // What the kit has no more cannot be told apart from anything else; those found so far still can.
  }
  return withoutSecrets(judgeOutcome(call, tool, outcome, schemas), used);
}

export function toolOf(call: ToolCall, kit: AgentKit): AgentTool | undefined {
  return kit.tools?.find(({ iri }) => iri === call.tool);
}

/** What a tool said of a call, as an input. What no tool says is a failed call: it must not stay open. */
function judgeOutcome(call: ToolCall, tool: AgentTool, outcome: ToolOutcome, schemas: Schemas | undefined): Outcome {
  try {
    const judged = judge(call, tool, outcome, schemas);
    if (judged !== undefined && isJson(judged.data)) return judged;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return failure(call, 'execution', 'the tool said neither what came of the call nor that it failed');
}

function judge(
  call: ToolCall,
  tool: AgentTool,
  outcome: ToolOutcome,
  schemas: Schemas | undefined,
): Outcome | undefined {
  switch (outcome.type) {
    case 'pending':
      return { type: 'tool.result', data: { effect: call.effect, outcome: 'pending', question: outcome.question.id } };
    case 'refused':
      return failure(call, 'refused', 'the call was refused', { reasons: outcome.reasons });
    case 'failed':
      return failure(call, 'execution', outcome.message);
    case 'unknown':
      return failure(call, 'unknown', outcome.message);
    case 'ok': {
      const { result, label } = outcome;
      if (!isJson(result)) return failure(call, 'result', 'the result is no JSON');
      if (Buffer.byteLength(canonicalJson(result)) > MAX_RESULT_BYTES)
        return failure(call, 'result', `the result is larger than ${MAX_RESULT_BYTES} bytes`);
      const paths = schemas?.violations(tool.result, result) ?? [];
      if (paths.length > 0) return failure(call, 'result', 'the result is not as the tool has it', { paths });
      const trusted = isLabel(label) ? label : { trust: 'web' as const, sources: [call.tool] };
      return { type: 'tool.result', data: { effect: call.effect, outcome: 'ok', result, label: trusted } };
    }
    default:
      return undefined;
  }
}

/** A result that nobody says where it is from is trusted least. */
export function isLabel(label: unknown): boolean {
  const { trust, sources, ...rest } = (typeof label === 'object' && label !== null ? label : {}) as Record<
    string,
    unknown
  >;
  if (Object.keys(rest).length > 0 || !(TRUST_ORDER as readonly unknown[]).includes(trust)) return false;
  return Array.isArray(sources) && sources.every((source) => typeof source === 'string') && isJson(sources);
}

export function failure(
  { effect }: ToolCall,
  failureClass: ToolFailureClass,
  message: string,
  more: Pick<Extract<ToolResultData, { outcome: 'error' }>, 'paths' | 'reasons'> = {},
): Outcome {
  return {
    type: 'tool.result',
    data: { effect, outcome: 'error', class: failureClass, message: toWellFormed(message.slice(0, 500)), ...more },
  };
}

export function isJson(value: unknown): value is Json {
  try {
    canonicalJson(value as Json);
    return true;
  } catch (error) {
    if (isWarrantError(error)) return false;
    throw error;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
