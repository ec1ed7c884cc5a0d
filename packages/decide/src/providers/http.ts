import type { Json, JsonObject, ProviderFailure } from '@warrant/core';

/** What a provider needs of `fetch`. */
export type FetchLike = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}>;

export type HttpOptions = {
  readonly fetch: FetchLike;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Until the whole answer is there, in milliseconds. */
  readonly timeoutMs: number;
};

export type Answered<T> =
  | { readonly type: 'ok'; readonly value: T }
  | { readonly type: 'failed'; readonly failure: ProviderFailure };

/** More than any model writes at once; a server that does not stop is no answer. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Sends JSON and reads a JSON object. Every way in which that can fail is a class, never an exception. */
export async function postJson(
  body: JsonObject,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<Answered<JsonObject>> {
  const read = await post(body, options, signal, readText);
  if (read.type === 'failed') return read;
  try {
    const value = JSON.parse(read.value) as Json;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { type: 'ok', value: value as JsonObject };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return failed('transport');
}

/** Sends JSON and reads server-sent events; each event's data is one JSON object. */
export async function* postStream(
  body: JsonObject,
  options: HttpOptions,
  signal: AbortSignal,
): AsyncIterable<Answered<JsonObject>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
  const opened = await open(body, options, limit);
  if (opened.type === 'failed') return yield opened;
  try {
    for await (const event of eventsOf(decoded(opened.value))) {
      const data = dataOf(event);
      if (data === undefined || data === '[DONE]') continue;
      const value = JSON.parse(data) as Json;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return yield failed('transport');
      yield { type: 'ok', value: value as JsonObject };
    }
  } catch {
    yield failed('transport');
  }
}

/** Events by the empty lines after them; what has no such line was cut off. Looks at each piece once, in however many a long event comes. */
async function* eventsOf(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let pending: string[] = [];
  let edge = '';
  for await (const piece of pieces) {
    pending.push(piece);
    edge += piece;
    const isWhole = /\n\r?\n/.test(edge);
    edge = edge.slice(-3);
    if (!isWhole) continue;
    const events = pending.join('').split(/\r?\n\r?\n/);
    pending = [events.pop() ?? ''];
    yield* events;
  }
}

function dataOf(event: string): string | undefined {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).trimStart()).join('\n');
}

async function post<T>(
  body: JsonObject,
  options: HttpOptions,
  signal: AbortSignal,
  read: (stream: ReadableStream<Uint8Array>) => Promise<T>,
): Promise<Answered<T>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
  const opened = await open(body, options, limit);
  if (opened.type === 'failed') return opened;
  try {
    return { type: 'ok', value: await read(opened.value) };
  } catch {
    return failed('transport');
  }
}

async function open(
  body: JsonObject,
  { fetch, url, headers }: HttpOptions,
  signal: AbortSignal,
): Promise<Answered<ReadableStream<Uint8Array>>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    });
    if (response.status >= 200 && response.status < 300 && response.body !== null)
      return { type: 'ok', value: response.body };
    await response.body?.cancel();
    return failed(classOf(response.status), retryAfterMs(response.headers.get('retry-after')));
  } catch {
    return failed('transport');
  }
}

function classOf(status: number): ProviderFailure['class'] {
  // 529 is how an overloaded service answers, where its streams say so by an event.
  if (status === 429 || status === 529) return 'rate-limited';
  if (status === 401 || status === 403) return 'auth';
  if (status === 408) return 'transport';
  return status >= 400 && status < 500 ? 'invalid-request' : 'provider';
}

const MAX_WAIT_S = 86_400;

/** Seconds only: a date would need a clock. */
function retryAfterMs(header: string | null): number | undefined {
  const seconds = header !== null && /^\d+([.]\d+)?$/.test(header.trim()) ? Number(header) : undefined;
  return seconds === undefined ? undefined : Math.round(Math.min(seconds, MAX_WAIT_S) * 1000);
}

export function failed(
  failureClass: ProviderFailure['class'],
  waitMs?: number,
): { readonly type: 'failed'; readonly failure: ProviderFailure } {
  return {
    type: 'failed',
    failure: { class: failureClass, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) },
  };
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of decoded(stream)) text += piece;
  return text;
}

async function* decoded(stream: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('the answer is too large');
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** Text that should be JSON; what is not is undefined. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Text where there is text, else none. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** An object for a vendor that wants one, without alternatives at its top: the answer lies one level down, as `value`. */
export function wrapped(output: JsonObject): JsonObject {
  const { $schema: _, $defs, ...schema } = output;
  return {
    type: 'object',
    properties: { value: schema },
    required: ['value'],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** Tools have IRIs; vendors want short names. The way back goes through the same list. */
export function toolNames(iris: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, iri] of iris.entries()) {
    const last = (iri.split(/[/#:]/).findLast((part) => part !== '') ?? 'tool')
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, 50);
    names.set(names.has(last) ? `${last}_${index}` : last, iri);
  }
  return names;
}
