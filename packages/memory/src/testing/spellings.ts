/** Picks from a list; the same seed gives the same picks. */
export type Pick = <T>(from: readonly T[]) => T;

export function createPick(seed: number): Pick {
  let state = seed >>> 0;
  return (from) => {
    // xorshift32 (Marsaglia, 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return from[(state >>> 0) % from.length] as (typeof from)[number];
  };
}

/** Letters of other alphabets that a reader takes for Latin ones, as fonts draw them; capitals stand for both cases. */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  a: 'аαАΑᎪꓮ⍺𝛼',
  c: 'сϲСϹᏟꓚⅽ',
  d: 'ԁᏧꓒⅾ',
  e: 'еЕΕᎬꓰ',
  f: 'ꓝẝ',
  g: 'ցɡᏀꓖ',
  h: 'һНΗᎻꓧ',
  i: 'іІΙιӏᎥꓲ',
  k: 'кКΚκᏦꓗ',
  l: 'ӏⅼᏞꓡ',
  m: 'мМΜᎷꓟⅿ',
  n: 'ΝոꓠпП',
  o: 'оОοΟօՕꓳσ',
  p: 'рРρΡᏢꓑ',
  r: 'гᎡꓣ',
  s: 'ѕЅᏚꓢ',
  t: 'тТτΤᎢꓔ',
  u: 'սυꓴ',
};

/** Every character whose compatibility form is one letter of ASCII, found in this Unicode version's own tables. */
const COMPATIBLE: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  for (let code = 0x80; code < 0x20000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const plain = character.normalize('NFKC').toLowerCase();
    if (/^[a-z]$/.test(plain)) found.set(plain, [...(found.get(plain) ?? []), character]);
  }
  return found;
})();

const INVISIBLE = Array.from(
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2062\u2064\u2066\u2069\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\u{e0001}\u{e0041}\u{e0100}',
);
const MARKS = Array.from({ length: 0x70 }, (_, index) => String.fromCodePoint(0x300 + index));
const BLANKS = Array.from(' \t\n\r\v\f\u0085\u00a0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000');
const CONTROLS = Array.from('\u0000\u0001\u0008\u001b\u007f\u0080\u009f\ufffe\uffff');
const SLASHES = [
  '\\',
  '//',
  '/./',
  '/../x/../',
  '\u2044',
  '\u2215',
  '\u29f8',
  '\uff0f',
  '\u2216',
  '\ufe68',
  '%2f',
  '%2F',
  '%5c',
];
const BEFORE = [
  '/',
  '//',
  './',
  '../',
  'x/../',
  'memory/../',
  'memory/working/../../',
  './/',
  '/./',
  'memory/./../',
  '%2e/',
  '..%2f',
];
const AFTER = ['/', '//', '/.', '/..', '/../y'];

type Change = (key: string, pick: Pick) => string;

function replaceOne(key: string, pick: Pick, others: (letter: string) => readonly string[]): string {
  const characters = Array.from(key);
  const places = characters.flatMap((letter, index) => (others(letter).length > 0 ? [index] : []));
  if (places.length === 0) return key;
  const at = pick(places);
  characters[at] = pick(others(characters[at] as string));
  return characters.join('');
}

function insert(key: string, pick: Pick, what: readonly string[], end: number): string {
  const characters = Array.from(key);
  characters.splice(pick(Array.from({ length: end }, (_, index) => index + 1)), 0, pick(what));
  return characters.join('');
}

