import type { JsonObject, Proposal, ProposalApproval, ProposalKind, Reason, Reviewer } from '@warrant/core';
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
export async function proposeWrite(
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

/** Everything that the decision of people is about; what the text was made from goes along, so that its label stays. */
function payloadOf(draft: Draft): JsonObject {
  const { key, value, confidence, entities, subject, session, validTo, sources, label } = draft;
  const asked = { key, value, confidence, entities, subject, session, validTo, sources };
  return label === null ? asked : { ...asked, label };
}

/** How an approved proposal becomes a record: as a person's, on behalf of the agent who asked. */
export function memoryProposalKind(setup: Setup): ProposalKind {
  return {
    kind: MEMORY_PROPOSAL_KIND,
    check: async (payload) => (typeof payload['key'] === 'string' && 'value' in payload ? [] : [malformed()]),
    evidence: () => null,
    confidence: () => null,
    apply: async (proposal, approval) => {
      if ((await setup.store.records([proposal.id])).length > 0) return { type: 'applied', reasons: [] };
      const self = selfApproval(proposal, approval);
      if (self !== undefined) return { type: 'refused', reasons: [self] };
      const { session: _session, ...write } = proposal.payload as unknown as MemoryWrite;
      const result = (await writeAll(setup, approvedActor(proposal, approval), [write], proposal.id))[0]?.result;
      if (result === undefined) throw fault('MEMORY_DAMAGED', 'a write gave no result', { proposal: proposal.id });
      return result.type === 'refused'
        ? { type: 'refused', reasons: result.reasons }
        : { type: 'applied', reasons: [] };
    },
  };
}

/** The agent who asked, with the person who approved. A queue that does not say who did is named as such. */
export function approvedActor(proposal: Proposal, approval: ProposalApproval | undefined): Actor {
  return {
    type: 'human',
    key: approval?.by ?? 'review',
    onBehalfOf: proposal.proposedBy,
    proposal: proposal.id,
  };
}

/** Why an approval by the one who asked counts for nothing. A rule that people wrote may let it pass. */
export function selfApproval(proposal: Proposal, approval: ProposalApproval | undefined): Reason | undefined {
  if (approval === undefined || approval.auto || approval.by !== proposal.proposedBy) return undefined;
  return {
    code: 'memory.self-approval',
    message: 'nobody approves what they asked for themselves',
    data: { proposal: proposal.id, by: approval.by },
  };
}

function malformed(): Reason {
  return { code: 'memory.proposal-malformed', message: 'the proposal has no key or no value', data: {} };
}
