const ASCII = 128;

/** A set of letters, by their codes: common ones are looked up, since texts of a million of them are looked through. */
export type Letters = (code: number) => boolean;

/** @param pattern what matches one letter */
export function lettersOf(pattern: RegExp): Letters {
  const table = Uint8Array.from({ length: ASCII }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
  return (code) => (code < ASCII ? table[code] === 1 : pattern.test(String.fromCharCode(code)));
}

/** Where the letters of a set that stand before a place begin, not before `from`. */
export function backOver(text: string, letters: Letters, { from, at }: { readonly from: number; readonly at: number }) {
  let start = at;
  while (start > from && letters(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Where the letters of a set that stand from a place on end. */
export function over(text: string, letters: Letters, at: number): number {
  let end = at;
  while (end < text.length && letters(text.charCodeAt(end))) end += 1;
  return end;
}