/** Ways to write a reserved prefix so that a person, a file system or a careless program still sees it. */
function changesOf(prefix: string): readonly Change[] {
  const { length } = Array.from(prefix);
  return [
    (key, pick) => replaceOne(key, pick, (letter) => (/[a-z]/.test(letter) ? [letter.toUpperCase()] : [])),
    (key) => key.toUpperCase(),
    (key, pick) => replaceOne(key, pick, (letter) => Array.from(DRAWN_ALIKE[letter] ?? '')),
    (key) => Array.from(key, (letter) => Array.from(DRAWN_ALIKE[letter] ?? letter)[0]).join(''),
    (key, pick) => Array.from(key, (letter) => pick([letter, ...Array.from(DRAWN_ALIKE[letter] ?? '')])).join(''),
    (key) =>
      Array.from(
        key,
        (letter) => Array.from(DRAWN_ALIKE[letter] ?? letter).find((one) => /[ꓐ-ꓷ]/u.test(one)) ?? letter,
      ).join(''),
    (key, pick) => replaceOne(key, pick, (letter) => COMPATIBLE.get(letter) ?? []),
    (key, pick) => Array.from(key, (letter) => pick(COMPATIBLE.get(letter) ?? [letter])).join(''),
    (key, pick) => insert(key, pick, INVISIBLE, length),
    (key, pick) => insert(key, pick, MARKS, length),
    (key, pick) => insert(key, pick, MARKS, length).normalize('NFC'),
    (key, pick) => insert(key, pick, CONTROLS, length),
    (key, pick) => pick(BLANKS) + key,
    (key, pick) => key.replace('/', `${pick(BLANKS)}/`),
    (key, pick) => key.replace('/', pick(SLASHES)),
    (key, pick) => pick(BEFORE) + key,
    (key, pick) => key + pick(AFTER),
    (key, pick) =>
      replaceOne(key, pick, (letter) => (/[a-z]/i.test(letter) ? [`%${letter.charCodeAt(0).toString(16)}`] : [])),
  ];
}

/** Respellings of keys below a prefix; some are the key itself. */
export function* respellings(prefixes: readonly string[], count: number, seed: number): Generator<string> {
  const pick = createPick(seed);
  for (let made = 0; made < count; made += 1) {
    const prefix = pick(prefixes);
    const changes = changesOf(prefix);
    let key = `${prefix}/${pick(['x', 'deploy', 'a/b'])}`;
    for (let times = pick([1, 1, 1, 2, 3]); times > 0; times -= 1) key = pick(changes)(key, pick);
    yield key;
  }
}

/** Words as people of twelve scripts write them. */
const WORDS: readonly (readonly string[])[] = [
  [
    'größe',
    'naïve',
    'façade',
    'đường',
    'ılık',
    'Øre',
    'œuvre',
    'þing',
    'mañana',
    'Straße',
    'c++',
    'v1.2',
    'a&b',
    'O’Brien',
    'i18n',
  ],
  ['заметки', 'Ёлка', 'їжак', 'план', 'ћирилица', 'срок'],
  ['σημείωση', 'Ωραίο', 'κλειδί', 'ΐδιος', 'όρος'],
  ['הערות', 'שלום', 'מַפְתֵּחַ', 'פרויקט'],
  ['ملاحظات', 'می‌خواهم', 'پروژه', 'مَفْتَاح'],
  ['परियोजना', 'कुंजी', 'क्‍ष', 'नोट्स'],
  ['โครงการ', 'บันทึก', 'กุญแจ'],
  ['项目计划', '会議', '備忘錄', '東京2026'],
  ['メモ', 'プロジェクト', '買い物リスト', 'ｱ-ロ'.normalize('NFKC')],
  ['메모', '프로젝트', '회의록', '漢字 한글'],
  ['ծրագիր', 'Նշումներ', 'բանալի'],
  ['პროექტი', 'შენიშვნა', 'გასაღები'],
  ['திட்டம்', 'குறிப்பு'],
  ['ማስታወሻ', 'ፕሮጀክት'],
];
const JOINTS = ['-', '_', '.', '2026-01-01', ' ', '7'];

/** Keys that nobody may be refused for their spelling: one script a segment, as people name things. */
export function* legalKeys(count: number, seed: number): Generator<string> {
  const pick = createPick(seed);
  for (let made = 0; made < count; made += 1) {
    const segments = Array.from({ length: pick([1, 2, 3, 4]) }, () => {
      const words = pick(WORDS);
      return pick([
        () => pick(words),
        () => pick(words) + pick(JOINTS) + pick(words),
        () => `${pick(words)}${pick(['1', '42', '-2', '_x'.slice(0, 1)])}`,
      ])();
    });
    yield [pick(['memory/working', 'memory/long_term', 'memory/org', 'memory', 'notes', 'team']), ...segments]
      .join('/')
      .normalize('NFC');
  }
}
