import { hash } from 'node:crypto';
import type { Json } from '@warrant/core';
import { addressesIn } from './addresses.ts';
import { backOver, lettersOf, over } from './letters.ts';

/** Bytes of one hash. */
export const HASH_BYTES = 8;
const MOST_VALUES = 100_000;
const LONGEST_TEXT = 1_000_000;
const LONGEST_VALUE = 2_000;
const DEEPEST = 40;

/** The values of some text that may stand as a whole in an argument later. */
export type SeenValues = {
  readonly hashes: Uint8Array;
  /** True when there was more than is remembered. */
  readonly cut: boolean;
};

/** Hashes of every value in a result: whole texts, lines, quoted pieces, addresses and words that are no plain word. */
export function seenValues(value: Json, options: { readonly words?: boolean } = {}): SeenValues {
  const found = new Set<string>();
  const cut = collect(value, 0, { found, words: options.words === true });
  const values = [...found].slice(0, MOST_VALUES);
  return {
    hashes: Buffer.concat(values.map(hashValue)),
    cut: cut || found.size > MOST_VALUES,
  };
}

/** The hash under which a value is looked for; blanks around it do not count. */
export function hashValue(value: string): Uint8Array {
  return hash('sha256', value.trim(), 'buffer').subarray(0, HASH_BYTES);
}

type Gathering = { readonly found: Set<string>; readonly words: boolean };

function collect(value: Json, depth: number, gathering: Gathering): boolean {
  if (typeof value === 'string') return collectText(value, gathering);
  if (typeof value === 'number') return add(gathering, String(value));
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= DEEPEST) return true;
  let cut = false;
  const items = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
  for (const item of items) cut = collect(item, depth + 1, gathering) || cut;
  return cut;
}

function add({ found }: Gathering, text: string): boolean {
  const clean = text.trim();
  if (clean !== '' && clean.length <= LONGEST_VALUE) found.add(clean);
  return clean.length > LONGEST_VALUE;
}

/** Signs around a value in prose, in markup and in quotes. */
const BEFORE = lettersOf(/[\s"'`(<[{*_,;:!?]/);
const AFTER = lettersOf(/[\s"'`)>\]}*_,;:!?.]/);
const QUOTED = /"([^"\n]{1,400})"|'([^'\n]{1,400})'|`([^`\n]{1,400})`/g;
/** A word that says more than a word of prose: it has a sign or a digit in it. */
const TELLING = /[@./:_\d\\-]/;

function collectText(text: string, gathering: Gathering): boolean {
  const kept = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text;
  if (kept.length <= LONGEST_VALUE) add(gathering, kept);
  for (const address of addressesIn(kept)) add(gathering, bareOf(address));
  for (const match of kept.matchAll(QUOTED)) add(gathering, match[1] ?? match[2] ?? match[3] ?? '');
  for (const line of kept.split('\n')) {
    if (line.length <= 400) add(gathering, bareOf(line));
    for (const word of line.split(/[\s,;|]+/)) {
      const bare = bareOf(word);
      if (bare.length > 1 && (gathering.words || TELLING.test(bare))) add(gathering, bare);
    }
  }
  return text.length > LONGEST_TEXT;
}

/** The text without the signs around it. */
function bareOf(text: string): string {
  const from = over(text, BEFORE, 0);
  return text.slice(from, backOver(text, AFTER, { from, at: text.length }));
}
