import type { MemoryRecord } from '@warrant/core';
import { TRUST_ORDER } from '@warrant/core';
import type { Found } from './hits.ts';
import {
  type AddedFactor,
  DEFAULT_FACTORS,
  type FactorValues,
  factorValues,
  type LosingFactor,
  type RankingFactors,
} from './ranking-factors.ts';
import { DAY_MS, timeOf } from './times.ts';

/** Shares of the score. They sum to 1; the first four are relevance. */
export type RankingWeights = {
  readonly text: number;
  readonly context: number;
  readonly vector: number;
  readonly entities: number;
  readonly trust: number;
  readonly recency: number;
  readonly confidence: number;
  readonly usefulness: number;
  readonly workspace: number;
};
export type Signal = keyof RankingWeights | keyof RankingFactors;

/** Relevance 0.8; the rest decides between what is about equally relevant. */
export const DEFAULT_WEIGHTS: RankingWeights = {
  text: 0.2,
  context: 0.3,
  vector: 0.2,
  entities: 0.1,
  trust: 0.08,
  recency: 0.04,
  confidence: 0.04,
  usefulness: 0.02,
  workspace: 0.02,
};

/** One candidate with what the store found. */
export type Candidate = Found & {
  /** How many of the asked entities it carries. */
  readonly entities: number;
};
export type Ranked = {
  readonly record: MemoryRecord;
  /** 0 to 1. */
  readonly score: number;
  /** What each signal gave: the value from 0 to 1 and its part of the score, below 0 for what was lost. */
  readonly signals: { readonly [signal in Signal]: { readonly value: number; readonly part: number } };
};
export type RankingContext = {
  /** ISO-8601. */
  readonly now: string;
  /** Working folders of the asker, by full path. */
  readonly directories: readonly string[];
  readonly weights: RankingWeights;
  /** What was asked, for the factors that go by it. @default '' */
  readonly query?: string;
  /** @default DEFAULT_FACTORS */
  readonly factors?: RankingFactors;
};

const RELEVANCE = ['text', 'context', 'vector', 'entities'] as const;
const ADDED: readonly AddedFactor[] = ['session', 'following', 'vicinity', 'date', 'answer'];
const LOSING: readonly LosingFactor[] = ['speaker', 'question'];
const STANDING = ['trust', 'recency', 'confidence', 'usefulness', 'workspace'] as const;
type Relevant = (typeof RELEVANCE)[number] | AddedFactor;

/** A candidate in its place. @internal */
export type Placed = Pick<Ranked, 'record' | 'score'> & {
  /** Among the candidates as they were given. */
  readonly index: number;
};
/** @internal */
export type Placing = {
  readonly placed: readonly Placed[];
  readonly signalsOf: (one: Placed) => Ranked['signals'];
};

/**
 * Orders candidates, best first. Each relevance signal is divided by its maximum among the candidates and then weighted;
 * weights of signals that no candidate has go to those that are there, so that scores of different queries compare.
 */
export function rank(candidates: readonly Candidate[], context: RankingContext): readonly Ranked[] {
  const { placed, signalsOf } = place(candidates, context);
  return placed.map((one) => ({ record: one.record, score: one.score, signals: signalsOf(one) }));
}

/** The same, with signals for those alone for which they are asked: most candidates are not given. @internal */
export function place(candidates: readonly Candidate[], context: RankingContext): Placing {
  const factors = context.factors ?? DEFAULT_FACTORS;
  const values = factorValues(candidates, context.query ?? '', factors);
  const raw: readonly (readonly [Relevant, readonly number[]])[] = [
    ['text', candidates.map(({ own }) => own)],
    ['context', candidates.map((one) => one.context)],
    ['vector', candidates.map(({ cosine }) => Math.max(0, cosine ?? 0))],
    ['entities', candidates.map(({ entities }) => entities)],
    ...ADDED.map((name) => [name, values[name]] as const),
  ];
  const columns = presentColumns(raw, { ...context.weights, ...factors });
  const ranking = { columns, values, factors, context, now: Date.parse(context.now) };
  const placed = candidates.map(
    ({ record }, index): Placed => ({ record, score: addUp(record, index, ranking), index }),
  );
  placed.sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1));
  const signalsOf = ({ record, index }: Placed): Ranked['signals'] => {
    const signals = { ...SILENT };
    addUp(record, index, ranking, (signal, value, part) => {
      signals[signal] = { value, part };
    });
    return signals;
  };
  return { placed, signalsOf };
}

