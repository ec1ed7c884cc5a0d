import type { ActorKey } from '@warrant/core';
import { DEFAULT_WEIGHTS, type RankingWeights } from '../ranking.ts';

/** Shares of what decides between about equally relevant records; sum 1. */
export type ProfileWeights = {
  readonly provenance: number;
  readonly recency: number;
  readonly confidence: number;
  readonly causal: number;
  readonly semantic: number;
  readonly workspace: number;
};
/** Everything that can be tuned, resolved. */
export type MemoryProfile = {
  readonly name: string;
  readonly lifecycle: {
    /** Lost a day since a record was last of use. 0 to 1. */
    readonly confidenceDecayRate: number;
    /** Confidence under which a sweep archives. 0 to 1. */
    readonly archivalThreshold: number;
    /** Whole days without use after which a sweep archives. */
    readonly stalenessDays: number;
    /** What `reinforce` adds. 0 to 1. */
    readonly reinforceRate: number;
  };
  readonly retrieval: {
    /** 1 to 200. */
    readonly retrieveLimit: number;
    /** Likeness from which a hygiene report calls two records near-duplicates. 0 to 1. */
    readonly conflictThreshold: number;
    /** 0 to 1. */
    readonly minCompositeScore: number;
    readonly rankerWeights: ProfileWeights;
    /** Whether sessions, dates, questions and answers count, as in conversations between two people. */
    readonly dialogueFactors: boolean;
  };
  readonly injection: {
    /** Most tokens of a recall, and of a prepared turn. */
    readonly contextTokenLimit: number;
    /** Most characters of records in a prepared turn. */
    readonly memoryBudgetChars: number;
  };
  readonly capture: {
    readonly conversationJsonl: boolean;
    readonly trackingMaxFilesPerDirectory: number;
    /** Whether `finalizeTurn` remembers the turn. */
    readonly autoPersistResponse: boolean;
    readonly trackedDirectories: readonly string[];
  };
  /** Whether recall gives an agent its own records only. */
  readonly isolateByAgent: boolean;
};
/** What one memory runs under, and each agent that has settings of its own. */
export type MemoryConfig = {
  readonly profile: MemoryProfile;
  readonly agents: { readonly [agent: ActorKey]: MemoryProfile };
  /** Cosine from which a semantic conflict is noted. */
  readonly semanticConflictThreshold: number;
};

const LIFECYCLE = { confidenceDecayRate: 0, archivalThreshold: 0.1, stalenessDays: 90, reinforceRate: 0.1 };
const RETRIEVAL = {
  retrieveLimit: 5,
  conflictThreshold: 0.85,
  minCompositeScore: 0,
  rankerWeights: { provenance: 0.35, recency: 0.25, confidence: 0.25, causal: 0.15, semantic: 0, workspace: 0 },
  dialogueFactors: false,
};
const CAPTURE = {
  conversationJsonl: false,
  trackingMaxFilesPerDirectory: 500,
  autoPersistResponse: true,
  trackedDirectories: [],
};

/** The profiles that are always there. No conversation and no folder is captured in any. */
export const BUILT_IN_PROFILES = {
  budget_optimized: {
    name: 'budget_optimized',
    lifecycle: LIFECYCLE,
    retrieval: RETRIEVAL,
    injection: { contextTokenLimit: 1000, memoryBudgetChars: 2000 },
    capture: { ...CAPTURE, trackingMaxFilesPerDirectory: 200 },
    isolateByAgent: false,
  },
  full_storage: {
    name: 'full_storage',
    lifecycle: { ...LIFECYCLE, archivalThreshold: 0, stalenessDays: 3650 },
    retrieval: { ...RETRIEVAL, retrieveLimit: 200 },
    injection: { contextTokenLimit: 50_000, memoryBudgetChars: 200_000 },
    capture: { ...CAPTURE, trackingMaxFilesPerDirectory: 10_000 },
    isolateByAgent: false,
  },
  research: {
    name: 'research',
    lifecycle: { ...LIFECYCLE, archivalThreshold: 0.05, stalenessDays: 180 },
    retrieval: {
      ...RETRIEVAL,
      retrieveLimit: 50,
      rankerWeights: { ...RETRIEVAL.rankerWeights, provenance: 0.25, recency: 0.35 },
    },
    injection: { contextTokenLimit: 8000, memoryBudgetChars: 24_000 },
    capture: CAPTURE,
    isolateByAgent: false,
  },
} as const satisfies { readonly [name: string]: MemoryProfile };

/** The profile that an agent runs under. */
export function profileFor(config: MemoryConfig, agent: ActorKey): MemoryProfile {
  return Object.hasOwn(config.agents, agent) ? (config.agents[agent] as MemoryProfile) : config.profile;
}

/** Share of the score that relevance keeps, whatever a profile weighs. */
const RELEVANCE = 0.8;

/**
 * A profile's weights as shares of the whole score. Relevance keeps its 0.8; the profile divides the rest, and its
 * `semantic` weight moves relevance from words to vectors.
 */
export function rankingWeightsOf(weights: ProfileWeights): RankingWeights {
  const standing = weights.provenance + weights.recency + weights.confidence + weights.causal + weights.workspace;
  const part = (weight: number): number => (standing === 0 ? 0 : ((1 - RELEVANCE) * weight) / standing);
  const moved = Math.min(DEFAULT_WEIGHTS.text, weights.semantic * DEFAULT_WEIGHTS.text);
  const rest = standing === 0 ? 1 - RELEVANCE : 0;
  return {
    text: DEFAULT_WEIGHTS.text - moved + rest,
    context: DEFAULT_WEIGHTS.context,
    vector: DEFAULT_WEIGHTS.vector + moved,
    entities: DEFAULT_WEIGHTS.entities,
    trust: part(weights.provenance),
    recency: part(weights.recency),
    confidence: part(weights.confidence),
    usefulness: part(weights.causal),
    workspace: part(weights.workspace),
  };
}
