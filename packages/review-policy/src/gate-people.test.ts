import { createMemoryInbox, createVirtualClock, type ReviewStore } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { entityProposal } from '../test/folders.ts';
import { createReviewGate } from './gate.ts';
import { createMemoryReviewStore } from './memory-store.ts';
import { parsePolicy } from './parse-policy.ts';

const QUORUM = parsePolicy({
  extensions: ['quorum'],
  rules: [{ name: 'two', when: { kind: 'entity' }, action: 'require_human', approvals: 2 }],
});

function setUp(store: ReviewStore = createMemoryReviewStore()) {
  const clock = createVirtualClock('2026-01-01T00:00:00.000Z');
  const inbox = createMemoryInbox({ clock });
  const gate = createReviewGate({ store, inbox, clock, settings: () => ({ policy: QUORUM }) });
  return { clock, inbox, gate };
}

describe('a gate that asks people', () => {
  it('asks one question a vote, of one group, and takes them back as votes come', async () => {
    const { inbox, gate } = setUp();
    const filed = await gate.file(entityProposal('p', 'x'));
    const open = await inbox.pending({ kind: 'review' });
    expect(open.map((question) => question.id)).toEqual(['p/1', 'p/2']);
    expect(open.map((question) => [question.group, question.subject, question.askedBy])).toEqual([
      ['p', filed.proposal, 'scribe'],
      ['p', filed.proposal, 'scribe'],
    ]);
    const vote = { proposalId: 'p', proposal: filed.proposal, choice: 'approve' as const };
    await gate.decide({ ...vote, by: 'kim' });
    expect((await inbox.pending()).map((question) => question.id)).toEqual(['p/2']);
    await gate.decide({ ...vote, by: 'lee' });
    expect(await inbox.pending()).toEqual([]);
  });

  it('asks anew about a changed proposal and no longer about the old one', async () => {
    const { inbox, gate } = setUp();
    await gate.file(entityProposal('p', 'x'));
    const changed = await gate.update({ proposalId: 'p', by: 'scribe', payload: { id: 'x', name: 'y', type: 'tool' } });
    const open = await inbox.pending();
    expect(open.map((question) => question.subject)).toEqual([changed.proposal, changed.proposal]);
  });

  it('refuses what nobody answers in time', async () => {
    const { clock, inbox, gate } = setUp();
    await gate.file(entityProposal('p', 'x'));
    clock.advance(91 * 86_400_000);
    expect(await inbox.pending()).toEqual([]);
    expect((await gate.expire()).map((decision) => decision.type)).toEqual(['expired']);
    expect((await gate.status('p'))?.applied).toBe('no');
  });

  it('asks again after a crash between the record and the question', async () => {
    const store = createMemoryReviewStore();
    await createReviewGate({ store, settings: () => ({ policy: QUORUM }) }).file(entityProposal('p', 'x'));
    const { inbox, gate } = setUp(store);
    expect(await gate.recover()).toEqual({ finished: [], asked: ['p'] });
    expect(await gate.recover()).toEqual({ finished: [], asked: [] });
    expect(await inbox.pending()).toHaveLength(2);
  });
});
