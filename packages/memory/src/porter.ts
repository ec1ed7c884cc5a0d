/** Porter's stemmer (An algorithm for suffix stripping, Program 14(3), 1980) for lower-case ASCII words. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))));
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index];
  if (letter === 'y') return index === 0 || !isConsonant(word, index - 1);
  return !'aeiou'.includes(letter as string);
}

/** How often a vowel is followed by a consonant: the paper's m. */
function measure(part: string): number {
  let count = 0;
  for (let index = 1; index < part.length; index += 1)
    if (isConsonant(part, index) && !isConsonant(part, index - 1)) count += 1;
  return count;
}

function hasVowel(part: string): boolean {
  for (let index = 0; index < part.length; index += 1) if (!isConsonant(part, index)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);
}

/** Consonant, vowel, consonant other than w, x, y: the paper's *o. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !'wxy'.includes(word[last] as string)
  );
}

function cut(word: string, suffix: string): string {
  return word.slice(0, word.length - suffix.length);
}

function step1a(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return cut(word, 'es');
  return word.endsWith('s') && !word.endsWith('ss') ? cut(word, 's') : word;
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return measure(cut(word, 'eed')) > 0 ? cut(word, 'd') : word;
  const suffix = ['ed', 'ing'].find((one) => word.endsWith(one) && hasVowel(cut(word, one)));
  if (suffix === undefined) return word;
  const rest = cut(word, suffix);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function step1c(word: string): string {
  return word.endsWith('y') && hasVowel(cut(word, 'y')) ? `${cut(word, 'y')}i` : word;
}

type Rule = readonly [suffix: string, replacement: string];
const STEP2: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const STEP3: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP4 = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

/** Of several suffixes the longest counts, also when its condition fails. */
function replaced(word: string, rules: readonly Rule[]): string {
  let longest: Rule | undefined;
  for (const rule of rules) if (word.endsWith(rule[0]) && rule[0].length > (longest?.[0].length ?? 0)) longest = rule;
  if (longest === undefined) return word;
  const rest = cut(word, longest[0]);
  return measure(rest) > 0 ? rest + longest[1] : word;
}

function step2(word: string): string {
  return replaced(word, STEP2);
}

function step3(word: string): string {
  return replaced(word, STEP3);
}

function step4(word: string): string {
  const suffix = STEP4.exec(word)?.[0];
  if (suffix === undefined) return word;
  const rest = cut(word, suffix);
  return measure(rest) > 1 ? rest : word;
}

function step5(word: string): string {
  let rest = word;
  if (word.endsWith('e')) {
    const before = cut(word, 'e');
    if (measure(before) > 1 || (measure(before) === 1 && !endsShort(before))) rest = before;
  }
  return rest.endsWith('ll') && measure(rest) > 1 ? rest.slice(0, -1) : rest;
}
