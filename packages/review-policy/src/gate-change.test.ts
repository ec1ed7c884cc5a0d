import { createVirtualClock } from '@warrant/core';
import { expect, it } from 'vitest';
import { entityProposal } from '../test/folders.ts';
import { createReviewGate } from './gate.ts';
import type { ReviewKind } from './gate-types.ts';
import { createMemoryReviewStore } from './memory-store.ts';
import { parsePolicy } from './parse-policy.ts';

const clock = createVirtualClock('2026-11-30T10:00:00.000Z');

it('a change that the policy blocks is refused, and the proposal stays as it was', async () => {
  const policy = parsePolicy({
    rules: [{ name: 'no-aliases', when: { payload_has: 'aliases' }, action: 'block', reason: 'One name each.' }],
  });
  const gate = createReviewGate({ store: createMemoryReviewStore(), clock, settings: () => ({ policy }) });
  const filed = await gate.file(entityProposal('p', 'x'));
  const payload = { id: 'x', name: 'x', type: 'tool', aliases: ['y'] };
  const changed = await gate.update({ proposalId: 'p', payload, by: 'scribe' });
  expect(changed).toMatchObject({ type: 'blocked', rule: 'no-aliases' });
  expect(await gate.find('p')).toMatchObject({
    proposal: { payload: { aliases: [] } },
    decision: { type: 'queued', proposal: filed.proposal },
  });
});

it('a kind that refuses to apply what was approved leaves it waiting, with the reason', async () => {
  const gate = createReviewGate({ store: createMemoryReviewStore(), clock });
  let isReady = false;
  const kind: ReviewKind = {
    kind: 'memory',
    check: async () => [],
    evidence: () => null,
    confidence: () => null,
    apply: async () =>
      isReady
        ? { type: 'applied', reasons: [] }
        : { type: 'refused', reasons: [{ code: 'memory.full', message: 'no room', data: {} }] },
  };
  gate.register(kind);
  const filed = await gate.file({ ...entityProposal('m', 'x'), kind: 'memory' });
  const vote = { proposalId: 'm', proposal: filed.proposal, choice: 'approve' as const, by: 'kim' };
  expect(await gate.decide(vote)).toMatchObject({
    type: 'queued',
    applied: 'failed',
    reasons: [{ code: 'memory.full' }],
  });
  isReady = true;
  expect(await gate.decide(vote)).toMatchObject({ type: 'approved', applied: 'yes', decidedBy: 'kim' });
});

it('only the proposer changes a proposal', async () => {
  const gate = createReviewGate({ store: createMemoryReviewStore(), clock });
  await gate.file(entityProposal('p', 'x'));
  const change = { proposalId: 'p', payload: { id: 'x', name: 'other', type: 'tool' } };
  const refused = await gate.update({ ...change, by: 'mallory' });
  expect(refused).toMatchObject({ type: 'queued', reasons: [{ code: 'review.not-proposer' }] });
  expect((await gate.find('p'))?.proposal.payload['name']).toBe('x');
  await gate.update({ ...change, by: 'scribe' });
  expect((await gate.find('p'))?.proposal.payload['name']).toBe('other');
});

it.each([
  ['the policy cannot be read any more', { rules: 'none' }],
  ['the rule has another name now', { rules: [{ name: 'pair', when: { kind: 'entity' }, action: 'require_human' }] }],
  ['there is no policy any more', null],
])('a proposal keeps those who may approve it when %s', async (_, later) => {
  let policy = parsePolicy({
    extensions: ['groups', 'quorum'],
    groups: { leads: ['kim', 'lee'] },
    rules: [{ name: 'two', when: { kind: 'entity' }, action: 'require_human', approvals: 2, roles: ['leads'] }],
  });
  const gate = createReviewGate({ store: createMemoryReviewStore(), clock, settings: () => ({ policy }) });
  const { proposal } = await gate.file(entityProposal('p', 'x'));
  policy = parsePolicy(later);
  const vote = (by: string) => gate.decide({ proposalId: 'p', proposal, choice: 'approve', by });
  expect((await vote('mallory')).reasons[0]?.code).toBe('review.role-missing');
  expect((await vote('kim')).votes).toHaveLength(1);
  expect((await vote('lee')).type).toBe('approved');
});

it("today's members of a group may approve where the rule is still there", async () => {
  const document = (leads: readonly string[]) => ({
    extensions: ['groups', 'quorum'],
    groups: { leads },
    rules: [{ name: 'lead', when: { kind: 'entity' }, action: 'require_human', roles: ['leads'] }],
  });
  let policy = parsePolicy(document(['kim']));
  const gate = createReviewGate({ store: createMemoryReviewStore(), clock, settings: () => ({ policy }) });
  const { proposal } = await gate.file(entityProposal('p', 'x'));
  policy = parsePolicy(document(['lee']));
  const vote = (by: string) => gate.decide({ proposalId: 'p', proposal, choice: 'approve', by });
  expect((await vote('kim')).reasons[0]?.code).toBe('review.role-missing');
  expect((await vote('lee')).type).toBe('approved');
});

it("decisions about kinds of one's own are made again as they were made", async () => {
  const kind: ReviewKind = {
    kind: 'memory',
    profile: { evidenceKeys: ['sources'], hasConfidence: true, hasClaimType: false, payloadKeys: null },
    check: async () => [],
    evidence: () => ['s1'],
    confidence: () => 0.9,
    apply: async () => ({ type: 'applied', reasons: [] }),
  };
  const gate = createReviewGate({
    store: createMemoryReviewStore(),
    clock,
    settings: () => ({ policy: policyOf(0.8) }),
  });
  const policyOf = (least: number) =>
    parsePolicy(
      {
        rules: [
          { name: 'sure', when: { kind: 'memory', min_confidence: least, has_evidence: true }, action: 'auto_approve' },
        ],
      },
      { kinds: gate.kinds() },
    );
  gate.register(kind);
  expect((await gate.file({ ...entityProposal('m', 'x'), kind: 'memory' })).type).toBe('approved');
  expect(await gate.recheck(policyOf(0.8))).toMatchObject([{ proposalId: 'm', same: true }]);
  expect(await gate.recheck(policyOf(0.95))).toMatchObject([{ after: { action: 'require_human' }, same: false }]);
});
