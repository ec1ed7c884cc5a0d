import { foldName } from './fold.ts';

/** Letters of other scripts that look like Latin ones; the commonest of Unicode's confusables (UTS 39). */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  'аa вb сc еe нh іi јj кk мm оo рp ԛq ѕs тt хx уy ѡw ԁd ɡg ӏl ьb αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw ıi ℓl օo ոn սu հh ցg ѵv'
    .split(' ')
    // Both letters of a pair are single code units.
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const IGNORED = /[\s_\-./\p{Cf}\p{Mn}]/gu;

/** A name without compatibility forms, separators and hidden characters, folded. */
export function nameWithoutSeparators(name: string): string {
  return foldName(name.normalize('NFKC')).replace(IGNORED, '');
}

/**
 * What a name looks like: compatibility forms, accents, separators and look-alike letters taken away. Two names of one
 * look are easily taken for each other.
 */
export function nameLook(name: string): string {
  const plain = nameWithoutSeparators(name.normalize('NFKD').replace(/\p{Mn}/gu, ''));
  return Array.from(plain, (letter) => LOOKALIKES.get(letter) ?? letter).join('');
}
