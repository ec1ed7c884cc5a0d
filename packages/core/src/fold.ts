import { FULL_FOLDINGS, SIMPLE_FOLDINGS } from './case-folding.ts';

const ASCII = /^\p{ASCII}*$/u;

let table: ReadonlyMap<number, string> | undefined;

/**
 * The key under which a name is the same name: NFC, then full Unicode case folding (statuses C and F of the shipped
 * table, `CASE_FOLDING_VERSION`). Nothing is trimmed. Plain lower-casing would keep `ß` and `SS`, or `ς` and `σ`, apart.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  table ??= readTable();
  let key = '';
  for (const character of name.normalize('NFC')) {
    key += table.get(character.codePointAt(0) as number) ?? character;
  }
  return key;
}

function readTable(): ReadonlyMap<number, string> {
  const foldings = new Map<number, string>();
  for (const [first, last, step, distance] of numbers(SIMPLE_FOLDINGS)) {
    if (first === undefined || last === undefined || step === undefined || distance === undefined) continue;
    for (let code = first; code <= last; code += step) foldings.set(code, String.fromCodePoint(code + distance));
  }
  for (const [code, ...folded] of numbers(FULL_FOLDINGS)) {
    if (code !== undefined) foldings.set(code, String.fromCodePoint(...folded));
  }
  return foldings;
}

function numbers(text: string): readonly (readonly number[])[] {
  return text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => part.split(',').map(Number));
}
