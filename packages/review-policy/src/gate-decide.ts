import type {
  Answer,
  Digest,
  JsonObject,
  Reason,
  ReviewDecision,
  ReviewEvent,
  ReviewRecord,
  StoredReview,
} from '@warrant/core';
import { carryOut } from './gate-apply.ts';
import { actorFault, readStoredContext } from './gate-check.ts';
import { type GateCore, hasPolicy, reason, retrying, votersOf, withdrawQuestions } from './gate-core.ts';
import type { ReviewSettings } from './gate-types.ts';
import { mayApprove } from './may-decide.ts';
import { decisionOf, EXPIRE_ACTOR, event, proposalDigest, unstoredDecision } from './record.ts';

/** One person's word on one proposal. */
export type Vote = {
  readonly proposalId: string;
  readonly proposal: Digest;
  readonly choice: 'approve' | 'reject';
  readonly by: string;
  readonly reason?: string;
};

type Round = { readonly settings: ReviewSettings; readonly current: StoredReview; readonly person: string };

/** Takes a vote; the answer is where the proposal stands after it, with the reason when the vote does not count. */
export async function decideProposal(core: GateCore, vote: Vote): Promise<ReviewDecision> {
  return retrying(async () => {
    const current = await core.options.store.read(vote.proposalId);
    if (current === undefined) return unknownProposal(vote);
    const settings = await core.settings();
    const refusal = await refusalOf(core, settings, current.record, vote);
    if (refusal !== null) return refuse(core, current.record, vote, refusal);
    const person = (await identify(core, vote.by)) as string;
    const round = { settings, current, person };
    return vote.choice === 'reject' ? rejectOnce(core, round, vote) : approveOnce(core, round, vote);
  });
}

async function identify(core: GateCore, actor: string): Promise<string | undefined> {
  return core.options.identify === undefined ? actor : core.options.identify(actor);
}

function unknownProposal(vote: Vote): ReviewDecision {
  const proposal = { id: vote.proposalId, kind: '', proposedBy: '', proposedAt: '', payload: {} };
  const reasons = [reason('review.unknown-proposal', 'there is no such proposal', { id: vote.proposalId })];
  return unstoredDecision(proposal, 'invalid', { reasons });
}

async function refusalOf(
  core: GateCore,
  settings: ReviewSettings,
  record: ReviewRecord,
  vote: Vote,
): Promise<Reason | null> {
  const fault = actorFault(vote.by);
  if (fault !== null) return fault;
  if (record.status !== 'pending' || record.approval !== null) {
    return reason('review.not-pending', 'the proposal is decided', { status: record.status });
  }
  if (vote.proposal !== proposalDigest(record.proposal)) {
    return reason('review.proposal-changed', 'the proposal is not the one that was looked at', { seen: vote.proposal });
  }
  const person = await identify(core, vote.by);
  if (person === undefined) return reason('review.actor-unknown', 'nobody is known by this name', { by: vote.by });
  if (vote.choice === 'reject') {
    if (vote.reason !== undefined && vote.reason.trim() !== '') return null;
    return reason('review.reason-missing', 'a rejection needs a reason');
  }
  return approvalRefusal(core, settings, record, { by: vote.by, person });
}

async function approvalRefusal(
  core: GateCore,
  settings: ReviewSettings,
  record: ReviewRecord,
  voter: { readonly by: string; readonly person: string },
): Promise<Reason | null> {
  const { proposal } = record;
  const proposer = (await identify(core, proposal.proposedBy)) ?? proposal.proposedBy;
  const isOwn = voter.person === proposer || voter.by === proposal.proposedBy;
  const code = mayApprove(
    { ...settings, hasPolicy: hasPolicy(settings) },
    { kind: proposal.kind, status: record.status, isOwn },
    {
      approver: voter.by,
      receiptsVerify: isOwn && (await core.options.receiptsVerify?.(proposal)) === true,
      protectedKind: isProtected(settings, proposal),
    },
  );
  if (code !== null)
    return reason(`review.${code.replaceAll('_', '-')}`, 'nobody approves their own proposal', { by: voter.by });
  const roles = rolesOf(settings, record);
  if (roles !== null && !(await hasRole(core, roles, voter))) {
    return reason('review.role-missing', 'the rule names who may approve', { by: voter.by, rule: record.rule });
  }
  for (const earlier of record.votes) {
    if ((await identify(core, earlier.answeredBy)) === voter.person || earlier.answeredBy === voter.by) {
      return reason('review.already-voted', 'one person counts once', { by: voter.by, voted: earlier.answeredBy });
    }
  }
  return null;
}

function isProtected(settings: ReviewSettings, proposal: ReviewRecord['proposal']): boolean {
  const type = proposal.payload['type'] ?? 'concept';
  return proposal.kind === 'page' && settings.protectedPageTypes?.some((name) => name === type) === true;
}

/**
 * Who may vote; `null` when anyone may. The groups of today count where the rule is still there; where it is not, or the
 * policy cannot be read, those of the day when it was filed.
 */
