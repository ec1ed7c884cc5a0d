const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>', ' in '];
const LITERAL = /^(?:-?\d[\w.]*|true|false|null|r?(["'])(?:(?!\1).)*\1|\[\s*\]|\{\s*\})$/s;
const MAX_PARTS = 40;

/** The sub-expressions of a condition that say why it is as it is: what `? :`, `||`, `&&`, `!` and comparisons join. Literals are left out. */
export function partsOf(source: string): readonly string[] {
  const parts: string[] = [];
  collect(source.trim(), parts, true);
  return [...new Set(parts)].slice(0, MAX_PARTS);
}

function collect(source: string, parts: string[], isWhole: boolean): void {
  const text = withoutParentheses(source);
  if (text === '' || LITERAL.test(text)) return;
  if (!isWhole) parts.push(text);
  const joined = ['||', '&&'].map((operator) => split(text, [operator])).find((pieces) => pieces.length > 1);
  const chosen = split(text, ['?', ':']);
  const pieces = chosen.length > 1 ? chosen : (joined ?? split(text, COMPARISONS));
  if (pieces.length > 1) for (const piece of pieces) collect(piece, parts, false);
  else if (text.startsWith('!')) collect(text.slice(1).trim(), parts, false);
  else if (isWhole) parts.push(text);
}

/** Without the parentheses that hold all of it. */
function withoutParentheses(source: string): string {
  let text = source.trim();
  while (text.startsWith('(') && closingOf(text) === text.length - 1) text = text.slice(1, -1).trim();
  return text;
}

function closingOf(text: string): number {
  let found = -1;
  scan(text, (index, depth) => {
    if (found < 0 && depth === 0 && text[index] === ')') found = index;
  });
  return found;
}

/** Splits at operators that stand outside of brackets and texts. */
function split(text: string, operators: readonly string[]): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  scan(text, (index, depth) => {
    if (depth > 0 || index < start) return;
    const operator = operators.find((one) => text.startsWith(one, index));
    if (operator === undefined) return;
    pieces.push(text.slice(start, index).trim());
    start = index + operator.length;
  });
  return [...pieces, text.slice(start).trim()];
}

/** Calls `visit` for every sign outside of texts, with the number of brackets that are open after it. */
function scan(text: string, visit: (index: number, depth: number) => void): void {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] as string;
    if (quote !== '') {
      if (sign === '\\') index += 1;
      else if (sign === quote) quote = '';
      continue;
    }
    if (sign === '"' || sign === "'") quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    visit(index, depth);
  }
}
