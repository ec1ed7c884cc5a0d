import { WarrantError } from '@warrant/core';

export type Token = {
  readonly type: 'word' | 'string' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
};

const PATTERN = /\s+|\/\/[^\n]*|([A-Za-z_][\w.-]*)|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?)|([{}[\]():;,|=?])/gy;
const MAX_LENGTH = 100_000;

/** Splits declarations into words, texts, numbers and signs; `//` begins a comment. @throws CHART_TYPES */
export function tokensOf(source: string): readonly Token[] {
  if (source.length > MAX_LENGTH) throw typesError('the declarations are too long', { line: 1, column: 1 });
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let at = 0;
  while (at < source.length) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(source);
    const place = { line, column: at - lineStart + 1 };
    if (match === null) throw typesError('this sign has no meaning here', place);
    const [whole, word, text, number, sign] = match;
    if (word !== undefined) tokens.push({ type: 'word', text: word, ...place });
    else if (text !== undefined) tokens.push({ type: 'string', text, ...place });
    else if (number !== undefined) tokens.push({ type: 'number', text: number, ...place });
    else if (sign !== undefined) tokens.push({ type: 'sign', text: sign, ...place });
    for (let end = whole.indexOf('\n'); end >= 0; end = whole.indexOf('\n', end + 1)) {
      line += 1;
      lineStart = at + end + 1;
    }
    at += whole.length;
  }
  return [...tokens, { type: 'end', text: 'the end', line, column: at - lineStart + 1 }];
}

/** What is wrong with declarations, and where in their text. */
export function typesError(
  message: string,
  { line, column }: { readonly line: number; readonly column: number },
): WarrantError<'CHART_TYPES'> {
  return new WarrantError('CHART_TYPES', `types, ${line}:${column}: ${message}`, { data: { line, column } });
}
