import type { Json, JsonObject, Label } from '@warrant/core';
import { cut } from '../cut.ts';
import type { LlmErrorData, LlmResultData, ToolResultData } from '../input.ts';
import type { Call, LlmCall, LlmFailureClass, ToolCall } from '../state.ts';
import { addUsage } from '../usage.ts';
import { noteLlm } from './invoke.ts';
import { enqueue, nextEffect, type Turn, taint, tell } from './turn.ts';

const RETRYABLE: ReadonlySet<LlmFailureClass> = new Set(['rate-limited', 'schema', 'transport', 'provider']);
const MAX_MESSAGE = 500;
/** A hundred years, as long as a chart may wait for anything. */
const MAX_WAIT_MS = 100 * 365.25 * 86_400_000;

/** What a model answered reaches the chart that asked, if it still waits. */
export function takeLlmResult(turn: Turn, data: LlmResultData): void {
  turn.usage = addUsage(turn.usage, data.usage);
  const call = take(turn, data.effect, 'llm');
  if (call === undefined) return;
  const { provider, output } = call.request;
  const label = taint(turn, { trust: 'provider', sources: [provider] });
  const { content, model, promptHash, usage, toolCalls } = data;
  const whole: Json = {
    text: typeof content === 'string' ? content : JSON.stringify(content),
    model,
    call: data.effect,
    promptHash,
    usage,
    toolCalls,
  };
  done(turn, call, output === null ? whole : content, label);
}

/** A failed call is tried again where the chart says so, else the chart is told. */
export function takeLlmError(turn: Turn, data: LlmErrorData): void {
  if (data.usage !== undefined) turn.usage = addUsage(turn.usage, data.usage);
  const call = take(turn, data.effect, 'llm');
  if (call === undefined) return;
  if (call.attempt < call.attempts && RETRYABLE.has(data.class)) {
    const wanted = Math.max(call.backoffMs * 2 ** (call.attempt - 1), data.retryAfterMs ?? 0);
    const waitMs = Math.min(wanted, MAX_WAIT_MS);
    turn.calls = [...turn.calls, { ...call, retryAt: new Date(Date.parse(turn.at) + waitMs).toISOString() }];
    return;
  }
  const { effect, class: failure, promptHash } = data;
  tell(
    turn,
    call.session,
    'error.llm',
    { class: failure, call: effect, attempt: call.attempt, promptHash },
    originOf(call),
  );
}

/** The wait of a call is over: the next attempt is a call of its own. */
export function retryLlm(turn: Turn, effect: string): void {
  const waiting = take(turn, effect, 'llm') as LlmCall;
  const call: LlmCall = { ...waiting, effect: nextEffect(turn), attempt: waiting.attempt + 1, retryAt: null };
  turn.calls = [...turn.calls, call];
  noteLlm(turn, call);
}

/** What a tool gave reaches the chart that called it, if it is still there. */
export function takeToolResult(turn: Turn, data: ToolResultData): void {
  const call = take(turn, data.effect, 'tool');
  if (call === undefined) return;
  if (data.outcome === 'pending' || data.outcome === 'answered') {
    const pending = data.outcome === 'pending' ? data.question : null;
    // Only the question that is waited for sets the call free.
    const isOther = data.outcome === 'answered' && data.question !== call.pending;
    turn.calls = [...turn.calls, isOther ? call : { ...call, pending }];
    return;
  }
  if (data.outcome === 'ok') {
    const label = taint(turn, data.label);
    return call.invoke === null ? reply(turn, call, data.result, label) : done(turn, call, data.result, label);
  }
  const label = taint(turn, { trust: 'tool', sources: [call.tool] });
  const failure: JsonObject = {
    class: data.class,
    message: cut(data.message, MAX_MESSAGE),
    tool: call.tool,
    call: call.effect,
    ...(data.paths === undefined ? {} : { paths: data.paths }),
    ...(data.reasons === undefined ? {} : { reasons: data.reasons as unknown as Json }),
  };
  tell(turn, call.session, 'error.tool', failure, { ...originOf(call), label });
}

function reply(turn: Turn, call: ToolCall, result: Json, label: Label): void {
  const data = { result, tool: call.tool, call: call.effect };
  enqueue(turn, call.session, { name: 'vt:reply', data, origin: call.tool, ...originOf(call) }, label);
}

function done(turn: Turn, call: Call, data: Json, label: Label): void {
  enqueue(turn, call.session, { name: `done.invoke.${call.invoke}`, data, invokeid: call.invoke as string }, label);
}

function originOf(call: Call): { readonly sendid?: string; readonly invokeid?: string } {
  return {
    ...(call.sendid === null ? {} : { sendid: call.sendid }),
    ...(call.invoke === null ? {} : { invokeid: call.invoke }),
  };
}

/** A message was handed over, or there is nobody of that name. */
export function takeReply(
  turn: Turn,
  data: { readonly effect: string; readonly outcome: 'delivered' | 'unknown-actor' },
): void {
  const call = take(turn, data.effect, 'message');
  if (call === undefined || data.outcome === 'delivered') return;
  tell(turn, call.session, 'error.communication', { reason: 'unknown-actor', target: call.target }, originOf(call));
}

function take<Kind extends Call['kind']>(
  turn: Turn,
  effect: string,
  kind: Kind,
): Extract<Call, { kind: Kind }> | undefined {
  const call = turn.calls.find(
    (one): one is Extract<Call, { kind: Kind }> => one.effect === effect && one.kind === kind,
  );
  turn.calls = turn.calls.filter((one) => one !== call);
  return call;
}
