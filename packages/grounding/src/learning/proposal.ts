import {
  type Cancel,
  type Clock,
  createIdSource,
  type GraphStore,
  type IdSource,
  isoTime,
  isWarrantError,
  type Json,
  type JsonObject,
  type Proposal,
  type ProposalKind,
  type Reason,
  type ReviewDecision,
  type Reviewer,
  systemClock,
} from '@warrant/core';
import { checkCandidate, learnGap } from './learn.ts';
import { listLearned } from './learned.ts';
import type { LearnRequest } from './plan.ts';
import { reason } from './reasons.ts';

/** The kind under which learning candidates stand in the review queue. */
export const LEARNING_KIND = 'learning';

/**
 * How reviewers handle learning candidates: checked against the live graph, applied once approved. The payload is a
 * {@link LearnRequest} with, if known, `evidence` (references) and `confidence` (0 to 1).
 */
export function learningProposalKind(options: {
  readonly graph: GraphStore;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}): ProposalKind {
  const { graph, ...stamps } = options;
  return {
    kind: LEARNING_KIND,
    check: (payload, cancel) => guarded(() => checkCandidate(graph, requestOf(payload), cancel)),
    evidence: (payload) => {
      const { evidence } = payload;
      return isTextList(evidence) ? evidence : null;
    },
    confidence: (payload) => {
      const { confidence } = payload;
      return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null;
    },
    apply: async (proposal) => {
      if ((await listLearned(graph, { proposalId: proposal.id })).length > 0) return { type: 'applied', reasons: [] };
      const reasons = await guarded(async () => {
        const outcome = await learnGap(graph, requestOf(proposal.payload), { ...stamps, proposalId: proposal.id });
        if (outcome.type === 'learned') return [];
        if (outcome.type === 'refused') return outcome.reasons;
        return [reason('learning.already-closed', 'the gap is closed already', { proposalId: proposal.id })];
      });
      return { type: reasons.length === 0 ? 'applied' : 'refused', reasons };
    },
  };
}

/** What is filed for review. */
export type LearningProposal = LearnRequest & {
  readonly proposedBy: string;
  readonly rationale?: string;
  /** References that a reviewer can look up. */
  readonly evidence?: readonly string[];
  /** From 0 to 1. */
  readonly confidence?: number;
};

/** Files a candidate with the reviewer; the reviewer must know {@link learningProposalKind}. */
export function proposeLearning(
  reviewer: Reviewer,
  learning: LearningProposal,
  options: { readonly clock?: Clock; readonly ids?: IdSource; readonly dryRun?: boolean } & Cancel = {},
): Promise<ReviewDecision> {
  const { clock = systemClock, ids = createIdSource({ clock }), ...filing } = options;
  const { proposedBy, rationale, gap, candidate, query, evidence, confidence } = learning;
  const proposal: Proposal = {
    id: ids.next(),
    kind: LEARNING_KIND,
    proposedBy,
    proposedAt: isoTime(clock),
    payload: {
      gap: gap as Json,
      candidate: candidate as Json,
      query: { concepts: query.concepts, ...(query.minDepth === undefined ? {} : { minDepth: query.minDepth }) },
      ...(evidence === undefined ? {} : { evidence }),
      ...(confidence === undefined ? {} : { confidence }),
    },
    ...(rationale === undefined ? {} : { rationale }),
  };
  return reviewer.file(proposal, filing);
}

function requestOf(payload: JsonObject): LearnRequest {
  return payload as unknown as LearnRequest;
}

/** A payload that is no request is a refusal of the proposal, not a fault of the queue. */
async function guarded(work: () => Promise<readonly Reason[]>): Promise<readonly Reason[]> {
  try {
    return await work();
  } catch (error) {
    if (isWarrantError(error, 'GROUNDING_QUERY_INVALID') || isWarrantError(error, 'GROUNDING_GAP_INVALID')) {
      return [reason('learning.malformed', error.message, error.data)];
    }
    throw error;
  }
}

function isTextList(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
