import { combineLabels, type Label, type MemoryConflict, type MemoryRecord, type Reason } from '@warrant/core';
import type { Actor } from './actor.ts';
import { type MemoryProfile, profileFor, rankingWeightsOf } from './config/profiles.ts';
import { fault } from './errors.ts';
import type { RecallFilters } from './filters.ts';
import { gather } from './gather.ts';
import { noteRecall } from './note-recall.ts';
import {
  compareExternal,
  type ExternalContext,
  type ExternalDisagreement,
  type Override,
  overridesOf,
  type SkillWarning,
  skillWarningsFor,
} from './notices.ts';
import { type Cost, packRecall } from './pack-recall.ts';
import { type Placed, place, type Ranked, type RankingWeights } from './ranking.ts';
import { DEFAULT_FACTORS, DIALOGUE_FACTORS, type RankingFactors } from './ranking-factors.ts';
import { isUntrusted } from './read.ts';
import { checkRecall } from './recall-request.ts';
import { frozen, type Setup } from './setup.ts';
import { knownConflicts, withKnownConflicts } from './shown.ts';

export type RecallRequest = RecallFilters & {
  readonly query: string;
  /** Most records. 1 to 200. @default 10 */
  readonly limit?: number;
  /** Most tokens of all texts together. @default no limit */
  readonly budgetTokens?: number;
  /** Score under which nothing is given. 0 to 1. @default 0 */
  readonly minScore?: number;
  /** Notes what was handed out under this session, for outcomes. */
  readonly session?: string;
  /** Records tagged with these are found too. @default [] */
  readonly entities?: readonly string[];
  /** Working folders of the asker, as absolute paths. @default [] */
  readonly directories?: readonly string[];
  /** What the caller knows from elsewhere: records that contradict it are reported. @default [] */
  readonly externalContext?: readonly ExternalContext[];
  /** Names what expired and what was superseded, which costs a pass over all records. @default false */
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
};
export type RecalledItem = {
  readonly record: MemoryRecord;
  /** What to show; shortened when `cut`. */
  readonly text: string;
  readonly tokens: number;
  readonly cut: boolean;
  readonly score: number;
  readonly signals: Ranked['signals'];
  readonly label: Label;
  readonly untrusted: boolean;
};
export type Recall = {
  /** Comes before content: open conflicts of what is given, as far as the asker knows of both sides. */
  readonly conflicts: readonly MemoryConflict[];
  /** Comes before content: where a more trusted record stands over another. */
  readonly overrides: readonly Override[];
  /** Comes before content: instructions of this agent that are stale. */
  readonly skillWarnings: readonly SkillWarning[];
  /** Comes before content: what contradicts the `externalContext`. */
  readonly external: readonly ExternalDisagreement[];
  readonly items: readonly RecalledItem[];
  readonly tokens: number;
  readonly dropped: {
    readonly budget: readonly string[];
    readonly limit: number;
    readonly minScore: readonly string[];
    readonly superseded: readonly string[];
    readonly expired: readonly string[];
    /** What the asker did not want. */
    readonly filtered: readonly string[];
    /** What the asker may not see, as far as it lies under a prefix of what the asker may: how many; which, only for people. */
    readonly unreadable: number;
    readonly unreadableIds: readonly string[];
  };
  /** The best record that was not given, and why. */
  readonly nearestMiss: {
    readonly id: string;
    readonly score: number;
    readonly why: 'budget' | 'limit' | 'min-score';
  } | null;
  /** The least trust of everything given. */
  readonly label: Label;
  readonly notes: readonly Reason[];
};

/**
 * Finds what is current and readable, best first, and says of each why it is there. Never fails on a query's wording.
 * @param cost what an item takes of the budget; its text alone by default
 */
