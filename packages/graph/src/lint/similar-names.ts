import { foldName, nameLook, nameWithoutSeparators } from '@warrant/core';

/** Two names that a reader may take for one, and what they share. */
export type SimilarNames = { readonly names: readonly [string, string]; readonly why: string };

/** Shorter names differ in one letter too often to mean anything. */
const MIN_LENGTH = 6;
const MAX_FINDINGS = 1000;

/** Pairs of names that look alike, that differ in separators alone, or in a single letter. */
export function similarNames(names: readonly string[]): readonly SimilarNames[] {
  const found = new Map<string, SimilarNames>();
  const note = (one: string, other: string, why: string): void => {
    const [left, right] = one < other ? [one, other] : [other, one];
    const pair = `${left}\n${right}`;
    if (left !== right && !found.has(pair) && found.size < MAX_FINDINGS) found.set(pair, { names: [left, right], why });
  };
  noteShared(
    names,
    (name) => [nameLook(name)],
    (one, other) => note(one, other, whyAlike(one, other)),
  );
  noteShared(names, shortened, (one, other) => note(one, other, whyNear(one, other)));
  return [...found.values()];
}

function noteShared(
  names: readonly string[],
  keysOf: (name: string) => readonly string[],
  note: (one: string, other: string) => void,
): void {
  const holders = new Map<string, string>();
  for (const name of names) {
    for (const key of keysOf(name)) {
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, name);
      else note(holder, name);
    }
  }
}

function whyAlike(one: string, other: string): string {
  return nameWithoutSeparators(one) === nameWithoutSeparators(other)
    ? 'differ in separators or hidden characters alone'
    : 'look alike';
}

/** Of one look, yet unlike the pair that was told of that look. */
function whyNear(one: string, other: string): string {
  return nameLook(one) === nameLook(other) ? whyAlike(one, other) : 'differ in a single letter';
}

/** Keys that two names share when one letter was replaced (`i:`) or left out (`=`). */
function shortened(name: string): readonly string[] {
  const plain = foldName(name);
  if (plain.length < MIN_LENGTH || plain.length > 64) return [];
  const keys = new Set([`=${plain}`]);
  for (let index = 0; index < plain.length; index += 1) {
    // Numbered names differ in a digit on purpose.
    if (/\d/.test(plain[index] as string)) continue;
    const rest = plain.slice(0, index) + plain.slice(index + 1);
    keys.add(`${index}:${rest}`);
    keys.add(`=${rest}`);
  }
  return [...keys];
}
