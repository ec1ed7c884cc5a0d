/** Weights of the reference's score. */
export type ReferenceWeights = {
  readonly provenance: number;
  readonly recency: number;
  readonly confidence: number;
  readonly causal: number;
  readonly semantic: number;
  readonly workspace: number;
};
/** What the reference takes from its configuration for recall. */
export type ReferenceSettings = {
  readonly weights: ReferenceWeights;
  /** Records handed out at most. */
  readonly limit: number;
  readonly budgetTokens: number;
  readonly minScore: number;
  readonly stalenessDays: number;
};

const PLAIN: ReferenceWeights = {
  provenance: 0.35,
  recency: 0.25,
  confidence: 0.25,
  causal: 0.15,
  semantic: 0,
  workspace: 0,
};

/** The reference's built-in profiles. */
export const REFERENCE_PROFILES = {
  budget_optimized: { weights: PLAIN, limit: 5, budgetTokens: 1000, minScore: 0, stalenessDays: 90 },
  full_storage: { weights: PLAIN, limit: 200, budgetTokens: 50_000, minScore: 0, stalenessDays: 3650 },
  research: {
    weights: { ...PLAIN, provenance: 0.25, recency: 0.35 },
    limit: 50,
    budgetTokens: 8000,
    minScore: 0,
    stalenessDays: 180,
  },
} as const satisfies { readonly [name: string]: ReferenceSettings };