export async function retrieve(
  setup: Setup,
  actor: Actor,
  asked: RecallRequest,
  cost: Cost = (_record, text) => setup.estimateTokens(text),
): Promise<Recall> {
  const request = checkRecall(asked);
  const profile = setup.config === null ? null : profileFor(setup.config, actor.key);
  const limit = request.limit ?? profile?.retrieval.retrieveLimit ?? 10;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 200)
    throw invalid('limit', 'limit is a whole number from 1 to 200');
  const budget = request.budgetTokens ?? profile?.injection.contextTokenLimit ?? Number.POSITIVE_INFINITY;
  if (!(budget >= 1)) throw invalid('budgetTokens', 'budgetTokens is at least 1');
  const minScore = request.minScore ?? profile?.retrieval.minCompositeScore ?? 0;
  if (!(minScore >= 0 && minScore <= 1)) throw invalid('minScore', 'minScore is a number from 0 to 1');
  const factors = factorsFor(setup, profile);
  const gathered = await gather(
    setup,
    actor,
    { ...request, isolate: request.isolate ?? (actor.type === 'agent' && profile?.isolateByAgent === true), factors },
    limit,
  );
  const { placed, signalsOf } = place(gathered.candidates, {
    now: gathered.moment.knownAt,
    directories: request.directories ?? [],
    weights: weightsFor(setup, profile),
    query: request.query,
    factors,
  });
  const passing = placed.filter(({ score }) => score >= minScore);
  const first = passing.slice(0, limit);
  const packed = packRecall(first, budget, cost);
  const records = await withKnownConflicts(
    setup,
    actor,
    packed.taken.map(({ ranked: one }) => one.record),
  );
  const items = packed.taken.map(
    ({ ranked: one, text, tokens, cut }, index): RecalledItem => ({
      text,
      tokens,
      cut,
      record: frozen(records[index] as MemoryRecord),
      score: one.score,
      signals: signalsOf(one),
      label: one.record.label,
      untrusted: isUntrusted(one.record),
    }),
  );
  const given = items.map(({ record }) => record);
  const ids = given.map(({ id }) => id);
  noteRecall(setup, actor, request.session, ids);
  return {
    conflicts: await openConflicts(setup, actor, given),
    overrides: await overridesOf(setup, actor, given),
    skillWarnings: await skillWarningsFor(setup, actor),
    external: await compareExternal(setup, actor, request.externalContext ?? [], given),
    items,
    tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
    dropped: {
      budget: packed.left.map(({ record }) => record.id),
      limit: passing.length - first.length,
      minScore: placed.slice(passing.length).map(({ record }) => record.id),
      superseded: gathered.superseded,
      expired: gathered.expired,
      filtered: gathered.filtered,
      unreadable: gathered.unreadable.length,
      unreadableIds: actor.type === 'human' ? gathered.unreadable : [],
    },
    nearestMiss: missed(packed.left, passing.slice(limit), placed.slice(passing.length)),
    label: combineLabels(items.map(({ label }) => label)),
    notes: [...gathered.notes, ...unnoted(actor, request.session)],
  };
}

/** An agent's own profile goes before that of all; weights that were given to `createMemory` before both. */
function weightsFor(setup: Setup, profile: MemoryProfile | null): RankingWeights {
  return profile === null || setup.weightsGiven ? setup.weights : rankingWeightsOf(profile.retrieval.rankerWeights);
}

function factorsFor(setup: Setup, profile: MemoryProfile | null): RankingFactors {
  return setup.factors ?? (profile?.retrieval.dialogueFactors === true ? DIALOGUE_FACTORS : DEFAULT_FACTORS);
}

function missed(
  budget: readonly Placed[],
  limit: readonly Placed[],
  minScore: readonly Placed[],
): Recall['nearestMiss'] {
  const sources = [
    ['budget', budget[0]],
    ['limit', limit[0]],
    ['min-score', minScore[0]],
  ] as const;
  let best: Recall['nearestMiss'] = null;
  for (const [why, one] of sources)
    if (one !== undefined && one.score > (best?.score ?? -1)) best = { id: one.record.id, score: one.score, why };
  return best;
}

async function openConflicts(
  setup: Setup,
  actor: Actor,
  given: readonly MemoryRecord[],
): Promise<readonly MemoryConflict[]> {
  const ids = given.filter(({ conflicts }) => conflicts.length > 0).map(({ id }) => id);
  const open: MemoryConflict[] = [];
  if (ids.length === 0) return open;
  for await (const conflict of setup.store.conflicts({ state: 'open', records: ids })) open.push(conflict);
  return knownConflicts(setup, actor, open);
}

/** A handle that only reads leaves no trace, and says so. */
function unnoted(actor: Actor, session: string | undefined): readonly Reason[] {
  if (actor.readOnly !== true || session === undefined) return [];
  return [
    { code: 'memory.not-noted', message: 'a handle that only reads notes nothing for outcomes', data: { session } },
  ];
}

function invalid(field: string, message: string): Error {
  return fault('MEMORY_INVALID_ARGUMENT', message, { field });
}
