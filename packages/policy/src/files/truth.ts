import type { CelEnvironment } from '@warrant/core/cel';

/** What can be told of a condition without a call. */
export type Truth = 'always' | 'never' | 'unknown';

/**
 * Decides a condition where it can be decided: constants, `&&`, `||` and `!` over them, and comparisons of one path
 * with literals that contradict or complete each other. Says `unknown` rather than guess.
 */
export function truthOf(environment: CelEnvironment, source: string): Truth {
  const text = unwrap(source.trim());
  const constant = constantOf(environment, text);
  if (constant !== null) return constant ? 'always' : 'never';
  const either = splitTop(text, '||');
  if (either.length > 1) return truthOfEither(environment, either);
  const both = splitTop(text, '&&');
  if (both.length > 1) return truthOfBoth(environment, both);
  if (text.startsWith('!') && !text.startsWith('!=') && isOneOperand(text.slice(1).trim())) {
    return opposite(truthOf(environment, text.slice(1)));
  }
  return 'unknown';
}

function truthOfEither(environment: CelEnvironment, parts: readonly string[]): Truth {
  const truths = parts.map((part) => truthOf(environment, part));
  if (truths.includes('always')) return 'always';
  if (truths.every((truth) => truth === 'never')) return 'never';
  return isExhaustive(parts) ? 'always' : 'unknown';
}

function truthOfBoth(environment: CelEnvironment, parts: readonly string[]): Truth {
  const truths = parts.map((part) => truthOf(environment, part));
  if (truths.includes('never')) return 'never';
  if (truths.every((truth) => truth === 'always')) return 'always';
  return isContradictory(parts) ? 'never' : 'unknown';
}

function constantOf(environment: CelEnvironment, text: string): boolean | null {
  try {
    const expression = environment.compileCondition(text);
    return expression.variables.length > 0 ? null : expression.evaluate({});
  } catch {
    return null;
  }
}

function opposite(truth: Truth): Truth {
  if (truth === 'unknown') return 'unknown';
  return truth === 'always' ? 'never' : 'always';
}

type Comparison = { readonly path: string; readonly operator: string; readonly literal: string | number };

const COMPARISON = /^([A-Za-z_][\w.[\]'"/]*)\s*(==|!=|<=|>=|<|>)\s*(-?\d+(?:\.\d+)?|'[^'\\]*'|"[^"\\]*")$/;

function comparisonOf(part: string): Comparison | null {
  const match = COMPARISON.exec(unwrap(part.trim()));
  if (match === null) return null;
  const [, path = '', operator = '', literal = ''] = match;
  return { path, operator, literal: /^['"]/.test(literal) ? literal.slice(1, -1) : Number(literal) };
}

function pairs(parts: readonly string[]): readonly (readonly [Comparison, Comparison])[] {
  const comparisons = parts.map(comparisonOf).filter((comparison) => comparison !== null);
  return comparisons.flatMap((first, index) =>
    comparisons
      .slice(index + 1)
      .filter((second) => second.path === first.path && typeof second.literal === typeof first.literal)
      .map((second) => [first, second] as const),
  );
}

/** Two comparisons of one path that no value satisfies together. */
function isContradictory(parts: readonly string[]): boolean {
  return pairs(parts).some(([first, second]) =>
    candidates(first, second).every((value) => !(holds(first, value) && holds(second, value))),
  );
}

/** Two comparisons of one path of which every value satisfies one. */
function isExhaustive(parts: readonly string[]): boolean {
  return pairs(parts).some(([first, second]) =>
    candidates(first, second).every((value) => holds(first, value) || holds(second, value)),
  );
}

/** A value below, at, between and above both literals: comparisons cannot tell others apart. */
function candidates(first: Comparison, second: Comparison): readonly (string | number)[] {
  if (typeof first.literal === 'number' && typeof second.literal === 'number') {
    const [low, high] = [Math.min(first.literal, second.literal), Math.max(first.literal, second.literal)];
    return [low - 1, low, (low + high) / 2, high, high + 1];
  }
  const texts = [String(first.literal), String(second.literal)].sort();
  const [low = '', high = ''] = texts;
  // Texts have no last one, and between two of them lies another: the lower with a NUL behind it.
  return ['', low, `${low}\0`, high, `${high}\0`];
}

function holds({ operator, literal }: Comparison, value: string | number): boolean {
  switch (operator) {
    case '==':
      return value === literal;
    case '!=':
      return value !== literal;
    case '<':
      return value < literal;
    case '<=':
      return value <= literal;
    case '>':
      return value > literal;
    default:
      return value >= literal;
  }
}

/** The text without parentheses that enclose all of it. */
function unwrap(text: string): string {
  let inner = text;
  while (inner.startsWith('(') && closingOf(inner) === inner.length - 1) inner = inner.slice(1, -1).trim();
  return inner;
}

function isOneOperand(text: string): boolean {
  return text.startsWith('(')
    ? closingOf(text) === text.length - 1
    : splitTop(text, '==').length === 1 && /^[\w.!]+$/.test(text);
}

function closingOf(text: string): number {
  let depth = 0;
  for (const { character, index } of codeOf(text)) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** The parts between an operator that stands outside of every bracket and text; the whole where a ternary makes it unclear. */
function splitTop(text: string, operator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { character, index } of codeOf(text)) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === '?' && depth === 0) return [text];
    else if (depth === 0 && index >= start && text.startsWith(operator, index)) {
      parts.push(text.slice(start, index));
      start = index + operator.length;
    }
  }
  return [...parts, text.slice(start)];
}

/** Characters that are not inside a text literal. */
function* codeOf(text: string): Generator<{ readonly character: string; readonly index: number }> {
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (quote === '') {
      if (character === "'" || character === '"') quote = character;
      else yield { character, index };
    } else if (character === '\\') index += 1;
    else if (character === quote) quote = '';
  }
}
