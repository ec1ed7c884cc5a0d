import { gateError } from '../errors.ts';
import { readBlocks, readClaudeCode } from './claude-code.ts';
import { readNeutral } from './neutral.ts';
import { readOpenAi } from './openai.ts';
import { isObject, type Trace, type TraceEvent, type TraceFormat } from './trace.ts';

/**
 * Reads a trace: neutral JSONL, a Claude Code transcript, or a list of OpenAI- or Anthropic-style messages (JSON, `{messages: […]}` or JSONL).
 * @throws SUBMIT_GATE_TRACE_INVALID for text that is neither JSON nor JSONL, with the line, or in which nothing is recognised.
 */
export function readTrace(text: string, format?: TraceFormat): Trace {
  const items = itemsOf(text);
  const found = format ?? guess(items);
  const read = READERS[found](items);
  const events = read.flat();
  if (events.length === 0 && items.length > 0)
    throw gateError('SUBMIT_GATE_TRACE_INVALID', 'nothing in the trace is recognised', { format: found });
  return { format: found, events, skipped: read.filter((item) => item.length === 0).length };
}

const READERS: { readonly [format in TraceFormat]: (items: readonly unknown[]) => readonly (readonly TraceEvent[])[] } =
  {
    neutral: readNeutral,
    'claude-code': readClaudeCode,
    openai: readOpenAi,
    anthropic: (items) => items.map((item) => (isObject(item) ? readBlocks(item) : [])),
  };

function itemsOf(text: string): readonly unknown[] {
  const source = text.replace(/^\uFEFF/, '').trim();
  if (source === '') return [];
  const whole = parsed(source);
  if (Array.isArray(whole)) return whole as readonly unknown[];
  if (isObject(whole)) {
    for (const key of ['messages', 'input', 'events', 'traj'])
      if (Array.isArray(whole[key])) return whole[key] as readonly unknown[];
    return [whole];
  }
  return source.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const item = parsed(line);
    if (item === undefined)
      throw gateError('SUBMIT_GATE_TRACE_INVALID', `line ${index + 1} of the trace is not JSON`, { line: index + 1 });
    return [item];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function guess(items: readonly unknown[]): TraceFormat {
  const objects = items.filter(isObject);
  if (
    objects.some((item) => isObject(item['message']) && ('sessionId' in item || 'uuid' in item || 'parentUuid' in item))
  )
    return 'claude-code';
  if (objects.some((item) => item['role'] === 'tool' || 'tool_calls' in item || item['type'] === 'function_call'))
    return 'openai';
  const blocks = objects.flatMap((item) =>
    Array.isArray(item['content']) ? (item['content'] as readonly unknown[]) : [],
  );
  if (blocks.some((block) => isObject(block) && (block['type'] === 'tool_use' || block['type'] === 'tool_result')))
    return 'anthropic';
  if (objects.some((item) => typeof item['role'] === 'string')) return 'openai';
  if (objects.some((item) => isObject(item['message']))) return 'claude-code';
  return 'neutral';
}
