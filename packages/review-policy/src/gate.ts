import { type ReviewDecision, type ReviewRecord, WarrantError } from '@warrant/core';
import { decide } from './evaluate.ts';
import { finish } from './gate-apply.ts';
import { readStoredContext, toContext } from './gate-check.ts';
import { askPeople, createGateCore, type GateCore, retrying, subjectOf } from './gate-core.ts';
import { decideProposal, expireProposals } from './gate-decide.ts';
import { checkProposal, fileBatch, fileProposal, updateProposal } from './gate-file.ts';
import { explainProposal, previewChange } from './gate-preview.ts';
import type { GateOptions, Recheck, ReviewCounts, ReviewGate } from './gate-types.ts';
import { proposalId } from './ids.ts';
import type { KindProfile } from './kinds.ts';
import type { ParsedPolicy } from './policy.ts';
import { POLICY_ACTOR } from './proposal.ts';
import { decisionOf } from './record.ts';

/**
 * The gate that every lasting change passes through. Policy is judged on every way in; a decision and its effect are
 * one commit of the store, or, for kinds that apply themselves, two that a restart completes.
 */
export function createReviewGate(options: GateOptions): ReviewGate {
  const core = createGateCore(options);
  const { store } = options;
  return {
    register: (kind) => {
      const isTaken = core.kinds().has(kind.kind);
      if (isTaken) {
        throw new WarrantError('REVIEW_KIND_TAKEN', `the kind '${kind.kind}' is registered`, {
          data: { kind: kind.kind },
        });
      }
      core.registered.set(kind.kind, kind);
    },
    file: (proposal, call = {}) => fileProposal(core, proposal, call),
    check: (proposal) => checkProposal(core, proposal),
    find: async (id) => {
      const found = await store.read(id);
      return found === undefined ? undefined : { proposal: found.record.proposal, decision: decisionOf(found.record) };
    },
    explain: (proposal, policy) => explainProposal(core, proposal, policy),
    preview: (proposal, by) => previewChange(core, proposal, by),
    decide: (vote) => decideProposal(core, vote),
    update: (change) => updateProposal(core, change),
    batch: (proposals, call = {}) => fileBatch(core, proposals, call),
    expire: (call = {}) => expireProposals(core, call),
    status: async (id) => {
      const found = await store.read(id);
      return found === undefined ? undefined : decisionOf(found.record);
    },
    list: async function* (call = {}) {
      const status = statusFor(call.type);
      const query = { ...(status !== undefined && { status }), ...(call.signal && { signal: call.signal }) };
      for await (const { record } of store.list(query)) {
        const decision = decisionOf(record);
        if (call.type !== undefined && decision.type !== call.type) continue;
        if (call.kind === undefined || call.kind === record.proposal.kind)
          yield { proposal: record.proposal, decision };
      }
    },
    recheck: (policy, call = {}) => recheck(core, policy, call.signal),
    recover: (call = {}) => recover(core, call.signal),
    counts: () => counts(core),
    newProposalId: () => proposalId(core.clock.now(), core.ids.next().replaceAll('-', '').slice(-8)),
    kinds: () => core.kinds(),
    settings: () => core.settings(),
  };
}

function statusFor(type: ReviewDecision['type'] | undefined): ReviewRecord['status'] | undefined {
  switch (type) {
    case 'queued':
      return 'pending';
    case 'approved':
      return 'approved';
    case 'rejected':
    case 'expired':
      return 'rejected';
    default:
      return undefined;
  }
}

async function recheck(core: GateCore, policy: ParsedPolicy, signal?: AbortSignal): Promise<readonly Recheck[]> {
  const kinds = core.kinds();
  const found: Recheck[] = [];
  for await (const { record } of core.options.store.list()) {
    signal?.throwIfAborted();
    const { proposal } = record;
    const profile: KindProfile | undefined = kinds.get(proposal.kind);
    if (profile === undefined) continue;
    const context = toContext(readStoredContext(record.context));
    const verdict = decide(policy, subjectOf(core, proposal, profile), profile, context);
    // What a person decided was waiting for a person.
    const action = record.autoApproved ? 'auto_approve' : 'require_human';
    const before = { action, rule: record.rule };
    const after = { action: verdict.action, rule: verdict.rule };
    found.push({ proposalId: proposal.id, before, after, same: before.action === after.action });
  }
  return found;
}

async function recover(
  core: GateCore,
  signal?: AbortSignal,
): Promise<{ readonly finished: readonly string[]; readonly asked: readonly string[] }> {
  const finished: string[] = [];
  const asked: string[] = [];
  const pending: string[] = [];
  for await (const { record } of core.options.store.list({ status: 'pending' })) pending.push(record.proposal.id);
  if (pending.length === 0) return { finished, asked };
  const settings = await core.settings();
  for (const id of pending) {
    signal?.throwIfAborted();
    const outcome = await retrying(async () => {
      const current = await core.options.store.read(id);
      if (current === undefined || current.record.status !== 'pending') return null;
      const kind = core.registered.get(current.record.proposal.kind);
      if (current.record.approval === null) return (await askPeople(core, settings, current.record)) ? 'asked' : null;
      if (kind === undefined) return null;
      const decision = await finish(core, { record: current.record, expected: current.version }, kind);
      return decision === 'conflict' ? 'conflict' : 'finished';
    });
    if (outcome === 'finished') finished.push(id);
    if (outcome === 'asked') asked.push(id);
  }
  return { finished, asked };
}

async function counts(core: GateCore): Promise<ReviewCounts> {
  const totals = { pending: 0, approved: 0, rejected: 0 };
  for await (const { record } of core.options.store.list()) totals[record.status] += 1;
  const today = core.now().slice(0, 10);
  let autoApprovedToday = 0;
  let blockedToday = 0;
  for await (const item of core.options.store.events()) {
    if (item.dryRun || item.actor !== POLICY_ACTOR || !item.at.startsWith(today)) continue;
    if (item.event === 'proposal.auto_approved') autoApprovedToday += 1;
    if (item.event === 'proposal.policy_blocked') blockedToday += 1;
  }
  const { policy } = await core.settings();
  const state = policy.type === 'policy' ? 'set' : policy.type;
  return { ...totals, autoApprovedToday, blockedToday, policy: state };
}
