import type { MemoryRecord } from '@warrant/core';
import { termOf, valueText, wordsOf } from '../words.ts';

/** A record with the words that it says. */
export type Said = { readonly record: MemoryRecord; readonly text: string; readonly terms: ReadonlySet<string> };

/** Rarest words of a record by which others like it are looked for. */
const RAREST = 4;
/** A word that so many records say leads to too many others. */
const COMMON = 200;

export function saidBy(record: MemoryRecord): Said {
  const text = valueText(record.value);
  return { record, text, terms: new Set(wordsOf(text).map(termOf)) };
}

/** Pairs that share one of their rarest words, each once, the earlier record first. */
export function* likelyPairs(all: readonly Said[]): Generator<readonly [Said, Said]> {
  const holders = new Map<string, number[]>();
  for (const [index, { terms }] of all.entries())
    for (const term of terms) {
      const known = holders.get(term);
      if (known === undefined) holders.set(term, [index]);
      else known.push(index);
    }
  for (const [index, one] of all.entries()) {
    const lists = [...one.terms]
      .map((term) => holders.get(term) as readonly number[])
      .filter((list) => list.length > 1 && list.length <= COMMON)
      .sort((a, b) => a.length - b.length)
      .slice(0, RAREST);
    const others = new Set(lists.flat().filter((other) => other > index));
    for (const other of others) yield [one, all[other] as Said];
  }
}

/** Words in common as a share of all words of both; 0 where neither says any. */
export function likeness(a: Said, b: Said): number {
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  const all = a.terms.size + b.terms.size - shared;
  return all === 0 ? 0 : shared / all;
}
