const INTEGER = /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+)$/;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /\d[\w#@]*/y;
const PLAIN = new Set(' \t\r\n"+-*/%<>=!&|^~?:,()[]');
const INERT_SPECIAL = new Set('#?$!');

/** True for a literal that arithmetic reads as one integer. */
export function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

/**
 * True if evaluating the text as arithmetic cannot run anything: integers, operators and names
 * that are only ever given integers. The value of any other name may hold a subscript with a substitution.
 */
export function isInert(text: string, names: ReadonlyMap<string, 'integer' | 'other'>): boolean {
  let at = 0;
  while (at < text.length) {
    const next = skipToken(text, at, names);
    if (next === -1) return false;
    at = next;
  }
  return true;
}

function skipToken(text: string, at: number, names: ReadonlyMap<string, 'integer' | 'other'>): number {
  const char = text.charAt(at);
  if (PLAIN.has(char)) return at + 1;
  if (char === '$') return skipParameter(text, at, names);
  if (char === '\\' && text.charAt(at + 1) === '\n') return at + 2;
  const number = matchAt(NUMBER, text, at);
  if (number !== null) return /^\d+(?:#[\w@]+)?$|^0[xX][0-9a-fA-F]+$/.test(number) ? at + number.length : -1;
  const name = matchAt(NAME, text, at);
  return name !== null && names.get(name) === 'integer' ? at + name.length : -1;
}

function skipParameter(text: string, at: number, names: ReadonlyMap<string, 'integer' | 'other'>): number {
  const braced = text.charAt(at + 1) === '{';
  const start = at + (braced ? 2 : 1);
  const close = (end: number): number => (!braced ? end : text.charAt(end) === '}' ? end + 1 : -1);
  if (INERT_SPECIAL.has(text.charAt(start))) return close(start + 1);
  const name = matchAt(NAME, text, start);
  return name !== null && names.get(name) === 'integer' ? close(start + name.length) : -1;
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