type Column = {
  readonly name: Relevant;
  readonly values: readonly number[];
  readonly most: number;
  readonly weight: number;
};

/** Relevance keeps its share, divided among the signals that some candidate has. */
function presentColumns(
  raw: readonly (readonly [Relevant, readonly number[]])[],
  weights: RankingWeights & RankingFactors,
): readonly Column[] {
  const share = RELEVANCE.reduce((sum, name) => sum + weights[name], 0);
  const present = raw.flatMap(([name, values]) => {
    const most = values.reduce((largest, value) => Math.max(largest, value), 0);
    return most > 0 ? [{ name, values, most, weight: weights[name] }] : [];
  });
  const used = present.reduce((sum, { weight }) => sum + weight, 0);
  return used === 0 ? [] : present.map((column) => ({ ...column, weight: (column.weight * share) / used }));
}

type Ranking = {
  readonly columns: readonly Column[];
  readonly values: FactorValues;
  readonly factors: RankingFactors;
  readonly context: RankingContext;
  /** Milliseconds. */
  readonly now: number;
};
type Tell = (signal: Signal, value: number, part: number) => void;

/** A candidate's score. @param tell of each part of it */
function addUp(record: MemoryRecord, index: number, ranking: Ranking, tell?: Tell): number {
  const { columns, values, factors, context } = ranking;
  let score = 0;
  for (const { name, values: column, most, weight } of columns) {
    const value = (column[index] as number) / most;
    tell?.(name, value, value * weight);
    score += value * weight;
  }
  for (const name of LOSING) {
    if (values[name][index] !== true) continue;
    const part = -factors[name] * score;
    tell?.(name, 1, part);
    score += part;
  }
  const standing = standingOf(record, context, ranking.now);
  for (const name of STANDING) {
    const part = standing[name] * context.weights[name];
    tell?.(name, standing[name], part);
    score += part;
  }
  return score;
}

const NOTHING = { value: 0, part: 0 } as const;
const SILENT: { [signal in Signal]: Ranked['signals'][Signal] } = {
  text: NOTHING,
  context: NOTHING,
  vector: NOTHING,
  entities: NOTHING,
  session: NOTHING,
  following: NOTHING,
  vicinity: NOTHING,
  date: NOTHING,
  answer: NOTHING,
  speaker: NOTHING,
  question: NOTHING,
  trust: NOTHING,
  recency: NOTHING,
  confidence: NOTHING,
  usefulness: NOTHING,
  workspace: NOTHING,
};

/** What a record brings along whatever the query. Reading never makes it less. */
function standingOf(
  record: MemoryRecord,
  { directories }: RankingContext,
  now: number,
): { readonly [name in (typeof STANDING)[number]]: number } {
  const seen = Math.max(
    timeOf(record.recordedAt),
    record.lastRetrievedAt === null ? 0 : timeOf(record.lastRetrievedAt),
  );
  const days = Math.max(0, now - seen) / DAY_MS;
  return {
    trust: TRUST_VALUES.get(record.label.trust) ?? 0,
    recency: Math.exp(-0.01 * days),
    confidence: record.confidence,
    usefulness: Math.min(1, Math.log1p(record.retrievals) / Math.log(101)),
    workspace: overlap(record.directories, directories),
  };
}

/** The least of who wrote it and what it was made from, from 0 to 1. */
const TRUST_VALUES = new Map(TRUST_ORDER.map((trust, place) => [trust, place / (TRUST_ORDER.length - 1)]));

/** Jaccard's index; 0.5 where one side says nothing. */
export function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0.5;
  const left = new Set(a);
  const right = new Set(b);
  const both = [...left].filter((one) => right.has(one)).length;
  return both / (left.size + right.size - both);
}

/** What is wrong with weights: below 0, not a number, relevance under 0.5, or a sum other than 1. */
export function weightFaults(weights: RankingWeights): readonly string[] {
  const values = Object.values(weights);
  const sum = values.reduce((total, value) => total + value, 0);
  const relevance = RELEVANCE.reduce((total, name) => total + weights[name], 0);
  return [
    ...(values.every((value) => Number.isFinite(value) && value >= 0) ? [] : ['weights are numbers from 0 to 1']),
    ...(Math.abs(sum - 1) <= 1e-6 ? [] : ['weights sum to 1']),
    ...(relevance >= 0.5 ? [] : ['relevance (text, context, vector, entities) is at least 0.5']),
  ];
}
