import type { JsonObject, MemoryRecord, Proposal, ProposalKind, Reason } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { selfApproval } from '../propose.ts';
import type { Setup } from '../setup.ts';
import { commitMerge } from './commit-merge.ts';
import type { MergeFunction } from './settings.ts';

/** Kind of the proposals by which several records become one text that a model wrote. */
export const MERGE_PROPOSAL_KIND = 'memory.merge';

/** Has a model write one text for a cluster and asks people for it. Nothing is merged until somebody approves. @internal */
export async function proposeMerge(
  setup: Setup,
  actor: Actor,
  cluster: readonly MemoryRecord[],
  merge: MergeFunction,
): Promise<
  | { readonly type: 'proposed'; readonly proposalId: string }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] }
> {
  if (setup.reviewer === null)
    return {
      type: 'refused',
      reasons: [reason('no-reviewer', 'without a reviewer nobody could approve the text of a model')],
    };
  const text = await merge(cluster);
  if (typeof text !== 'string' || text.trim() === '')
    return { type: 'refused', reasons: [reason('merge-empty', 'the model wrote no text')] };
  const proposal: Proposal = {
    id: setup.ids.next(),
    kind: MERGE_PROPOSAL_KIND,
    proposedBy: actor.key,
    proposedAt: setup.now(),
    payload: { text, sources: cluster.map(({ id }) => id), keys: cluster.map(({ key }) => key) },
  };
  const decision = await setup.reviewer.file(proposal);
  const data = { proposal: proposal.id, digest: decision.proposal, sources: cluster.map(({ id }) => id) };
  await setup.store.commit([], { expected: {}, audit: [auditEntry(setup.ids, actor, 'memory.proposed', data)] });
  if (decision.type !== 'queued' && decision.type !== 'approved') return { type: 'refused', reasons: decision.reasons };
  return { type: 'proposed', proposalId: proposal.id };
}

/** How an approved merge is carried out: on the very records it was written for, or not at all. @internal */
export function mergeProposalKind(setup: Setup): ProposalKind {
  return {
    kind: MERGE_PROPOSAL_KIND,
    check: async (payload) =>
      isComplete(payload) ? [] : [reason('proposal-malformed', 'the proposal is not complete')],
    evidence: () => null,
    confidence: () => null,
    apply: async (proposal, approval) => {
      if ((await setup.store.records([proposal.id])).length > 0) return { type: 'applied', reasons: [] };
      const self = selfApproval(proposal, approval);
      if (self !== undefined) return { type: 'refused', reasons: [self] };
      const { text, sources } = proposal.payload as unknown as {
        readonly text: string;
        readonly sources: readonly string[];
      };
      const cluster = await setup.store.records(sources);
      const actor: Actor = { type: 'agent', key: proposal.proposedBy };
      const id =
        cluster.length === sources.length
          ? await commitMerge(setup, actor, cluster, {
              value: text,
              inferred: true,
              id: proposal.id,
              approvedBy: approval?.by ?? 'review',
            })
          : undefined;
      if (id !== undefined) return { type: 'applied', reasons: [] };
      return { type: 'refused', reasons: [reason('merge-moved', 'one of the records is not what it was')] };
    },
  };
}

function isComplete(payload: JsonObject): boolean {
  const { text, sources } = payload;
  return (
    typeof text === 'string' &&
    Array.isArray(sources) &&
    sources.length > 1 &&
    sources.every((id) => typeof id === 'string')
  );
}

function reason(code: string, message: string): Reason {
  return { code: `memory.${code}`, message, data: {} };
}
