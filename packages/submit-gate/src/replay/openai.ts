import type { JsonObject } from '@warrant/core';
import { asArguments, isObject, named, type TraceEvent, textOf } from './trace.ts';

/** Messages of chat completions, and items of the Responses API. */
export function readOpenAi(items: readonly unknown[]): readonly (readonly TraceEvent[])[] {
  return items.map((item) => (isObject(item) ? readItem(item) : []));
}

function readItem(item: JsonObject): readonly TraceEvent[] {
  if (item['type'] === 'function_call' && typeof item['name'] === 'string') {
    return [
      {
        type: 'call',
        id: named(item['call_id'] ?? item['id']),
        tool: item['name'],
        arguments: asArguments(item['arguments']),
      },
    ];
  }
  if (item['type'] === 'function_call_output') {
    return [{ type: 'result', id: named(item['call_id']), result: item['output'] ?? null, outcome: 'ok' }];
  }
  if (item['type'] === 'reasoning') return [{ type: 'reasoning' }];
  switch (item['role']) {
    case 'user':
      return [{ type: 'user', text: textOf(item['content']) }];
    case 'tool':
    case 'function': {
      const id = named(item['tool_call_id'] ?? item['name']);
      return [
        {
          type: 'result',
          id,
          result: typeof item['content'] === 'string' ? item['content'] : textOf(item['content']),
          outcome: 'ok',
        },
      ];
    }
    case 'assistant':
      return readAssistant(item);
    default:
      return [];
  }
}

function readAssistant(item: JsonObject): readonly TraceEvent[] {
  const events: TraceEvent[] = [];
  const text = textOf(item['content']);
  if (text !== '') events.push({ type: 'message', text });
  const calls = Array.isArray(item['tool_calls']) ? item['tool_calls'] : [];
  for (const call of calls as readonly unknown[]) {
    if (!isObject(call) || !isObject(call['function'])) continue;
    events.push({
      type: 'call',
      id: named(call['id']),
      tool: named(call['function']['name']),
      arguments: asArguments(call['function']['arguments']),
    });
  }
  const single = item['function_call'];
  if (isObject(single))
    events.push({
      type: 'call',
      id: named(single['name']),
      tool: named(single['name']),
      arguments: asArguments(single['arguments']),
    });
  return events;
}
