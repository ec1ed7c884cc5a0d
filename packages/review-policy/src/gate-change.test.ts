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
