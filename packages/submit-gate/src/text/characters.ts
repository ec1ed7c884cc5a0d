// Character classes as the recorded behaviour has them: Unicode words, digits and spaces, by code point.
const FLAG_DIGIT = 1;
const FLAG_WORD = 2;
const FLAG_SPACE = 4;
const FLAG_HEX = 8;
const FLAG_KNOWN = 128;

/** File, group, record and unit separators, and the next line. */
function isSeparator(code: number): boolean {
  return (code >= 0x1c && code <= 0x1f) || code === 0x85;
}

function classOf(point: number): number {
  const letter = String.fromCodePoint(point);
  return (
    FLAG_KNOWN |
    (/^\p{Nd}$/u.test(letter) ? FLAG_DIGIT : 0) |
    (/^[\p{L}\p{N}_]$/u.test(letter) ? FLAG_WORD : 0) |
    ((/^\s$/u.test(letter) && point !== 0xfeff) || isSeparator(point) ? FLAG_SPACE : 0)
  );
}

/** Classes of the units of the basic plane, looked up when first met. */
const CLASSES = new Uint8Array(0x10000);
// Those of ASCII at once, and without expressions over all of Unicode: whoever only starts meets no other.
for (const [from, to, flags] of [
  ['\0', '\x7f', 0],
  ['\t', '\r', FLAG_SPACE],
  ['\x1c', ' ', FLAG_SPACE],
  ['0', '9', FLAG_DIGIT | FLAG_WORD | FLAG_HEX],
  ['A', 'Z', FLAG_WORD],
  ['_', '_', FLAG_WORD],
  ['a', 'z', FLAG_WORD],
  ['A', 'F', FLAG_WORD | FLAG_HEX],
  ['a', 'f', FLAG_WORD | FLAG_HEX],
] as const) {
  CLASSES.fill(FLAG_KNOWN | flags, from.charCodeAt(0), to.charCodeAt(0) + 1);
}

/** Classes of a code point; those of the basic plane cost one look into a table. */
function flagsOf(point: number): number {
  if (point > 0xffff) return classOf(point);
  const known = CLASSES[point] as number;
  if (known !== 0) return known;
  const flags = classOf(point);
  CLASSES[point] = flags;
  return flags;
}

/** The UTF-16 unit at `index`, 0 outside the text: a read outside makes all later ones slow. */
function codeAt(text: string, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : 0;
}

/** True when a word character (letter, number, underscore) starts at `index`. */
export function isWordAt(text: string, index: number): boolean {
  const code = codeAt(text, index);
  const point = isHigh(code) ? (text.codePointAt(index) as number) : code;
  return (flagsOf(point) & FLAG_WORD) !== 0;
}

/** True when the code point that ends just before `index` is a word character. */
export function isWordBefore(text: string, index: number): boolean {
  const code = codeAt(text, index - 1);
  const high = isLow(code) ? codeAt(text, index - 2) : 0;
  return (flagsOf(isHigh(high) ? pointOf(high, code) : code) & FLAG_WORD) !== 0;
}

/** Length of the decimal digit at `index` in units (1 or 2), 0 where there is none. */
export function digitAt(units: Uint16Array, index: number): number {
  const code = units[index] as number;
  if (code < 128) return (CLASSES[code] as number) & FLAG_DIGIT;
  const point = pointAt(units, index);
  return (flagsOf(point) & FLAG_DIGIT) === 0 ? 0 : point > 0xffff ? 2 : 1;
}

/** As {@link isWordAt}, over units. */
export function isWordUnitAt(units: Uint16Array, index: number): boolean {
  const code = units[index] as number;
  return (flagsOf(code < 128 ? code : pointAt(units, index)) & FLAG_WORD) !== 0;
}

/** As {@link isWordBefore}, over units. */
export function isWordUnitBefore(units: Uint16Array, index: number): boolean {
  if (index <= 0) return false;
  const code = units[index - 1] as number;
  if (!isLow(code) || index < 2) return (flagsOf(code) & FLAG_WORD) !== 0;
  const high = units[index - 2] as number;
  return (flagsOf(isHigh(high) ? pointOf(high, code) : code) & FLAG_WORD) !== 0;
}

/** True for white space, the byte order mark excepted. */
export function isSpaceUnit(code: number): boolean {
  return (flagsOf(code) & FLAG_SPACE) !== 0;
}

/** True for a blank or a tab: a line break ends a date. */
export function isBlank(code: number | undefined): boolean {
  return code === 32 || code === 9;
}

/** True for `0-9 a-f A-F`. */
export function isHexUnit(code: number): boolean {
  return code < 128 && ((CLASSES[code] as number) & FLAG_HEX) !== 0;
}

/** The code point at `index`; a surrogate without its other half is its own unit. */
function pointAt(units: Uint16Array, index: number): number {
  const code = units[index] as number;
  if (!isHigh(code)) return code;
  const low = units[index + 1] as number;
  return isLow(low) ? pointOf(code, low) : code;
}

function pointOf(high: number, low: number): number {
  return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
