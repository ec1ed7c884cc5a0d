import type { Json, JsonObject } from '@warrant/core';
import { cutText } from './cut-text.ts';

const LONGEST = 2_000_000;

/**
 * A tool's answer as the gate reads it: the text that a look showed, without the members that only describe it. What a
 * process gave stays as it is, so that its exit and its streams are told apart. `whole` is false where something was cut.
 */
export function shownResult(tool: string, result: Json): { readonly shown: Json; readonly whole: boolean } {
  const plain = plainResult(tool, result);
  const shown = cutResult(plain);
  return { shown, whole: shown === plain };
}

function cutResult(plain: Json): Json {
  if (typeof plain === 'string') return cut(plain);
  const size = JSON.stringify(plain)?.length ?? 0;
  return size <= LONGEST ? plain : cutMembers(plain);
}

function plainResult(tool: string, result: Json): Json {
  if (typeof result !== 'object' || result === null) return result;
  if (Array.isArray(result)) return contentText(result as readonly Json[]) ?? result;
  const object = result as JsonObject;
  if (tool === 'Read' || tool === 'NotebookRead') return fileText(object) ?? result;
  if (tool === 'Grep' || tool === 'Glob' || tool === 'LS') return listing(object) ?? result;
  return contentText(object['content']) ?? result;
}

function fileText(object: JsonObject): string | null {
  const file = object['file'];
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return null;
  const content = (file as JsonObject)['content'];
  return typeof content === 'string' ? content : null;
}

/** Names that were found, and the lines of them; nothing found is an empty text. */
function listing(object: JsonObject): string | null {
  const names = object['filenames'];
  const content = object['content'];
  if (!Array.isArray(names) && typeof content !== 'string') return null;
  const found = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  return [...found, ...(typeof content === 'string' && content !== '' ? [content] : [])].join('\n');
}

function contentText(content: Json | undefined): string | null {
  if (!Array.isArray(content)) return null;
  const texts = (content as readonly Json[]).map(blockText);
  return texts.every((text) => text !== null) ? texts.join('\n') : null;
}

function blockText(block: Json): string | null {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return null;
  const { type, text } = block as JsonObject;
  return type === 'text' && typeof text === 'string' ? text : null;
}

function cut(text: string): string {
  return cutText(text, LONGEST);
}

function cutMembers(value: Json): Json {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).slice(0, 1000).map(cutMembers);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutMembers(item)]));
}
