import { foldName } from '@warrant/core';

/** Letters that a reader takes for a Latin one: `latin` letter, then all that look like it. */
const LOOKALIKES: readonly string[] = [
  'aаαɑᴀ',
  'bЬвʙᖯ',
  'cсϲᴄⅽ',
  'dԁɗᴅ',
  'eеєᴇҽ',
  'fғꜰ',
  'gɡցɢ',
  'hһհнʜ',
  'iіıɪιӏɩ',
  'jјϳᴊ',
  'kкκᴋ',
  'lӏʟⅼ',
  'mмᴍⅿ',
  'nոпɴη',
  'oоοօᴏσ',
  'pрρᴘ',
  'qԛզ',
  'rгʀⲅ',
  'sѕꜱʂ',
  'tтτᴛ',
  'uυսᴜц',
  'vνѵᴠⅴ',
  'wԝաᴡω',
  'xхχⅹ',
  'yуүγʏ',
  'zᴢʐ',
];
const LATIN = new Map(
  LOOKALIKES.flatMap(([latin, ...others]) => others.map((other) => [other, latin ?? other] as const)),
);
const PLAIN = /^[a-z0-9_-]*$/;
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]/gu;

/** What a text looks like to a hasty reader or a careless comparison: case, width, accents, invisible characters and alphabets put aside. */
export function skeleton(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = foldName(text.normalize('NFKC')).normalize('NFKD').replace(UNSEEN, '');
  return Array.from(plain, (character) => LATIN.get(character) ?? character).join('');
}
