/** One command of a plain line: its words and the filters behind it. */
export type CommandPart = {
  readonly words: readonly string[];
  readonly filters: readonly (readonly string[])[];
  /** The operator in front, empty at the beginning. */
  readonly after: Operator | '';
};
type Operator = '&&' | '||' | ';' | '|';

const LONGEST = 4_000;
const OPERATORS: readonly Operator[] = ['&&', '||', ';', '|'];
/** A commit message as a quoted here-document, which runs nothing. */
const MESSAGE = /"\$\(cat <<-?\s*(?:'(\w+)'|"(\w+)")\n[\s\S]{0,3000}?\n\s*(?:\1|\2)\n?\s*\)"/g;

/**
 * The commands of a plain line, or null for anything that is not plain: words and quotes, patterns of file names, `&&`, `||`, `;`
 * and line breaks between commands, pipes behind them, `2>&1` and output thrown away. Variables, substitutions, redirections
 * into files, blocks and `&` are not plain.
 */
export function plainParts(line: string): readonly CommandPart[] | null {
  if (line.length > LONGEST) return null;
  const plain = line
    .replace(MESSAGE, 'message')
    .replace(/(?:\s|^)(?:[12]?|&)>\s*\/dev\/null(?=[\s;|&)]|$)/g, ' ')
    .replace(/\s2>&1(?=[\s;|)]|$)/g, ' ')
    .replace(/\$\?/g, '0');
  return partsOf(withoutParentheses(plain.trim()));
}

function withoutParentheses(line: string): string {
  const inner = /^\(([^()]*)\)$/.exec(line);
  return inner === null ? line : (inner[1] as string);
}

function partsOf(line: string): readonly CommandPart[] | null {
  const pieces = split(line);
  if (pieces === null) return null;
  const parts: CommandPart[] = [];
  for (const { text, after } of pieces) {
    // A line may end with a separator.
    if (text.trim() === '' && after === ';') continue;
    const words = plainWords(text);
    if (words === null || words.length === 0) return null;
    const last = parts.at(-1);
    if (after !== '|') parts.push({ words, filters: [], after });
    else if (last === undefined) return null;
    else parts[parts.length - 1] = { ...last, filters: [...last.filters, words] };
  }
  return parts;
}

type Piece = { readonly text: string; readonly after: Operator | '' };

/** Splits at operators outside quotes; null for an open quote or a single `&`. */
function split(line: string): readonly Piece[] | null {
  const out: Piece[] = [];
  let quote = '';
  let start = 0;
  let after: Operator | '' = '';
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] as string;
    if (quote !== '') {
      if (letter === quote) quote = '';
      else if (letter === '\\' && quote === '"') at += 1;
      continue;
    }
    if (letter === '"' || letter === "'") quote = letter;
    const operator = letter === '\n' ? ';' : OPERATORS.find((item) => line.startsWith(item, at));
    if (operator === undefined) {
      if (letter === '&' || letter === '\r') return null;
      continue;
    }
    if (operator === '|' && line[at + 1] === '&') return null;
    out.push({ text: line.slice(start, at), after });
    after = operator;
    start = at + (letter === '\n' ? 1 : operator.length);
    at = start - 1;
  }
  if (quote !== '') return null;
  out.push({ text: line.slice(start), after });
  return out;
}

const WORD = /\s*(?:"((?:[^"$`\\]|\\[^"$`\n])*)"|'([^']*)'|([^\s"'$`\\;&<>|(){}!#]+))(\s|$)?/gy;

function plainWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let joined = '';
  let open = false;
  const source = text.trim();
  WORD.lastIndex = 0;
  while (WORD.lastIndex < source.length) {
    const match = WORD.exec(source);
    if (match === null) return null;
    joined += match[1] ?? match[2] ?? (match[3] as string);
    open = match[4] === undefined;
    if (open) continue;
    words.push(joined);
    joined = '';
  }
  if (open) words.push(joined);
  return words;
}
