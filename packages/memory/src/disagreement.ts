import { foldName } from '@warrant/core';
import { queryWords, termOf } from './words.ts';

/** Two statements that cannot both be so, and by what it shows. */
export type Disagreement = {
  readonly left: string;
  readonly right: string;
  readonly by: 'negation' | 'number' | 'opposite' | 'value';
};

const NEGATIONS =
  /\b(?:not|no|never|none|cannot|without|isn't|aren't|wasn't|don't|doesn't|didn't|won't|can't|shouldn't|mustn't)\b/giu;
const NUMBER = /(?<![\p{L}\p{N}_])[-+]?\d+(?:[.,:]\d+)*%?(?![\p{L}\p{N}_])/gu;
/** Sentences of a text; a dot within a number or a name ends none. */
const SENTENCES = /(?<=[.!?;])\s+|\n+|[。！？]/u;
const STATES =
  /^(?<subject>.{1,200}?)(?:\s+(?:is|are|was|were|equals|means|uses|use|lives in|works at|prefers|prefer|likes)\s+|\s*(?:=|:)\s+|\s*=\s*)(?<value>.{1,200})$/iu;
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['always', 'never'],
  ['enabled', 'disabled'],
  ['enable', 'disable'],
  ['on', 'off'],
  ['true', 'false'],
  ['allow', 'forbid'],
  ['allowed', 'forbidden'],
  ['required', 'optional'],
  ['active', 'deprecated'],
  ['open', 'closed'],
  ['before', 'after'],
  ['increase', 'decrease'],
  ['more', 'less'],
  ['yes', 'no'],
];
/** Share of the shorter statement's words that both must have to be about one thing. */
const SHARED = 0.6;
const MAX_STATEMENTS = 60;

/** Where two texts contradict each other. Goes by words alone: it finds plain contradictions, not what takes understanding. */
export function disagreements(left: string, right: string): readonly Disagreement[] {
  const [ours, theirs] = [statementsOf(left), statementsOf(right)];
  return ours.flatMap((a) =>
    theirs.flatMap((b): readonly Disagreement[] => {
      const by = contradiction(a, b);
      return by === undefined ? [] : [{ left: a.text, right: b.text, by }];
    }),
  );
}

type Statement = {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly numbers: readonly string[];
  readonly negated: boolean;
  readonly words: ReadonlySet<string>;
  readonly state: { readonly subject: string; readonly value: string } | undefined;
};

function statementsOf(text: string): readonly Statement[] {
  return text
    .split(SENTENCES)
    .map((part) => part.trim().replace(/[.!?;]+$/u, ''))
    .filter((part) => part !== '')
    .slice(0, MAX_STATEMENTS)
    .map(statementOf)
    .filter(({ terms, state }) => terms.size >= 2 || state !== undefined);
}

function statementOf(text: string): Statement {
  const numbers = text.match(NUMBER) ?? [];
  const plain = text.replaceAll(NEGATIONS, ' ').replaceAll(NUMBER, ' ');
  const opposites = new Set(OPPOSITES.flat());
  const words = new Set(foldName(text).match(/[\p{L}\p{N}_]+/gu) ?? []);
  const terms = new Set(
    queryWords(plain)
      .filter((word) => !opposites.has(word))
      .map(termOf),
  );
  const match = STATES.exec(text);
  const groups = match?.groups;
  return {
    text,
    terms,
    numbers: [...numbers].sort(),
    negated: ((text.match(NEGATIONS) ?? []).length & 1) === 1,
    words,
    state: groups === undefined ? undefined : { subject: plainOf(groups['subject']), value: plainOf(groups['value']) },
  };
}

function contradiction(a: Statement, b: Statement): Disagreement['by'] | undefined {
  const sameSubject = a.state !== undefined && b.state !== undefined && a.state.subject === b.state.subject;
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  const least = Math.min(a.terms.size, b.terms.size);
  if (shared === 0 && !sameSubject) return undefined;
  const alike = least > 0 && shared / least >= SHARED;
  if (a.negated !== b.negated && (a.negated ? denies(a, b) : denies(b, a))) return 'negation';
  if (alike && OPPOSITES.some(([one, other]) => isOpposite(a, b, one, other))) return 'opposite';
  if (alike && a.negated === b.negated && differentNumbers(a, b)) return 'number';
  return sameSubject && a.negated === b.negated && isOtherValue(a, b) ? 'value' : undefined;
}

/** What is denied is said by the other, whatever more that says. */
function denies(denial: Statement, other: Statement): boolean {
  const { terms, numbers } = denial;
  if (terms.size === 0 || ![...terms].every((term) => other.terms.has(term))) return false;
  return numbers.length === 0 || numbers.some((number) => other.numbers.includes(number));
}

function isOpposite(a: Statement, b: Statement, one: string, other: string): boolean {
  const has = (x: Statement, y: Statement): boolean =>
    x.words.has(one) && !x.words.has(other) && y.words.has(other) && !y.words.has(one);
  return has(a, b) || has(b, a);
}

/** The same things, said with as many numbers, and not the same ones. */
function differentNumbers(a: Statement, b: Statement): boolean {
  return a.numbers.length > 0 && a.numbers.length === b.numbers.length && a.numbers.join() !== b.numbers.join();
}

/** One names something else than the other; saying more of the same is none. */
function isOtherValue(a: Statement, b: Statement): boolean {
  const [left, right] = [a.state?.value ?? '', b.state?.value ?? ''];
  const [one, other] = [termsOf(left), termsOf(right)];
  if (one.size === 0 || other.size === 0) return false;
  return ![...one].some((term) => other.has(term));
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(queryWords(text).map(termOf));
}

function plainOf(text: string | undefined): string {
  return queryWords(text ?? '')
    .map(termOf)
    .join(' ');
}
