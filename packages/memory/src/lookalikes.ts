import { foldName } from '@warrant/core';

/** Letters that a reader takes for a Latin one: `latin` letter, then all that look like it. */
const LOOKALIKES: readonly string[] = [
  'aаαɑᴀꓮᎪⲁ⍺',
  'bЬвʙᖯꓐᏴᏏ',
  'cсϲᴄⅽꓚᏟⲥ',
  'dԁɗᴅꓓꓒᎠᏧ',
  'eеєᴇҽꓰᎬⲉ',
  'fғꜰꓝẝ',
  'gɡցɢꓖᏀ',
  'hһհнʜꓧᎻⲏ',
  'iіıɪιӏɩꓲᎥⲓ',
  'jјϳᴊꓙᎫ',
  'kкκᴋꓗᏦⲕ',
  'lӏʟⅼꓡᏞ',
  'mмᴍⅿꓟᎷⲙ',
  'nոпɴηꓠⲛ',
  'oоοօᴏσꓳⲟ',
  'pрρᴘꓑᏢⲣ',
  'qԛզ',
  'rгʀⲅꓣᎡᏒ',
  'sѕꜱʂꓢᏚ',
  'tтτᴛꓔᎢⲧ',
  'uυսᴜцꓴ',
  'vνѵᴠⅴꓦᏙ',
  'wԝաᴡωꓪᎳ',
  'xхχⅹꓫⲭ',
  'yуүγʏꓬᎩⲩ',
  'zᴢʐꓜᏃ',
];
const LATIN = new Map(
  LOOKALIKES.flatMap(([latin, ...others]) => others.map((other) => [other, latin ?? other] as const)),
);
const PLAIN = /^[a-z0-9_-]*$/;
const ESCAPE = /%[0-7][0-9a-f]/;
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]/gu;

/** Capitals that look like Latin ones though their small letters do not. */
const CAPITALS = new Map(
  Array.from('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧВНМТЗ', (capital, index) => [capital, 'abezhikmnoptyxbhmtz'[index] as string] as const),
);

/** What a text looks like to a hasty reader or a careless comparison: case, width, accents, invisible characters and alphabets put aside. */
export function skeleton(text: string): string {
  if (PLAIN.test(text)) return text;
  // Marks go before case folding too: one of them (U+0345) folds to a letter.
  const bare = text.normalize('NFKD').replace(UNSEEN, '');
  const small = foldName(Array.from(bare, (character) => CAPITALS.get(character) ?? character).join(''));
  const plain = small.normalize('NFKD').replace(UNSEEN, '');
  return Array.from(plain, (character) => LATIN.get(character) ?? character).join('');
}

/** True for a text with a percent escape of ASCII in it, as a hasty reader sees it. */
export function hasEscape(text: string): boolean {
  return /[%\uFF05\uFE6A]/.test(text) && ESCAPE.test(skeleton(text));
}
