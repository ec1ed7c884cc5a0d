/** Scripts that are written together in one word count as one. */
const GROUPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Han', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Gurmukhi', /\p{Script=Gurmukhi}/u],
  ['Gujarati', /\p{Script=Gujarati}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['Kannada', /\p{Script=Kannada}/u],
  ['Malayalam', /\p{Script=Malayalam}/u],
  ['Sinhala', /\p{Script=Sinhala}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Lao', /\p{Script=Lao}/u],
  ['Khmer', /\p{Script=Khmer}/u],
  ['Myanmar', /\p{Script=Myanmar}/u],
  ['Tibetan', /\p{Script=Tibetan}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Ethiopic', /\p{Script=Ethiopic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Mongolian', /\p{Script=Mongolian}/u],
  ['Canadian_Aboriginal', /\p{Script=Canadian_Aboriginal}/u],
];
const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u;
const LETTER = /\p{L}/gu;
const ASCII = /^\p{ASCII}*$/u;

/** The scripts of a text's letters, sorted; those of no known script are `Other`. Digits, marks and signs have none. */
export function scriptsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return /[a-z]/i.test(text) ? ['Latin'] : [];
  const found = new Set<string>();
  for (const letter of text.match(LETTER) ?? []) {
    if (SHARED.test(letter)) continue;
    found.add(GROUPS.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'Other');
  }
  return [...found].sort();
}
