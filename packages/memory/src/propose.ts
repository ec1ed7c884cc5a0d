import type { JsonObject, Proposal, ProposalKind, Reason, Reviewer } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import { fault } from './errors.ts';
import type { Setup } from './setup.ts';
import { type Written, writeAll } from './write.ts';
import type { Draft, MemoryWrite } from './write-request.ts';
import type { WriteResult } from './write-step.ts';

/** Kind of the proposals by which agents ask to change what a person approved. */
export const MEMORY_PROPOSAL_KIND = 'memory.write';

/** An agent's write that a more trusted record stands against goes to people, where there is a way to them. */
export async function proposeOutranked(setup: Setup, actor: Actor, { result, draft }: Written): Promise<WriteResult> {
  const isOutranked = result.type === 'refused' && result.reasons.some(({ code }) => code === 'memory.outranked');
  if (!isOutranked || actor.type !== 'agent' || setup.reviewer === null) return result;
  return proposeWrite(setup, setup.reviewer, actor, { draft, reasons: result.reasons });
}

/** Files the write for review. Nothing of it is memory until somebody else approves it. */
async function proposeWrite(
  setup: Setup,
  reviewer: Reviewer,
  actor: Actor,
  refused: { readonly draft: Draft; readonly reasons: readonly Reason[] },
): Promise<WriteResult> {
  const { draft, reasons } = refused;
  const proposal: Proposal = {
    id: setup.ids.next(),
    kind: MEMORY_PROPOSAL_KIND,
    proposedBy: actor.key,
    proposedAt: setup.now(),
    payload: payloadOf(draft),
  };
  const decision = await reviewer.file(proposal);
  const data = { key: draft.key, proposal: proposal.id, digest: decision.proposal, decision: decision.type };
  await setup.store.commit([], {
    expected: {},
    audit: [auditEntry(setup.ids, actor, 'memory.proposed', data, draft.subject)],
  });
  if (decision.type !== 'queued' && decision.type !== 'approved')
    return { type: 'refused', reasons: [...reasons, ...decision.reasons] };
  setup.hub.tell([{ type: 'write-proposed', proposalId: proposal.id, key: draft.key, agent: actor.key }]);
  return { type: 'proposed', proposalId: proposal.id, reasons };
}

function payloadOf(draft: Draft): JsonObject {
  const { key, value, entities, subject, session } = draft;
  return { key, value, entities, subject, session };
}

/** How an approved proposal becomes a record: as a person's, on behalf of the agent who asked. */
export function memoryProposalKind(setup: Setup): ProposalKind {
  return {
    kind: MEMORY_PROPOSAL_KIND,
    check: async (payload) => (typeof payload['key'] === 'string' && 'value' in payload ? [] : [malformed()]),
    evidence: () => null,
    confidence: () => null,
    apply: async (proposal) => {
      if ((await setup.store.records([proposal.id])).length > 0) return { type: 'applied', reasons: [] };
      const { session: _session, ...write } = proposal.payload as unknown as MemoryWrite;
      const reviewer: Actor = { type: 'human', key: 'review', onBehalfOf: proposal.proposedBy };
      const result = (await writeAll(setup, reviewer, [write], proposal.id))[0]?.result;
      if (result === undefined) throw fault('MEMORY_DAMAGED', 'a write gave no result', { proposal: proposal.id });
      return result.type === 'refused'
        ? { type: 'refused', reasons: result.reasons }
        : { type: 'applied', reasons: [] };
    },
  };
}

function malformed(): Reason {
  return { code: 'memory.proposal-malformed', message: 'the proposal has no key or no value', data: {} };
}
