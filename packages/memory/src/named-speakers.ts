import type { MemoryRecord } from '@warrant/core';
import { wordsOf } from './words.ts';

type Spoken = { readonly record: Pick<MemoryRecord, 'speaker'> };

/** The speakers of these records whom the text names. */
export function namedSpeakers(records: readonly Spoken[], text: string): readonly string[] {
  const speakers = speakersOf(records);
  if (speakers.length === 0) return [];
  const said = ` ${wordsOf(text).join(' ')} `;
  return speakers.filter((speaker) => said.includes(` ${nameOf(speaker)} `));
}

/** A name as the words of a text are compared with it. */
export function nameOf(speaker: string): string {
  return wordsOf(speaker).join(' ');
}

/** Each name once, in the case in which it stands first. */
function speakersOf(records: readonly Spoken[]): readonly string[] {
  const spellings = new Set<string>();
  for (const { record } of records) if (record.speaker !== null) spellings.add(record.speaker);
  const speakers = new Map<string, string>();
  for (const speaker of spellings) {
    const name = nameOf(speaker);
    if (name !== '' && !speakers.has(name)) speakers.set(name, speaker);
  }
  return [...speakers.values()];
}

/** A text without some names, each with what makes it a possessive; the text itself where nothing else is in it. */
export function withoutNames(text: string, names: readonly string[]): string {
  const plain = names.map((name) => name.trim()).filter((name) => name !== '');
  if (plain.length === 0) return text;
  const any = plain.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
  const named = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?:['\u2019]s)?(?![\p{L}\p{N}])`, 'giu');
  const rest = text.replaceAll(named, ' ').replaceAll(/\s+/g, ' ').trim();
  return wordsOf(rest).length === 0 ? text : rest;
}
