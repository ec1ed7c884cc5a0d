import type { MemoryRecord } from '@warrant/core';
import { disagreements } from '../disagreement.ts';
import { termOf, valueText, wordsOf } from '../words.ts';

/** `subject`: records about one subject that speak of the same. `key-words`: records whose keys share words, whatever they say. */
export type Grouping = 'subject' | 'key-words';

/** Words that two records of one subject have in common at least. */
const SHARED = 2;
/** Share of all words that two records without a subject have in common at least. */
const NEAR = 0.8;
const MIN_WORD = 4;
/** Words of keys that say nothing. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(
  'with from that this have been were will your their about into when what'.split(' '),
);

/**
 * Records that may become one, each in at most one cluster, the most certain first. A record that contradicts one of a
 * cluster stays out of it.
 */
export function clusters(
  records: readonly MemoryRecord[],
  grouping: Grouping,
  minSize: number,
): readonly (readonly MemoryRecord[])[] {
  const belongs = grouping === 'subject' ? bySubject() : byKeyWords;
  const left = [...records];
  const found: MemoryRecord[][] = [];
  while (left.length > 0) {
    const seed = left.shift() as MemoryRecord;
    const cluster = [seed];
    for (const other of [...left]) {
      if (!belongs(seed, other) || cluster.some((member) => contradicts(member, other))) continue;
      cluster.push(other);
      left.splice(left.indexOf(other), 1);
    }
    if (cluster.length >= Math.max(2, minSize)) found.push(cluster.sort((a, b) => b.confidence - a.confidence));
  }
  return found;
}

function bySubject(): (seed: MemoryRecord, other: MemoryRecord) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  const terms = (record: MemoryRecord): ReadonlySet<string> => {
    const have = known.get(record.id) ?? new Set(wordsOf(valueText(record.value)).map(termOf));
    known.set(record.id, have);
    return have;
  };
  return (seed, other) => {
    if (seed.subject !== other.subject || seed.tier !== other.tier || seed.label.trust !== other.label.trust)
      return false;
    // What one of them says would end too early, or too late.
    if (seed.expiresAt !== other.expiresAt || seed.validTo !== other.validTo) return false;
    const [a, b] = [terms(seed), terms(other)];
    const shared = [...a].filter((term) => b.has(term)).length;
    if (seed.subject !== null) return shared >= SHARED;
    return folderOf(seed.key) === folderOf(other.key) && shared / (a.size + b.size - shared) >= NEAR;
  };
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}

function byKeyWords(seed: MemoryRecord, other: MemoryRecord): boolean {
  const words = keyWords(other.key);
  return [...keyWords(seed.key)].filter((word) => words.has(word)).length >= SHARED;
}

/** Words of a key of at least four characters, without those that say nothing. */
export function keyWords(key: string): ReadonlySet<string> {
  const words = key.toLowerCase().split(/[/\-_\s]+/);
  return new Set(words.filter((word) => Array.from(word).length >= MIN_WORD && !PLAIN_WORDS.has(word)));
}

function contradicts(a: MemoryRecord, b: MemoryRecord): boolean {
  return disagreements(valueText(a.value), valueText(b.value)).length > 0;
}
