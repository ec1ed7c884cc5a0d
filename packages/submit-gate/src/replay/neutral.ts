import type { Json } from '@warrant/core';
import { asArguments, isObject, type TraceEvent } from './trace.ts';

const OUTCOMES = new Set(['ok', 'error', 'not-run']);

/** Neutral lines: a `call` may carry its `result` and `outcome` itself. */
export function readNeutral(items: readonly unknown[]): readonly (readonly TraceEvent[])[] {
  return items.map((item, index) => (isObject(item) ? readItem(item, index) : []));
}

function readItem(item: { readonly [key: string]: Json }, index: number): readonly TraceEvent[] {
  switch (item['type']) {
    case 'user':
    case 'message':
      return typeof item['text'] === 'string' ? [{ type: item['type'], text: item['text'] }] : [];
    case 'reasoning':
      return [{ type: 'reasoning' }];
    case 'submit':
      return readSubmit(item['claim']);
    case 'call':
      return readCall(item, index);
    case 'result':
      return typeof item['id'] === 'string' ? [resultEvent(item['id'], item)] : [];
    default:
      return [];
  }
}

function readSubmit(claim: Json | undefined): readonly TraceEvent[] {
  if (typeof claim === 'string') return [{ type: 'submit', claim: { type: claim } }];
  return isObject(claim) && typeof claim['type'] === 'string'
    ? [{ type: 'submit', claim: claim as { type: string } }]
    : [];
}

function readCall(item: { readonly [key: string]: Json }, index: number): readonly TraceEvent[] {
  if (typeof item['tool'] !== 'string') return [];
  const id = typeof item['id'] === 'string' ? item['id'] : `call-${index}`;
  const expects = item['expects'] === undefined ? {} : { expects: item['expects'] };
  const directory = typeof item['directory'] === 'string' ? { directory: item['directory'] } : {};
  const call: TraceEvent = {
    type: 'call',
    id,
    tool: item['tool'],
    arguments: asArguments(item['arguments'] ?? {}),
    ...expects,
    ...directory,
  };
  return 'result' in item || 'outcome' in item ? [call, resultEvent(id, item)] : [call];
}

function resultEvent(id: string, item: { readonly [key: string]: Json }): TraceEvent {
  const outcome =
    typeof item['outcome'] === 'string' && OUTCOMES.has(item['outcome'])
      ? (item['outcome'] as 'ok' | 'error' | 'not-run')
      : 'ok';
  const signals = Array.isArray(item['signals']) ? { signals: item['signals'].map(String) } : {};
  return { type: 'result', id, result: item['result'] ?? null, outcome, ...signals };
}
