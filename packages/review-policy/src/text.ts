const ONLY_WHITE_SPACE = /^\p{White_Space}*$/u;
const BLANK_END = /^\p{White_Space}|\p{White_Space}$/u;
const CONTROL = /\p{Cc}/u;
const PLAIN = /^[A-Za-z0-9._:@/+-]+$/;

/** True for the empty string and for text of Unicode white space alone. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 0x20 && first < 0x7f) return false;
  return ONLY_WHITE_SPACE.test(text);
}

/** True when the text starts or ends with Unicode white space. */
export function hasBlankEnds(text: string): boolean {
  return BLANK_END.test(text);
}

/** True when the text holds a control character (Unicode category Cc). */
export function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

/** True when the text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  let count = 0;
  for (let index = 0; index < text.length; count += 1) index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
  return count > limit;
}

/** A name as facts show it: plain when it is made of `[A-Za-z0-9._:@/+-]`, else as a JSON string, so that it cannot forge a log line. */
export function showName(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name);
}

/** Text for one line of output: as it is, or as a JSON string when it holds control characters. */
export function showLine(text: string): string {
  return CONTROL.test(text) ? JSON.stringify(text) : text;
}

/** Order by code points (the default sort compares UTF-16 units). */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return surrogatesLast(a) - surrogatesLast(b);
  }
  return left.length - right.length;
}

// Units of surrogate pairs stand for code points above every single unit.
function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

/** One step of a JSON pointer (RFC 6901, section 3). */
export function pointerStep(key: string | number): string {
  return typeof key === 'number' ? `/${key}` : `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
