const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const LONE_SURROGATES = new RegExp(LONE_SURROGATE, 'g');

/** True when the text has no lone surrogate (it can be written as UTF-8). */
export function isWellFormed(text: string): boolean {
  // The engine's own is many times faster; the compiler's library does not know it yet.
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** The text with every lone surrogate replaced by U+FFFD. */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\uFFFD');
}

/** The beginning of a text, up to so many UTF-16 units; no character is cut in two. */
export function clipText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return text.slice(0, longest > 0 && isFirstHalf(text.charCodeAt(longest - 1)) ? longest - 1 : longest);
}

/** The end of a text, up to so many UTF-16 units; no character is cut in two. */
export function clipTextEnd(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const from = text.length - longest;
  return text.slice(from > 0 && isFirstHalf(text.charCodeAt(from - 1)) ? from + 1 : from);
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
