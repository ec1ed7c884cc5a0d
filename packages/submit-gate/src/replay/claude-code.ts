import type { Json, JsonObject } from '@warrant/core';
import { asArguments, isObject, type TraceEvent, textOf } from './trace.ts';

const REFUSED = /^(?:The user doesn't want to proceed|Permission to use|\[Request interrupted|Hook .* blocked)/;

/** Lines of a Claude Code transcript file; lines of subagents are left out. */
export function readClaudeCode(items: readonly unknown[]): readonly (readonly TraceEvent[])[] {
  return items.map((item) =>
    isObject(item) && item['isSidechain'] !== true && item['isMeta'] !== true ? readLine(item) : [],
  );
}

function readLine(line: JsonObject): readonly TraceEvent[] {
  const message = line['message'];
  if (!isObject(message)) return [];
  const directory = typeof line['cwd'] === 'string' ? line['cwd'] : undefined;
  return readBlocks(message, { ...(directory === undefined ? {} : { directory }), result: line['toolUseResult'] });
}

/** Content of one message in the form of the Anthropic Messages API, which transcripts share. */
export function readBlocks(
  message: JsonObject,
  more: { readonly directory?: string; readonly result?: Json | undefined } = {},
): readonly TraceEvent[] {
  const role = message['role'];
  const content = message['content'];
  if (role !== 'user' && role !== 'assistant') return [];
  const said = role === 'user' ? 'user' : 'message';
  if (typeof content === 'string') return content === '' ? [] : [{ type: said, text: content }];
  if (!Array.isArray(content)) return [];
  const results = content.filter((block) => isObject(block) && block['type'] === 'tool_result').length;
  return (content as readonly Json[]).flatMap((block): readonly TraceEvent[] =>
    isObject(block) ? readBlock(block, said, results === 1 ? more : { ...more, result: undefined }) : [],
  );
}

function readBlock(
  block: JsonObject,
  said: 'user' | 'message',
  more: { readonly directory?: string; readonly result?: Json | undefined },
): readonly TraceEvent[] {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' && block['text'] !== '' ? [{ type: said, text: block['text'] }] : [];
    case 'thinking':
    case 'redacted_thinking':
      return [{ type: 'reasoning' }];
    case 'tool_use': {
      const directory = more.directory === undefined ? {} : { directory: more.directory };
      return typeof block['id'] === 'string' && typeof block['name'] === 'string'
        ? [{ type: 'call', id: block['id'], tool: block['name'], arguments: asArguments(block['input']), ...directory }]
        : [];
    }
    case 'tool_result':
      return typeof block['tool_use_id'] === 'string' ? [resultEvent(block['tool_use_id'], block, more.result)] : [];
    default:
      return [];
  }
}

function resultEvent(id: string, block: JsonObject, structured: Json | undefined): TraceEvent {
  const shown = textOf(block['content']);
  if (REFUSED.test(shown)) return { type: 'result', id, result: shown, outcome: 'not-run' };
  if (block['is_error'] === true) return { type: 'result', id, result: shown, outcome: 'error' };
  const process = isObject(structured) && typeof structured['stdout'] === 'string';
  return { type: 'result', id, result: process ? (structured as Json) : shown, outcome: 'ok' };
}
