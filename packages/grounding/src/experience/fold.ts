import { type DepthLevel, foldName, WarrantError } from '@warrant/core';
import type { ConfidenceOf } from '../confidence.ts';
import type { ActOutcome, Exercised, ExperienceRecord } from './records.ts';

export type ExperienceSettings = {
  /** The moment to judge from; ISO-8601. Later records do not count. */
  readonly at: string;
  /** After so many days without use half of the confidence is left. @default 30 */
  readonly halfLifeDays?: number;
  readonly weights?: Partial<ExperienceWeights>;
};
/** How much one event speaks for (`grounded`, `ok`) or against (the others) what is known. Not negative. */
export type ExperienceWeights = Readonly<Record<'grounded' | 'gap' | 'ok' | 'error' | 'blocked' | 'declined', number>>;

const DEFAULT_WEIGHTS: ExperienceWeights = { grounded: 1, gap: 1, ok: 2, error: 2, blocked: 0.5, declined: 0.5 };
const DAY_MS = 86_400_000;

/** What became of a level of a concept in use. */
export type Experience = {
  readonly concept: string;
  readonly level: DepthLevel;
  /** How often something stood on it. */
  readonly exercised: number;
  readonly lastExercised: string | null;
  readonly lastGrounded: string | null;
  readonly lastFailed: string | null;
  readonly acts: Readonly<Record<ActOutcome, number>>;
  /** From 0 to 1: how well it has served lately. It never decides anything. */
  readonly confidence: number;
  /** From 0 to 1: 1 just used, one half after a half-life without use. */
  readonly freshness: number;
};
export type Experiences = ReadonlyMap<string, Experience>;

type Tally = {
  readonly concept: string;
  readonly level: DepthLevel;
  readonly acts: Record<ActOutcome, number>;
  exercised: number;
  last: number;
  grounded: number;
  failed: number;
  good: number;
  bad: number;
};

/** The key of a concept's level: that of its entity in memory as well. */
export function experienceKey({ concept, level }: Exercised): string {
  return `concept:${concept}/${level}`;
}

/**
 * What records say about every level of every concept that something stood on. Pure; the order of the records does not
 * matter. Confidence grows with success, falls with failure, and decays with the time since the last use.
 * @throws GROUNDING_SETTINGS_INVALID
 */
export function foldExperience(records: Iterable<ExperienceRecord>, settings: ExperienceSettings): Experiences {
  const { now, halfLife, weights } = checkSettings(settings);
  const tallies = new Map<string, Tally>();
  const add = (one: Exercised, at: number, kind: keyof ExperienceWeights, isGood: boolean): Tally => {
    const key = experienceKey(one);
    const tally = tallies.get(key) ?? newTally(one);
    tallies.set(key, tally);
    const weight = weights[kind] * 2 ** ((at - now) / halfLife);
    if (isGood) tally.good += weight;
    else tally.bad += weight;
    tally.exercised += 1;
    tally.last = Math.max(tally.last, at);
    return tally;
  };
  for (const record of records) {
    const at = Date.parse(record.at);
    if (Number.isNaN(at) || at > now) continue;
    if (record.type === 'checked') {
      for (const one of record.grounded) bump(add(one, at, 'grounded', true), 'grounded', at);
      for (const one of record.failed) bump(add(one, at, 'gap', false), 'failed', at);
      continue;
    }
    const { outcome } = record;
    const kind = outcome === 'ungrounded' ? 'gap' : outcome;
    for (const one of record.exercised) add(one, at, kind, outcome === 'ok').acts[outcome] += 1;
  }
  return new Map([...tallies].map(([key, tally]) => [key, experienceOf(tally, now, halfLife)]));
}

function checkSettings({ at, halfLifeDays = 30, weights: given }: ExperienceSettings) {
  const now = Date.parse(at);
  const weights = { ...DEFAULT_WEIGHTS, ...given };
  const wrong = (setting: string, message: string): WarrantError =>
    new WarrantError('GROUNDING_SETTINGS_INVALID', message, { data: { setting } });
  if (Number.isNaN(now)) throw wrong('at', 'the moment to judge from is no ISO-8601 time');
  if (!(halfLifeDays > 0 && Number.isFinite(halfLifeDays)))
    throw wrong('halfLifeDays', 'a half-life is a number of days above 0');
  for (const [name, weight] of Object.entries(weights)) {
    if (!(weight >= 0 && Number.isFinite(weight))) throw wrong(`weights.${name}`, 'a weight is a number from 0 on');
  }
  return { now, halfLife: halfLifeDays * DAY_MS, weights };
}

/** The confidence of a level of a concept, as traces show it; null for what nothing has used. */
export function confidenceIn(experiences: Experiences): ConfidenceOf {
  return (concept, level) => experiences.get(experienceKey({ concept: foldName(concept), level }))?.confidence ?? null;
}

function newTally({ concept, level }: Exercised): Tally {
  const acts = { ok: 0, error: 0, blocked: 0, declined: 0, ungrounded: 0 };
  const never = Number.NEGATIVE_INFINITY;
  return { concept, level, acts, exercised: 0, last: never, grounded: never, failed: never, good: 0, bad: 0 };
}

function bump(tally: Tally, key: 'grounded' | 'failed', at: number): void {
  tally[key] = Math.max(tally[key], at);
}

/** One event each way is assumed, so that a single success is not certainty. */
function experienceOf(tally: Tally, now: number, halfLife: number): Experience {
  const { concept, level, acts, exercised, last, grounded, failed, good, bad } = tally;
  const freshness = 2 ** ((last - now) / halfLife);
  return {
    concept,
    level,
    exercised,
    lastExercised: iso(last),
    lastGrounded: iso(grounded),
    lastFailed: iso(failed),
    acts,
    confidence: (freshness * (1 + good)) / (2 + good + bad),
    freshness,
  };
}

function iso(at: number): string | null {
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}
