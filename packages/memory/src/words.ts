import { foldName, type Json, type MemoryRecord, toWellFormed } from '@warrant/core';
import { stem } from './porter.ts';

/** Most words of a query that are looked for. */
const MAX_QUERY_WORDS = 64;

const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /[a-z0-9_]+/g;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ACCENTED = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu;
/** Words that carry grammar, not content: no query is answered by them while it has others. */
export const FUNCTION_WORDS: readonly string[] = (
  'a an the and or but if of at by for with about to from in on into as is are was were be been being am do does did ' +
  'have has had will would can could should may might i you he she it we they me him her us them my your his its our ' +
  'their this that these those who whom whose what which when where why how not no so than then there'
).split(' ');
const IGNORED: ReadonlySet<string> = new Set(FUNCTION_WORDS);

let segmenter: Intl.Segmenter | undefined;

/** A text's words in order: Unicode compatibility form, case folded, accents of European scripts off; scripts without blanks are cut into words. */
export function wordsOf(text: string): readonly string[] {
  // What the steps below come to for such a text, at a third of the price.
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  const plain = foldName(toWellFormed(text).normalize('NFKC')).normalize('NFD').replace(ACCENTED, '').normalize('NFC');
  return UNSPACED.test(plain) ? segmented(plain) : (plain.match(WORD) ?? []);
}

/** True for a text that every later version of Unicode cuts as this one does. */
export function isCutAlike(text: string): boolean {
  return ASCII.test(text) || !(UNSPACED.test(text.normalize('NFKC')) || /\p{Cn}/u.test(text));
}

function segmented(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text))
    if (isWordLike === true) words.push(...(segment.match(WORD) ?? []));
  return words;
}

/** What to look for: a query's words once each, without function words unless there is nothing else. */
export function queryWords(query: string): readonly string[] {
  const all = [...new Set(wordsOf(query))];
  const content = all.filter((word) => !IGNORED.has(word));
  return (content.length > 0 ? content : all).slice(0, MAX_QUERY_WORDS);
}

/** The form in which two words are the same word. */
export function termOf(word: string): string {
  return stem(word);
}

/** The text that a record is found by: its key's words and its value, with what goes with it. */
export function textOf(record: Pick<MemoryRecord, 'key' | 'value' | 'entities' | 'speaker'>): string {
  const speaker = record.speaker === null ? '' : `${record.speaker} `;
  return `${speaker}${valueText(record.value)}\n${wordsOfKey(record.key)}\n${record.entities.join(' ')}`;
}

function wordsOfKey(key: string): string {
  return key.replaceAll(/[/_-]/g, ' ');
}

/**
 * What an embedder is given. A name of who speaks, or a path that only tells the place in a conversation, would make
 * everything alike that one person said in one session.
 */
export function embeddedText({
  key,
  value,
  entities,
  sequence,
}: Pick<MemoryRecord, 'key' | 'value' | 'entities' | 'sequence'>): string {
  const text = valueText(value);
  return sequence === null ? `${text}\n${wordsOfKey(key)}\n${entities.join(' ')}` : text;
}

/** A value as people read it: text as it is, names and values of anything else. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return value;
  return value === null || typeof value !== 'object' ? String(value) : JSON.stringify(value);
}

/** What an index is given that cuts ASCII at everything but letters, digits and `_`, and folds its case; all else is cut here. */
export function indexText(text: string): string {
  return ASCII.test(text) ? text : wordsOf(text).join(' ');
}
