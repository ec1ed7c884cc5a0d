import type { Json, JsonObject } from '@warrant/core';
import type { ImportItem, ImportProblem, Parsed } from './import-item.ts';

type Format = 'mem0' | 'openai';
/** Where lists of memories stand in the exports that are about. */
const LISTS = ['results', 'memories', 'data', 'items'];
const TEXTS = ['memory', 'content', 'text', 'value', 'data'];
const SINCE = ['created_at', 'create_time', 'createdAt', 'updated_at'];

/**
 * Memories of a JSON export: of mem0 (`results` with `memory`), or of OpenAI (a list of memories, or conversations with
 * their messages). What has no text is named as a problem, everything else is taken.
 */
export function parseJsonExport(text: string, format: Format, where: string): Parsed {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { items: [], problems: [{ where, message: 'it is not JSON' }] };
  }
  const list = listOf(value);
  if (list === undefined) return { items: [], problems: [{ where, message: 'it holds no list of memories' }] };
  const items: ImportItem[] = [];
  const problems: ImportProblem[] = [];
  for (const [index, entry] of list.entries()) {
    const place = `${where}#${index}`;
    const found =
      isObject(entry) && isObject(entry['mapping']) ? messagesOf(entry, index, format) : memoryOf(entry, index, format);
    if (found.length === 0) problems.push({ where: place, message: 'it has no text' });
    items.push(...found);
  }
  return { items, problems };
}

function listOf(value: Json): readonly Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  for (const name of LISTS) {
    const list = value[name];
    if (Array.isArray(list)) return list;
  }
  return isObject(value['mapping']) ? [value] : undefined;
}

function memoryOf(entry: Json, index: number, format: Format): readonly ImportItem[] {
  if (typeof entry === 'string')
    return entry.trim() === '' ? [] : [{ name: `${index}`, value: entry, source: `${format}:${index}` }];
  if (!isObject(entry)) return [];
  const text = first(entry, TEXTS);
  if (typeof text !== 'string' || text.trim() === '') return [];
  const id = named(entry['id'], index);
  const categories = entry['categories'];
  const subject = entry['user_id'];
  return [
    {
      name: id,
      value: text,
      source: `${format}:${id}`,
      at: timeIn(entry),
      entities: Array.isArray(categories) ? categories.filter((one) => typeof one === 'string' && one !== '') : [],
      subject: typeof subject === 'string' && subject !== '' ? subject.slice(0, 1024) : null,
    },
  ];
}

/** Messages of one conversation in the order of their times; what the model heard from tools is less trusted than what was said. */
function messagesOf(conversation: JsonObject, index: number, format: Format): readonly ImportItem[] {
  const id = named(conversation['id'] ?? conversation['conversation_id'], index);
  const nodes = Object.values(conversation['mapping'] as JsonObject).filter(isObject);
  const messages = nodes.flatMap((node) => (isObject(node['message']) ? [node['message']] : []));
  const spoken = messages.flatMap((message) => {
    const role = isObject(message['author']) ? message['author']['role'] : undefined;
    const text = textOf(message['content']);
    return text === '' || typeof role !== 'string' || role === 'system' ? [] : [{ role, text, at: timeIn(message) }];
  });
  return spoken
    .sort((a, b) => Number(a.at ?? 0) - Number(b.at ?? 0))
    .map(({ role, text, at }, sequence) => ({
      name: `${id}/${sequence}`,
      value: text,
      source: `${format}:${id}`,
      trust: role === 'tool' ? 'tool' : 'provider',
      session: id,
      speaker: role,
      sequence,
      at,
    }));
}

function textOf(content: Json | undefined): string {
  if (!isObject(content)) return typeof content === 'string' ? content : '';
  const parts = content['parts'];
  if (!Array.isArray(parts)) return typeof content['text'] === 'string' ? content['text'] : '';
  return parts
    .filter((part) => typeof part === 'string')
    .join('\n')
    .trim();
}

function named(id: Json | undefined, index: number): string {
  return typeof id === 'string' && id !== '' ? id.slice(0, 200) : typeof id === 'number' ? `${id}` : `${index}`;
}

function timeIn(entry: JsonObject): string | number | null {
  const time = first(entry, SINCE);
  return typeof time === 'string' || typeof time === 'number' ? time : null;
}

function first(entry: JsonObject, names: readonly string[]): Json | undefined {
  for (const name of names) if (Object.hasOwn(entry, name) && entry[name] !== null) return entry[name];
  return undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