function rolesOf(settings: ReviewSettings, record: ReviewRecord): ReadonlySet<string> | null {
  const { policy } = settings;
  const rule = policy.type === 'policy' ? policy.rules.find(({ name }) => name === record.rule) : undefined;
  const voters =
    rule === undefined ? (readStoredContext(record.context).voters ?? null) : votersOf(policy, rule.quorum);
  return voters === null ? null : new Set(voters);
}

async function hasRole(
  core: GateCore,
  members: ReadonlySet<string>,
  voter: { readonly by: string; readonly person: string },
): Promise<boolean> {
  if (members.has(voter.by)) return true;
  for (const member of members) if ((await identify(core, member)) === voter.person) return true;
  return false;
}

// Every attempt is kept in the log, also one that does not count.
async function refuse(core: GateCore, record: ReviewRecord, vote: Vote, refusal: Reason): Promise<ReviewDecision> {
  const data: JsonObject = { code: refusal.code, choice: vote.choice, by: String(vote.by) };
  const id = record.proposal.id;
  const refused = event('proposal.vote_refused', typeof vote.by === 'string' && vote.by !== '' ? vote.by : 'unknown', {
    at: core.now(),
    objectIds: [id],
    data,
  });
  await core.options.store.commit({ id, expected: null, record: null, artifacts: [], events: [refused] });
  return decisionOf(record, [refusal]);
}

async function rejectOnce(core: GateCore, { current }: Round, vote: Vote): Promise<ReviewDecision | 'conflict'> {
  return reject(core, current, { by: vote.by, why: vote.reason as string, name: 'reject' });
}

async function reject(
  core: GateCore,
  current: StoredReview,
  how: { readonly by: string; readonly why: string; readonly name: 'reject' | 'expire' },
): Promise<ReviewDecision | 'conflict'> {
  const at = core.now();
  const { proposal } = current.record;
  const record: ReviewRecord = {
    ...current.record,
    status: 'rejected',
    decidedAt: at,
    decidedBy: how.by,
    decisionReason: how.why,
    failure: [],
  };
  const name = how.name === 'expire' ? 'proposal.expire' : `proposal.${proposal.kind}.reject`;
  const data = { reason: how.why, policy_rule: null, proposal_digest: proposalDigest(proposal) };
  const rejected = event(name, how.by, { at, objectIds: [proposal.id], data });
  const change = { id: proposal.id, expected: current.version, record, artifacts: [], events: [rejected] };
  const result = await core.options.store.commit(change);
  if (result.type !== 'committed') return 'conflict';
  await withdrawQuestions(core, record, how.name === 'expire' ? 'expired' : 'rejected');
  return decisionOf(record);
}

async function approveOnce(core: GateCore, round: Round, vote: Vote): Promise<ReviewDecision | 'conflict'> {
  const { current } = round;
  const at = core.now();
  const answer: Answer = {
    questionId: `${vote.proposalId}/${current.record.asked + current.record.votes.length + 1}`,
    subject: vote.proposal,
    choice: 'approve',
    answeredBy: vote.by,
    answeredAt: at,
    ...(vote.reason !== undefined && { reason: vote.reason }),
  };
  const record: ReviewRecord = { ...current.record, votes: [...current.record.votes, answer] };
  const needed = record.approvals;
  const voted: readonly ReviewEvent[] =
    needed === 1
      ? []
      : [
          event('proposal.vote', vote.by, {
            at,
            objectIds: [vote.proposalId],
            data: { votes: record.votes.length, approvals: needed, proposal_digest: vote.proposal },
          }),
        ];
  if (record.votes.length >= needed) {
    const why = vote.reason ?? null;
    return carryOut(
      core,
      { record, expected: current.version },
      { by: vote.by, reason: why, at, auto: false, before: voted },
    );
  }
  const change = { id: vote.proposalId, expected: current.version, record, artifacts: [], events: voted };
  const result = await core.options.store.commit(change);
  if (result.type !== 'committed') return 'conflict';
  await core.options.inbox?.withdraw(answer.questionId, 'answered');
  return decisionOf(record);
}

/** Rejects pending proposals that are older than allowed; waiting never ends in an approval. */
export async function expireProposals(
  core: GateCore,
  options: { readonly olderThanDays?: number; readonly signal?: AbortSignal },
): Promise<readonly ReviewDecision[]> {
  const settings = await core.settings();
  const days = options.olderThanDays ?? settings.expirePendingAfterDays ?? 90;
  if (days <= 0) return [];
  const before = core.clock.now() - days * 86_400_000;
  const stale: string[] = [];
  for await (const { record } of core.options.store.list({ status: 'pending' })) {
    options.signal?.throwIfAborted();
    if (record.approval === null && Date.parse(record.proposal.proposedAt) < before) stale.push(record.proposal.id);
  }
  const decisions: ReviewDecision[] = [];
  for (const id of stale) {
    const decision = await retrying(async () => {
      const current = await core.options.store.read(id);
      if (current === undefined || current.record.status !== 'pending' || current.record.approval !== null) return null;
      return reject(core, current, { by: EXPIRE_ACTOR, why: 'expired', name: 'expire' });
    });
    if (decision !== null) decisions.push(decision);
  }
  return decisions;
}
