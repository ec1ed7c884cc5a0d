import type { JsonObject, MemoryRecord } from '@warrant/core';
import { referenceText } from './text.ts';

/** Words of command lines that name no thing. */
const COMMAND_WORDS: ReadonlySet<string> = new Set(
  'dbt run build test select python ls cat echo cd grep export source'.split(' '),
);
const NAME = /^[a-zA-Z][a-zA-Z0-9_./]*$/;

/** What a tool call touches, as the reference tells it from the call's input. */
export function referenceEntities(tool: string, input: JsonObject): readonly string[] {
  if (tool === 'Edit') {
    const path = input['file_path'];
    return path === undefined || path === null || path === '' ? [] : [referenceText(path)];
  }
  const command = input['command'];
  return tool === 'Bash' && typeof command === 'string' ? commandEntities(command) : [];
}

function commandEntities(command: string): readonly string[] {
  const words = command.split(/\s+/).filter((word) => word !== '');
  const selected = /--select\s+(\S+)/.exec(command)?.[1];
  return [
    ...(selected === undefined ? [] : [selected]),
    ...words.filter((word) => NAME.test(word) && !COMMAND_WORDS.has(word)),
  ];
}

/** Records that carry one of the names as a tag, whatever its case; without any, those whose key or text holds one. */
export function referenceLookup(records: readonly MemoryRecord[], names: readonly string[]): readonly MemoryRecord[] {
  const wanted = names.map((name) => name.toLowerCase());
  const live = records.filter((record) => !record.archived);
  const tagged = live.filter((record) => record.entities.some((entity) => wanted.includes(entity.toLowerCase())));
  if (tagged.length > 0) return tagged;
  return live.filter((record) => {
    const key = record.key.toLowerCase();
    const text = referenceText(record.value).toLowerCase();
    return wanted.some((name) => key.includes(name) || text.includes(name));
  });
}
