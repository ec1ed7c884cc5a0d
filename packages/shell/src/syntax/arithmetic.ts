const INTEGER = /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+)$/;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /\d[\w#@]*/y;
const PLAIN = new Set(' \t\r\n"+-*/%<>=!&|^~?:,()[]');
const INERT_SPECIAL = new Set('#?$!');

/** True for a literal that arithmetic reads as one integer. */
export function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

/** Whether the name at that offset of the text can only hold an integer. */
export type IsIntegerName = (name: string, offset: number) => boolean;

/**
 * True if evaluating the text as arithmetic cannot run anything: integers, operators and names
 * that only ever hold integers. The value of any other name may hold a subscript with a substitution.
 */
export function isInert(text: string, isIntegerName: IsIntegerName): boolean {
  let at = 0;
  while (at < text.length) {
    const next = skipToken(text, at, isIntegerName);
    if (next === -1) return false;
    at = next;
  }
  return true;
}

function skipToken(text: string, at: number, isIntegerName: IsIntegerName): number {
  const char = text.charAt(at);
  if (PLAIN.has(char)) return at + 1;
  if (char === '$') return skipParameter(text, at, isIntegerName);
  if (char === '\\' && text.charAt(at + 1) === '\n') return at + 2;
  const number = matchAt(NUMBER, text, at);
  if (number !== null) return /^\d+(?:#[\w@]+)?$|^0[xX][0-9a-fA-F]+$/.test(number) ? at + number.length : -1;
  const name = matchAt(NAME, text, at);
  return name !== null && isIntegerName(name, at) ? at + name.length : -1;
}

function skipParameter(text: string, at: number, isIntegerName: IsIntegerName): number {
  const braced = text.charAt(at + 1) === '{';
  const start = at + (braced ? 2 : 1);
  const close = (end: number): number => (!braced ? end : text.charAt(end) === '}' ? end + 1 : -1);
  if (INERT_SPECIAL.has(text.charAt(start))) return close(start + 1);
  const name = matchAt(NAME, text, start);
  return name !== null && isIntegerName(name, start) ? close(start + name.length) : -1;
}

/** True if an earlier part of the same expression has given the name an integer, or if this is where it gets one. */
export function isAssignedBefore(text: string, name: string, offset: number): boolean {
  const assigns = new RegExp(`(?<![\\w$])${name}\\s*=(?!=)`, 'g');
  if (/^\s*=(?!=)/.test(text.slice(offset + name.length))) return true;
  for (const match of text.slice(0, offset).matchAll(assigns)) {
    if (text.slice(match.index, offset).includes(',')) return true;
  }
  return false;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Names that the expression assigns with `=`; `+=` and `++` read the old value and count for nothing. */
export function assignedNames(text: string): readonly string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/(?<![\w$<>=!+\-*/%&|^])([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*=(?!=)/g)) {
    if (match[1] !== undefined) found.push(match[1]);
  }
  return found;
}
