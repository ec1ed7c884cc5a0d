import type { Gap, GraphChange, GraphView, Provenance, Reason } from '@warrant/core';
import type { GroundQuery } from '../query.ts';
import type { LearningCandidate } from './candidate.ts';
import { planEdge } from './plan-edge.ts';
import { planExistence } from './plan-existence.ts';
import { planLevels } from './plan-levels.ts';
import { reason } from './reasons.ts';

/** A gap, what would close it, and the query in which it was found. */
export type LearnRequest = {
  readonly gap: Gap;
  /** A {@link LearningCandidate}; it may come from a model and is checked as such. */
  readonly candidate: unknown;
  readonly query: GroundQuery;
};

/** What a candidate means for the graph as it is now. */
export type LearningPlan =
  | { readonly type: 'plan'; readonly changes: readonly GraphChange[] }
  | { readonly type: 'already-closed' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** A gap that names one concept and asks no depth. */
export type ConceptGap = Extract<Gap, { readonly type: 'existence' | 'reachability' }>;

/** How what is learned will be stamped. */
type Stamp = { readonly provenance: Provenance; readonly newId: (name: string) => string };

/** A request whose candidate was read, and the live view to hold it against. */
export type PlanInput<Candidate extends LearningCandidate = LearningCandidate> = {
  readonly gap: Gap;
  readonly candidate: Candidate;
  readonly query: GroundQuery;
  readonly view: GraphView;
  readonly stamp: Stamp;
};

/** Decides what a candidate would change. Pure; the view holds the query's concepts, the gap's and the candidate's. */
export function planLearning(input: PlanInput): LearningPlan {
  const { gap, candidate } = input;
  if (candidate.type !== gap.type) {
    return refused(
      reason('learning.kind-mismatch', `a ${gap.type} gap takes a ${gap.type} candidate`, {
        gap: gap.type,
        candidate: candidate.type,
      }),
    );
  }
  switch (candidate.type) {
    case 'existence':
      return planExistence({ ...input, candidate });
    case 'depth':
    case 'relational':
      return planLevels({ ...input, candidate });
    case 'reachability':
      return planEdge({ ...input, candidate });
  }
}

function refused(...reasons: readonly Reason[]): LearningPlan {
  return { type: 'refused', reasons };
}
