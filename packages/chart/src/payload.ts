import type { Json, JsonObject } from '@warrant/core';
import type { CompiledPayload, TextSource } from './chart.ts';
import type { Scope } from './data-model.ts';

/** A literal, or the value of its expression as text. */
export function textOf(source: TextSource, scope: Scope): string | undefined {
  if (source === undefined || typeof source === 'string') return source;
  const value = source.evaluate(scope);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The data that a message carries: its content, or its pairs as an object; null when there is neither. */
function payloadOf(payload: CompiledPayload, scope: Scope): Json {
  const { content } = payload;
  if (content !== undefined) return 'value' in content ? content.value : content.expression.evaluate(scope);
  return payload.pairs.length === 0 ? null : pairsOf(payload, scope);
}

/** The pairs alone; a later pair of the same name wins. */
export function pairsOf(payload: CompiledPayload, scope: Scope): JsonObject {
  return Object.fromEntries(payload.pairs.map(({ name, value }) => [name, value.evaluate(scope)]));
}

/** Like {@link payloadOf}, but a param that fails is left out and reported (standard 5.5, 5.7); a name of a namelist that fails is an error (6.2.4). */
export function payloadDespiteFaults(payload: CompiledPayload, scope: Scope, failed: (error: unknown) => void): Json {
  if (payload.content !== undefined) {
    try {
      return payloadOf(payload, scope);
    } catch (error) {
      failed(error);
      return null;
    }
  }
  const pairs: [string, Json][] = [];
  for (const { name, value, listed } of payload.pairs) {
    try {
      pairs.push([name, value.evaluate(scope)]);
    } catch (error) {
      if (listed) throw error;
      failed(error);
    }
  }
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}
