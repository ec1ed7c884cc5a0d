import { foldName } from '@warrant/core';

/** Two names that a reader may take for one, and what they share. */
export type SimilarNames = { readonly names: readonly [string, string]; readonly why: string };

/** Letters of other scripts that look like Latin ones; the commonest of Unicode's confusables (UTS 39). */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  'аa вb сc еe нh іi јj кk мm оo рp ԛq ѕs тt хx уy ѡw ԁd ɡg ӏl ьb αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw ıi ℓl օo ոn սu հh ցg ѵv'
    .split(' ')
    // Both letters of a pair are single code units.
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const IGNORED = /[\s_\-./\p{Cf}\p{Mn}]/gu;
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
    (name) => [skeleton(name)],
    (one, other) => note(one, other, whyAlike(one, other)),
  );
  noteShared(names, shortened, (one, other) => note(one, other, 'differ in a single letter'));
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

function separators(name: string): string {
  return foldName(name.normalize('NFKC')).replace(IGNORED, '');
}

function accents(name: string): string {
  return name.normalize('NFKD').replace(/\p{Mn}/gu, '');
}

/** What a name looks like: compatibility forms, accents, separators and look-alike letters taken away. */
function skeleton(name: string): string {
  const plain = separators(accents(name));
  return Array.from(plain, (letter) => LOOKALIKES.get(letter) ?? letter).join('');
}

function whyAlike(one: string, other: string): string {
  return separators(one) === separators(other) ? 'differ in separators or hidden characters alone' : 'look alike';
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
