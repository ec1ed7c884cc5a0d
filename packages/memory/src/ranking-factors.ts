import type { MemoryRecord } from '@warrant/core';
import { askedDates, dateLikeness } from './asked-dates.ts';
import { namedSpeakers, nameOf } from './named-speakers.ts';
import { contextGroup } from './neighbours.ts';
import type { Candidate } from './ranking.ts';
import { valueText } from './words.ts';

/**
 * What else can make a record relevant, in the unit of the weights; 0 switches a factor off. They apply to records that
 * name a session, a sequence or a speaker; `date` goes by the time from which a record is valid.
 */
export type RankingFactors = {
  /** How much its session speaks of what is asked. */
  readonly session: number;
  /** How much the two records after it in its session do. */
  readonly following: number;
  /** How much nearer in meaning it and what was said around it are than others; without an embedder nothing. */
  readonly vicinity: number;
  /** Whether it is from the time that the query names. */
  readonly date: number;
  /** How much the question does that it follows. */
  readonly answer: number;
  /** Share of its relevance that a record of another speaker loses, where the query names exactly one. 0 to 1. */
  readonly speaker: number;
  /** Share of its relevance that a question loses. 0 to 1. */
  readonly question: number;
};

/** Only what helps with any kind of memory: the speaker that a query names. */
export const DEFAULT_FACTORS: RankingFactors = {
  session: 0,
  following: 0,
  vicinity: 0,
  date: 0,
  answer: 0,
  speaker: 0.15,
  question: 0,
};
/** For the turns of conversations between two people, asked about what was said in them. */
export const DIALOGUE_FACTORS: RankingFactors = {
  session: 0.14,
  following: 0.14,
  vicinity: 0.2,
  date: 0.5,
  answer: 0.12,
  speaker: 0.3,
  question: 0.3,
};

/** Best records that stand for their session. */
const OF_SESSION = 10;
const SECOND_FOLLOWING = 0.5;
/** The record itself and those around it, by their distance before and after. */
const VICINITY = [
  [0, 1],
  [-1, 0.5],
  [1, 0.5],
  [-2, 0.25],
  [2, 0.25],
] as const;

export type AddedFactor = 'session' | 'following' | 'vicinity' | 'date' | 'answer';
export type LosingFactor = 'speaker' | 'question';
/** What the factors say of each candidate, in their order; empty where a factor is off. */
export type FactorValues = {
  readonly [factor in AddedFactor]: readonly number[];
} & { readonly [factor in LosingFactor]: readonly boolean[] };

/** Looks at the candidates together: neighbours and sessions are known as far as they are among them. Pure. */
export function factorValues(candidates: readonly Candidate[], query: string, factors: RankingFactors): FactorValues {
  const needsPlaces = factors.following > 0 || factors.vicinity > 0 || factors.answer > 0;
  const places = needsPlaces ? placesOf(candidates) : new Map<string, Candidate>();
  const neighbour = ({ record }: Candidate, step: number): Candidate | undefined =>
    record.sequence === null ? undefined : places.get(placeOf(record, record.sequence + step) ?? '');
  const asked = factors.date > 0 ? askedDates(query) : null;
  const each = <T>(isOn: boolean, value: (one: Candidate) => T): readonly T[] => (isOn ? candidates.map(value) : []);
  const named = factors.speaker > 0 ? namedSpeakers(candidates, query).map(nameOf) : [];
  const speaker = named.length === 1 ? named[0] : null;
  const sums = factors.session > 0 ? sessionSums(candidates) : new Map<string | null, number>();
  return {
    session: each(factors.session > 0, ({ record, own }) => sums.get(contextGroup(record)) ?? own),
    following: each(
      factors.following > 0,
      (one) => (neighbour(one, 1)?.own ?? 0) + SECOND_FOLLOWING * (neighbour(one, 2)?.own ?? 0),
    ),
    vicinity: factors.vicinity > 0 ? nearerThanUsual(candidates, neighbour) : [],
    date: each(asked !== null, ({ record }) => (asked === null ? 0 : dateLikeness(asked, record.validFrom))),
    answer: each(factors.answer > 0, (one) => {
      const before = neighbour(one, -1);
      return before !== undefined && isQuestion(before.record) ? before.own : 0;
    }),
    speaker: each(speaker !== null, ({ record }) => record.speaker !== null && nameOf(record.speaker) !== speaker),
    question: each(factors.question > 0, ({ record }) => isQuestion(record)),
  };
}

function placeOf(record: MemoryRecord, sequence: number): string | undefined {
  const group = contextGroup(record);
  return group === null ? undefined : `${sequence} ${group}`;
}

function placesOf(candidates: readonly Candidate[]): ReadonlyMap<string, Candidate> {
  const places = new Map<string, Candidate>();
  for (const one of candidates) {
    const place = one.record.sequence === null ? undefined : placeOf(one.record, one.record.sequence);
    if (place !== undefined) places.set(place, one);
  }
  return places;
}

/** A record outside sessions stands for itself. */
function sessionSums(candidates: readonly Candidate[]): Map<string | null, number> {
  const owns = new Map<string, number[]>();
  for (const { record, own } of candidates) {
    const group = contextGroup(record);
    if (group === null) continue;
    const known = owns.get(group);
    if (known === undefined) owns.set(group, [own]);
    else known.push(own);
  }
  return new Map(
    [...owns].map(([group, values]) => [
      group,
      values
        .sort((a, b) => b - a)
        .slice(0, OF_SESSION)
        .reduce((sum, value) => sum + value, 0),
    ]),
  );
}

/** How much nearer to the query each is with its surroundings than they are on average; no less than 0. */
function nearerThanUsual(
  candidates: readonly Candidate[],
  neighbour: (one: Candidate, step: number) => Candidate | undefined,
): readonly number[] {
  const near = candidates.map((one) => {
    let [sum, weights] = [0, 0];
    for (const [step, weight] of VICINITY) {
      const cosine = (step === 0 ? one : neighbour(one, step))?.cosine ?? null;
      if (cosine === null) continue;
      sum += weight * cosine;
      weights += weight;
    }
    return weights === 0 ? null : sum / weights;
  });
  const known = near.filter((value) => value !== null);
  const usual = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return near.map((value) => Math.max(0, (value ?? usual) - usual));
}

function isQuestion(record: MemoryRecord): boolean {
  return /[?\uFF1F\u061F]\s*$/u.test(valueText(record.value));
}

/** What is wrong with factors: below 0, above 1, or not a number. */
export function factorFaults(factors: RankingFactors): readonly string[] {
  const fine = Object.values(factors).every((value) => Number.isFinite(value) && value >= 0 && value <= 1);
  return fine ? [] : ['factors are numbers from 0 to 1'];
}
