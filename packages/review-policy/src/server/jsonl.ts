import type { Json, JsonObject } from '@warrant/core';
import { isWarrantError } from '@warrant/core';
import { isMapping, member } from '../faults.ts';
import type { ReviewGate } from '../gate-types.ts';
import { createReviewMethods, failure, type MethodResult, type ReviewMethod } from './methods.ts';

/** Longest line that is read, in UTF-16 units. */
export const MAX_LINE_LENGTH = 4_194_304;

/** Where answers go; `write` may return a promise that is waited for. */
export type LineSink = { write(text: string): unknown };

/**
 * Serves one request a line: `{id, method, params}` is answered with `{id, ok: true, result}` or
 * `{id, ok: false, error: {code, message}}`, in order, until the input ends. Methods may carry the prefix `kb.`.
 */
export async function serveJsonl(
  gate: ReviewGate,
  input: AsyncIterable<string | Uint8Array>,
  output: LineSink,
  options: { readonly actor: string; readonly now: () => string },
): Promise<void> {
  const methods = new Map(createReviewMethods(gate, options).map((method) => [method.name, method]));
  for await (const line of readLines(input)) {
    if (line.type === 'line' && line.text.trim() === '') continue;
    const answer =
      line.type === 'too-long'
        ? respond(null, failure('invalid_request', 'the line is too long'))
        : await answerLine(methods, line.text);
    await output.write(`${JSON.stringify(answer)}\n`);
  }
}

async function answerLine(methods: ReadonlyMap<string, ReviewMethod>, text: string): Promise<JsonObject> {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return respond(null, failure('invalid_json', 'the line is not JSON'));
  }
  if (!isMapping(request)) return respond(null, failure('invalid_request', 'a request is an object'));
  const id = idOf(member(request, 'id'));
  const name = member(request, 'method');
  const params = member(request, 'params') ?? {};
  if (typeof name !== 'string') return respond(id, failure('invalid_request', 'a request names a method'));
  const method = methods.get(name.startsWith('kb.') ? name.slice(3) : name);
  if (method === undefined) return respond(id, failure('method_not_found', 'there is no such method'));
  if (!isMapping(params)) return respond(id, failure('invalid_request', 'params is an object'));
  try {
    return respond(id, await method.call(params as JsonObject));
  } catch (error) {
    // A fault of one call ends that call, not the server.
    const code = isWarrantError(error) ? error.code : 'INTERNAL';
    return respond(id, failure('internal_error', code));
  }
}

function idOf(value: unknown): Json {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function respond(id: Json, result: MethodResult): JsonObject {
  return result.type === 'ok' ? { id, ok: true, result: result.result } : { id, ok: false, error: { ...result.error } };
}

type Line = { readonly type: 'line'; readonly text: string } | { readonly type: 'too-long' };

async function* readLines(input: AsyncIterable<string | Uint8Array>): AsyncIterable<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of input) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() as string;
    for (const text of lines) {
      yield isTooLong || text.length > MAX_LINE_LENGTH ? { type: 'too-long' } : { type: 'line', text };
      isTooLong = false;
    }
    if (rest.length > MAX_LINE_LENGTH) {
      isTooLong = true;
      rest = '';
    }
  }
  if (rest !== '') yield isTooLong ? { type: 'too-long' } : { type: 'line', text: rest };
}
