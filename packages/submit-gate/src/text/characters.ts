// Character classes as the recorded behaviour has them: Unicode words, digits and spaces, by code point.
const WORD = /^[\p{L}\p{N}_]$/u;
const DIGIT = /^\p{Nd}$/u;
const SPACE = /^\s$/u;

/** File, group, record and unit separators, and the next line. */
function isSeparator(code: number): boolean {
  return (code >= 0x1c && code <= 0x1f) || code === 0x85;
}

const FLAG_DIGIT = 1;
const FLAG_WORD = 2;
const FLAG_SPACE = 4;
const FLAG_HEX = 8;

const ASCII: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return (
    (DIGIT.test(letter) ? FLAG_DIGIT : 0) |
    (WORD.test(letter) ? FLAG_WORD : 0) |
    (SPACE.test(letter) || isSeparator(code) ? FLAG_SPACE : 0) |
    (/[0-9a-fA-F]/.test(letter) ? FLAG_HEX : 0)
  );
});
const TABLE = Uint8Array.from(ASCII);

/** The UTF-16 unit at `index`, 0 outside the text: a read outside makes all later ones slow. */
export function codeAt(text: string, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : 0;
}

/** Units of the code point at `index` (1 or 2); 0 past the end. */
function unitsAt(text: string, index: number): number {
  const point = text.codePointAt(index);
  return point === undefined ? 0 : point > 0xffff ? 2 : 1;
}

function matchUnits(text: string, index: number, pattern: RegExp): number {
  const units = unitsAt(text, index);
  return units > 0 && pattern.test(text.slice(index, index + units)) ? units : 0;
}

/** Units (1 or 2) of the decimal digit at `index`, 0 where there is none. */
export function digitAt(text: string, index: number): number {
  const code = codeAt(text, index);
  if (code < 128) return (TABLE[code] as number) & FLAG_DIGIT;
  return code >= 128 ? matchUnits(text, index, DIGIT) : 0;
}

/** True when a word character (letter, number, underscore) starts at `index`. */
export function isWordAt(text: string, index: number): boolean {
  const code = codeAt(text, index);
  if (code < 128) return ((TABLE[code] as number) & FLAG_WORD) !== 0;
  return code >= 128 && matchUnits(text, index, WORD) > 0;
}

/** True when the code point that ends just before `index` is a word character. */
export function isWordBefore(text: string, index: number): boolean {
  if (index <= 0) return false;
  const code = codeAt(text, index - 1);
  if (code < 128) return ((TABLE[code] as number) & FLAG_WORD) !== 0;
  const low = code >= 0xdc00 && code <= 0xdfff && index >= 2;
  const start = low && unitsAt(text, index - 2) === 2 ? index - 2 : index - 1;
  return matchUnits(text, start, WORD) > 0;
}

/** True when the white space character at `index` is one. */
export function isSpaceAt(text: string, index: number): boolean {
  const code = codeAt(text, index);
  if (code < 128) return ((TABLE[code] as number) & FLAG_SPACE) !== 0;
  return code >= 128 && code !== 0xfeff && (isSeparator(code) || SPACE.test(text.charAt(index)));
}

/** True for `0-9 a-f A-F`. */
export function isHexCode(code: number): boolean {
  return code < 128 && ((TABLE[code] as number) & FLAG_HEX) !== 0;
}
