import type { Json, JsonObject } from '@warrant/core';
import type { Claim } from '../types.ts';

/** One thing that happened, in the neutral form that every reader translates into. One a line makes neutral JSONL. */
export type TraceEvent =
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'reasoning' }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly tool: string;
      readonly arguments: JsonObject;
      readonly expects?: Json;
      readonly directory?: string;
    }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly result: Json;
      readonly outcome: 'ok' | 'error' | 'not-run';
      readonly signals?: readonly string[];
    }
  | { readonly type: 'submit'; readonly claim: Claim };

export type Trace = {
  readonly format: TraceFormat;
  readonly events: readonly TraceEvent[] /** Lines or items that no event was made of. */;
  readonly skipped: number;
};
export type TraceFormat = 'neutral' | 'claude-code' | 'openai' | 'anthropic';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Arguments as an object; text that is no object travels as `$text`. */
export function asArguments(value: unknown): JsonObject {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return { $text: JSON.stringify(value ?? null) };
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : { $text: value };
  } catch {
    return { $text: value };
  }
}

/** A foreign id or name; anything but text is its JSON. */
export function named(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** The text parts of a message's content. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}
