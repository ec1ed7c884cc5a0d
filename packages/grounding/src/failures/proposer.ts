import {
  type ActorKey,
  type Clock,
  type GraphStore,
  isoTime,
  type Reason,
  type Reviewer,
  systemClock,
  type ToolFailure,
} from '@warrant/core';
import { FAILURE_CATALOGUE, type FailureCatalogue } from './catalogue.ts';
import type { FailureCounts } from './counts.ts';
import { edgeState, FAILURE_KIND } from './kind.ts';
import { type FailureEdge, proposeFromFailure } from './propose.ts';

export type FailureProposerOptions = {
  readonly reviewer: Reviewer;
  readonly graph: GraphStore;
  /** @default {@link FAILURE_CATALOGUE} */
  readonly catalogue?: FailureCatalogue;
  /** Who proposes; whoever approves has to be somebody else. @default 'agent' */
  readonly proposedBy?: ActorKey;
  readonly clock?: Clock;
  /** Where failures are counted beyond this process. @default nowhere */
  readonly counts?: Pick<FailureCounts, 'count'>;
  /** Told what became of each failure. */
  readonly onOutcome?: (outcome: FailureOutcome) => void;
};
/** What became of one failure. `counted`: it stands in the queue already, decided or not. */
export type FailureOutcome =
  | { readonly type: 'no-failure' | 'unknown-failure' }
  | {
      readonly type: 'filed' | 'counted';
      readonly proposalId: string;
      readonly edge: FailureEdge;
      readonly count: number;
    }
  | { readonly type: 'known'; readonly edge: FailureEdge }
  | { readonly type: 'refused'; readonly edge: FailureEdge; readonly reasons: readonly Reason[] };

/** Looks at what guarded tools gave back. */
export interface FailureProposer {
  (failure: ToolFailure): Promise<FailureOutcome>;
  /** How often each proposal would have been filed in this process; across processes {@link FailureCounts} tells. */
  readonly counts: () => ReadonlyMap<string, number>;
}

/**
 * For `guard({ onFailure: failureProposer(…) })`: files what a failure revealed for review, once for each edge. Nothing is
 * learned without approval, and what was rejected is only counted.
 */
export function failureProposer(options: FailureProposerOptions): FailureProposer {
  const counts = new Map<string, number>();
  const decide = async (failure: ToolFailure): Promise<FailureOutcome> => {
    const { call, observation, concepts } = failure;
    const finding = proposeFromFailure(call, observation, concepts, options.catalogue ?? FAILURE_CATALOGUE);
    if (finding.type !== 'proposal') return finding;
    const { id, edge, entry, text, evidence } = finding;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    options.counts?.count({ proposalId: id, edge, entry });
    const { graph, reviewer } = options;
    const state = edgeState(await graph.view([edge.source, edge.target]), edge);
    if (state.type === 'known') return { type: 'known', edge };
    if (state.type === 'refused') return { type: 'refused', edge, reasons: state.reasons };
    if ((await reviewer.status(id)) !== undefined) return { type: 'counted', proposalId: id, edge, count };
    const decision = await reviewer.file({
      id,
      kind: FAILURE_KIND,
      proposedBy: options.proposedBy ?? 'agent',
      proposedAt: isoTime(options.clock ?? systemClock),
      payload: { edge, text, entry, evidence: [evidence], tool: call.tool },
      rationale: text,
    });
    if (decision.type === 'invalid' || decision.type === 'blocked')
      return { type: 'refused', edge, reasons: decision.reasons };
    return { type: 'filed', proposalId: id, edge, count };
  };
  const look = async (failure: ToolFailure): Promise<FailureOutcome> => {
    const outcome = await decide(failure);
    options.onOutcome?.(outcome);
    return outcome;
  };
  return Object.assign(look, { counts: () => new Map(counts) });
}
