import type { MemoryRecord } from '@warrant/core';
import { isTrustedAtLeast, TRUST_ORDER } from '@warrant/core';
import { timeOf } from './times.ts';

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
export type Signal = keyof RankingWeights;

/** Relevance 0.8; the rest decides between what is about equally relevant. */
export const DEFAULT_WEIGHTS: RankingWeights = {
  text: 0.36,
  context: 0.14,
  vector: 0.2,
  entities: 0.1,
  trust: 0.08,
  recency: 0.04,
  confidence: 0.04,
  usefulness: 0.02,
  workspace: 0.02,
};

/** One candidate with what the store found; scores are not below 0. */
export type Candidate = {
  readonly record: MemoryRecord;
  readonly own: number;
  readonly context: number;
  readonly cosine: number | null;
  /** How many of the asked entities it carries. */
  readonly entities: number;
};
export type Ranked = {
  readonly record: MemoryRecord;
  /** 0 to 1. */
  readonly score: number;
  /** What each signal gave: the value from 0 to 1 and its part of the score. */
  readonly signals: { readonly [signal in Signal]: { readonly value: number; readonly part: number } };
};
export type RankingContext = {
  /** ISO-8601. */
  readonly now: string;
  /** Working folders of the asker, by full path. */
  readonly directories: readonly string[];
  readonly weights: RankingWeights;
};

const DAY_MS = 86_400_000;
const RELEVANCE: readonly Signal[] = ['text', 'context', 'vector', 'entities'];

/**
 * Orders candidates, best first. Each relevance signal is divided by its maximum among the candidates and then weighted;
 * weights of signals that no candidate has go to those that are there, so that scores of different queries compare.
 */
export function rank(candidates: readonly Candidate[], context: RankingContext): readonly Ranked[] {
  const most = {
    text: maximum(candidates, (one) => one.own),
    context: maximum(candidates, (one) => one.context),
    vector: maximum(candidates, (one) => one.cosine ?? 0),
    entities: maximum(candidates, (one) => one.entities),
  };
  const weights = presentWeights(context.weights, most);
  const ranked = candidates.map((candidate): Ranked => {
    const values: { readonly [signal in Signal]: number } = {
      text: share(candidate.own, most.text),
      context: share(candidate.context, most.context),
      vector: share(Math.max(0, candidate.cosine ?? 0), most.vector),
      entities: share(candidate.entities, most.entities),
      ...standing(candidate.record, context),
    };
    const names = Object.keys(values) as Signal[];
    const parts = names.map((name) => [name, { value: values[name], part: values[name] * weights[name] }] as const);
    const score = parts.reduce((sum, [, { part }]) => sum + part, 0);
    return { record: candidate.record, score, signals: Object.fromEntries(parts) as Ranked['signals'] };
  });
  return ranked.sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1));
}

function presentWeights(weights: RankingWeights, most: { readonly [signal: string]: number }): RankingWeights {
  const relevance = RELEVANCE.reduce((sum, name) => sum + weights[name], 0);
  const present = RELEVANCE.filter((name) => (most[name] as number) > 0);
  const used = present.reduce((sum, name) => sum + weights[name], 0);
  const scaled = RELEVANCE.map((name) => [name, present.includes(name) ? (weights[name] * relevance) / used : 0]);
  return { ...weights, ...(Object.fromEntries(scaled) as Partial<RankingWeights>) };
}

/** What a record brings along whatever the query. Reading never makes it less. */
function standing(
  record: MemoryRecord,
  context: RankingContext,
): Omit<{ [signal in Signal]: number }, 'text' | 'context' | 'vector' | 'entities'> {
  const seen = Math.max(
    timeOf(record.recordedAt),
    record.lastRetrievedAt === null ? 0 : timeOf(record.lastRetrievedAt),
  );
  const days = Math.max(0, Date.parse(context.now) - seen) / DAY_MS;
  return {
    trust: trustValue(record),
    recency: Math.exp(-0.01 * days),
    confidence: record.confidence,
    usefulness: Math.min(1, Math.log1p(record.retrievals) / Math.log(101)),
    workspace: overlap(record.directories, context.directories),
  };
}

/** The least of who wrote it and what it was made from. */
function trustValue(record: MemoryRecord): number {
  const reached = TRUST_ORDER.filter((trust) => isTrustedAtLeast(record.label.trust, trust)).length - 1;
  return reached / (TRUST_ORDER.length - 1);
}

/** Jaccard's index; 0.5 where one side says nothing. */
export function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0.5;
  const left = new Set(a);
  const right = new Set(b);
  const both = [...left].filter((one) => right.has(one)).length;
  return both / (left.size + right.size - both);
}

function maximum(candidates: readonly Candidate[], value: (one: Candidate) => number): number {
  return candidates.reduce((most, one) => Math.max(most, value(one)), 0);
}

function share(value: number, most: number): number {
  return most > 0 ? Math.max(0, value) / most : 0;
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
