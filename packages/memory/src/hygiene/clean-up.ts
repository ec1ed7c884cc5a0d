import type { JsonObject, MemoryChange, Proposal, ProposalKind, Reason, ReviewDecision } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { approvedActor, selfApproval } from '../propose.ts';
import type { Setup } from '../setup.ts';
import type { CleanUpItem } from './report.ts';

/** Kind of the proposals that archive what a hygiene report found. */
export const CLEAN_UP_PROPOSAL_KIND = 'memory.clean-up';

export type CleanUpResult =
  | { readonly type: 'proposed'; readonly proposalId: string; readonly decision: ReviewDecision['type'] }
  | { readonly type: 'nothing' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

const MOST = 1000;

/** Asks people to archive what a report found. It changes nothing by itself, and everything comes back with `restore`. */
export async function proposeCleanUp(
  setup: Setup,
  actor: Actor,
  items: readonly CleanUpItem[],
): Promise<CleanUpResult> {
  if (items.length === 0) return { type: 'nothing' };
  if (setup.reviewer === null)
    return {
      type: 'refused',
      reasons: [{ code: 'memory.no-reviewer', message: 'without a reviewer nobody could approve it', data: {} }],
    };
  const records = await setup.store.records(items.slice(0, MOST).map(({ record }) => record));
  const why = new Map(items.map((item) => [item.record, item.why]));
  const archive = records.map(
    (record): JsonObject => ({ record: record.id, key: record.key, why: why.get(record.id) ?? '' }),
  );
  const proposal: Proposal = {
    id: setup.ids.next(),
    kind: CLEAN_UP_PROPOSAL_KIND,
    proposedBy: actor.key,
    proposedAt: setup.now(),
    payload: { archive },
  };
  const decision = await setup.reviewer.file(proposal);
  const data = { proposal: proposal.id, digest: decision.proposal, records: records.length };
  await setup.store.commit([], { expected: {}, audit: [auditEntry(setup.ids, actor, 'memory.proposed', data)] });
  if (decision.type !== 'queued' && decision.type !== 'approved') return { type: 'refused', reasons: decision.reasons };
  return { type: 'proposed', proposalId: proposal.id, decision: decision.type };
}

/** How an approved clean-up is carried out; what a person approved since stays. @internal */
export function cleanUpProposalKind(setup: Setup): ProposalKind {
  return {
    kind: CLEAN_UP_PROPOSAL_KIND,
    check: async (payload) =>
      idsOf(payload) === undefined
        ? [{ code: 'memory.proposal-malformed', message: 'the proposal names no records', data: {} }]
        : [],
    evidence: () => null,
    confidence: () => null,
    apply: async (proposal, approval) => {
      const self = selfApproval(proposal, approval);
      if (self !== undefined) return { type: 'refused', reasons: [self] };
      const records = await setup.store.records(idsOf(proposal.payload) ?? []);
      const at = setup.now();
      const gone = records.filter(
        ({ origin, archived, closedAt }) => origin !== 'human-approved' && !archived && closedAt === null,
      );
      const changes = gone.map(({ id }): MemoryChange => ({ type: 'archive', id, at }));
      const data = { records: gone.map(({ id }) => id), why: 'clean-up' };
      const audit = auditEntry(setup.ids, approvedActor(proposal, approval), 'memory.deleted', data);
      if (gone.length > 0) await setup.store.commit(changes, { expected: {}, audit: [audit] });
      return { type: 'applied', reasons: [] };
    },
  };
}

function idsOf(payload: JsonObject): readonly string[] | undefined {
  const archive = payload['archive'];
  if (!Array.isArray(archive) || archive.length === 0 || archive.length > MOST) return undefined;
  const ids = archive.map((item: unknown) =>
    typeof item === 'object' && item !== null ? (item as JsonObject)['record'] : undefined,
  );
  return ids.every((id) => typeof id === 'string') ? (ids as readonly string[]) : undefined;
}
