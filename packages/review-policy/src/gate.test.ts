import { createVirtualClock, type Proposal, type RecordedReviewEvent, type ReviewDecision } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { entityProposal } from '../test/folders.ts';
import { createReviewGate } from './gate.ts';
import type { GateOptions, ReviewGate } from './gate-types.ts';
import { createMemoryReviewStore } from './memory-store.ts';
import { parsePolicy } from './parse-policy.ts';

const clock = createVirtualClock('2026-11-30T10:00:00.000Z');

function gateWith(
  policy: unknown,
  options: Partial<GateOptions> = {},
): ReviewGate & { events(): Promise<readonly RecordedReviewEvent[]> } {
  const store = createMemoryReviewStore({ knownIds: new Set(['s1']) });
  const gate = createReviewGate({ store, clock, settings: () => ({ policy: parsePolicy(policy) }), ...options });
  const events = async (): Promise<readonly RecordedReviewEvent[]> => {
    const all: RecordedReviewEvent[] = [];
    for await (const item of (options.store ?? store).events()) all.push(item);
    return all;
  };
  return { ...gate, events };
}

const claim = (id: string, change: Proposal['payload'] = {}, proposedBy = 'scribe'): Proposal => ({
  id,
  kind: 'claim',
  proposedBy,
  proposedAt: '2026-11-30T09:00:00.000Z',
  payload: { id: `c-${id}`, text: 'text', type: 'fact', confidence: 0.9, evidence: ['s1'], ...change },
});

async function vote(gate: ReviewGate, id: string, by: string): Promise<ReviewDecision> {
  const seen = await gate.status(id);
  return gate.decide({ proposalId: id, proposal: seen?.proposal ?? 'sha256:', choice: 'approve', by });
}

const QUORUM = {
  extensions: ['groups', 'quorum'],
  groups: { owners: ['kim', 'lee'], admins: ['kim', 'max'] },
  rules: [
    { name: 'two', when: { kind: 'entity' }, action: 'require_human', approvals: 2, roles: ['owners', 'admins'] },
  ],
};

describe('a quorum', () => {
  const people: Readonly<Record<string, string>> = {
    kim: 'p1',
    'kim-laptop': 'p1',
    lee: 'p2',
    max: 'p3',
    scribe: 'p9',
    other: 'p8',
  };

  it('counts one person once, however they are called and wherever they are listed', async () => {
    const gate = gateWith(QUORUM, { identify: async (actor) => people[actor] });
    await gate.file(entityProposal('p', 'x'));
    const waiting = (decision: ReviewDecision): unknown => decision.reasons[0]?.message;
    expect(waiting(await vote(gate, 'p', 'kim'))).toBe('1 of 2 approvals');
    expect((await vote(gate, 'p', 'kim')).reasons[0]?.code).toBe('review.already-voted');
    expect((await vote(gate, 'p', 'kim ')).reasons[0]?.code).toBe('review.actor-invalid');
    expect((await vote(gate, 'p', 'kim-laptop')).reasons[0]?.code).toBe('review.already-voted');
    expect((await vote(gate, 'p', 'nobody-known')).reasons[0]?.code).toBe('review.actor-unknown');
    expect((await vote(gate, 'p', 'other')).reasons[0]?.code).toBe('review.role-missing');
    expect((await vote(gate, 'p', 'scribe')).reasons[0]?.code).toBe('review.forbidden-self-approval');
    expect((await gate.status('p'))?.votes).toHaveLength(1);
    const done = await vote(gate, 'p', 'lee');
    expect(done).toMatchObject({ type: 'approved', applied: 'yes', decidedBy: 'lee' });
    expect(done.votes.map((item) => item.answeredBy)).toEqual(['kim', 'lee']);
    expect((await vote(gate, 'p', 'max')).reasons[0]?.code).toBe('review.not-pending');
    const names = (await gate.events()).map((item) => item.event);
    expect(names.filter((name) => name === 'proposal.vote_refused')).toHaveLength(7);
    expect(names.filter((name) => name === 'proposal.vote')).toHaveLength(2);
    expect(names.filter((name) => name === 'proposal.entity.approve')).toHaveLength(1);
  });

  it('keeps approvals when an update changes nothing, and voids them when it does', async () => {
    const gate = gateWith(QUORUM);
    await gate.file(entityProposal('p', 'x'));
    await vote(gate, 'p', 'kim');
    const same = JSON.parse(
      '{"description":null,"aliases":[],"type":"tool","name":"x","id":"x"}',
    ) as Proposal['payload'];
    expect((await gate.update({ proposalId: 'p', payload: same, by: 'scribe' })).votes).toHaveLength(1);
    const changed = await gate.update({ proposalId: 'p', payload: { ...same, name: 'y' }, by: 'scribe' });
    expect(changed.votes).toHaveLength(0);
    expect(changed.reasons[0]?.message).toBe('0 of 2 approvals');
    const updates = (await gate.events()).filter((item) => item.event === 'proposal.update');
    expect(updates.map((item) => item.data['votes_kept'])).toEqual([true, false]);
    expect(updates[1]?.data['before']).not.toBe(updates[1]?.data['after']);
  });
});

describe('a batch', () => {
  const policy = {
    rules: [
      { name: 'trusted', when: { actor: 'scribe', kind: 'claim', has_evidence: true }, action: 'auto_approve' },
      { name: 'no-robots', when: { actor: 'robot' }, action: 'block', reason: 'robots may not' },
    ],
  };

  it('lets every item decide for itself and wants every evidence entry known', async () => {
    const gate = gateWith(policy);
    const remove: Proposal = {
      ...claim('d', {}, 'other'),
      kind: 'delete',
      payload: { target_kind: 'claim', id: 'c-a' },
    };
    const decisions = await gate.batch([
      claim('a'),
      remove,
      claim('b', { evidence: ['s1', 'unknown-id'] }),
      claim('c', {}, 'robot'),
    ]);
    expect(decisions.map((decision) => decision.type)).toEqual(['approved', 'queued', 'queued', 'blocked']);
    expect((await gate.status('d'))?.applied).toBe('no');
    expect(decisions[3]).toMatchObject({ rule: 'no-robots', decidedBy: 'policy-engine', would: 'refuse' });
    expect(await gate.status('c')).toBeUndefined();
  });
});

describe('what only the gate may set', () => {
  const approving = { default: 'auto_approve' };

  it.each(['status', 'auto_approved', 'approved_by', 'superseded_by', 'created_at'])(
    'refuses a payload with %s',
    async (key) => {
      const decision = await gateWith(approving).file(claim('a', { [key]: 'x' }));
      expect(decision.type).toBe('invalid');
      expect(decision.reasons[0]?.data['path']).toBe(`/payload/${key}`);
    },
  );

  it.each([
    ['policy-engine'],
    ['vouch-expire'],
    [''],
    [' '],
    [' scribe'],
    ['scribe\n'],
    ['a\u0000'],
    ['x'.repeat(257)],
  ])('refuses the proposer %j', async (actor) => {
    expect((await gateWith(approving).file(claim('a', {}, actor))).type).toBe('invalid');
  });

  it.each([
    [{ type: 'rumour' }],
    [{ confidence: 7 }],
    [{ confidence: '0.9' }],
    [{ text: ' ' }],
    [{ evidence: 's1' }],
    [{ evidence: [1] }],
    [{ id: '../../escaped' }],
    [{ id: 'a/b' }],
    [{ text: '\ud800' }],
  ])('refuses the payload %j before anything is queued', async (change) => {
    const gate = gateWith(approving);
    expect((await gate.file(claim('a', change as Proposal['payload']))).type).toBe('invalid');
    expect(await gate.events()).toEqual([]);
  });

  it('does not approve deletions, superseding claims or page overwrites by a rule that does not name them', async () => {
    const gate = gateWith(approving);
    const page = (id: string, more: Proposal['payload'] = {}): Proposal => ({
      ...claim(id),
      kind: 'page',
      payload: { id: 'page', title: 't', body: 'b', type: 'concept', ...more },
    });
    expect((await gate.file(claim('old'))).type).toBe('approved');
    expect((await gate.file(claim('new', { supersedes: ['c-old'] }))).reasons[0]?.code).toBe('review.needs-person');
    expect(
      (await gate.file({ ...claim('del'), kind: 'delete', payload: { target_kind: 'claim', id: 'c-old' } })).type,
    ).toBe('queued');
    expect((await gate.file(page('p1'))).type).toBe('approved');
    const blind = await gate.file(page('p2'));
    expect(blind).toMatchObject({ type: 'queued', applied: 'failed' });
    expect(blind.reasons[0]?.code).toBe('review.artifact-exists');
    expect((await gate.file(page('p3', { replaces: 'page' }))).reasons[0]?.code).toBe('review.needs-person');
    expect((await vote(gate, 'p3', 'alice')).type).toBe('approved');
    expect((await vote(gate, 'new', 'alice')).type).toBe('approved');
    expect(await vote(gate, 'p2', 'alice')).toMatchObject({ type: 'queued', applied: 'failed' });
  });
});

describe('self-approval', () => {
  const own = async (policy: unknown, approverRole: string): Promise<string | undefined> => {
    const gate = gateWith(policy, { settings: () => ({ policy: parsePolicy(policy), approverRole }) });
    await gate.file(entityProposal('p', 'x'));
    const decision = await vote(gate, 'p', 'scribe');
    return decision.type === 'approved' ? 'approved' : decision.reasons[0]?.code;
  };

  it('is for a trusted role alone, and for nobody once any policy is set, a faulty one too', async () => {
    expect(await own(null, 'trusted-agent')).toBe('approved');
    expect(await own(null, 'human')).toBe('review.forbidden-self-approval');
    expect(await own({}, 'trusted-agent')).toBe('review.forbidden-self-approval');
    expect(await own({ default: 'nonsense' }, 'trusted-agent')).toBe('review.forbidden-self-approval');
  });
});

describe('decisions', () => {
  it('are made once for an id: the same content answers as before, another is refused', async () => {
    const gate = gateWith({ default: 'auto_approve' });
    const first = await gate.file(claim('a'));
    expect(await gate.file(claim('a'))).toEqual({ ...first, reasons: expect.any(Array) });
    expect((await gate.file(claim('a', { text: 'other' }))).reasons[0]?.code).toBe('review.id-reused');
    expect((await gate.events()).filter((item) => item.event === 'proposal.auto_approved')).toHaveLength(1);
  });

  it('can be made again later, under the same policy and under another', async () => {
    const policy = {
      rules: [{ name: 'sure', when: { min_confidence: 0.8, has_evidence: true }, action: 'auto_approve' }],
    };
    const gate = gateWith(policy);
    await gate.file(claim('a'));
    await gate.file(claim('b', { confidence: 0.5 }));
    expect((await gate.recheck(parsePolicy(policy))).every((item) => item.same)).toBe(true);
    const stricter = { rules: [{ name: 'sure', when: { min_confidence: 0.95 }, action: 'auto_approve' }] };
    const changed = (await gate.recheck(parsePolicy(stricter))).filter((item) => !item.same);
    expect(changed).toEqual([
      {
        proposalId: 'a',
        before: { action: 'auto_approve', rule: 'sure' },
        after: { action: 'require_human', rule: null },
        same: false,
      },
    ]);
  });

  it('need a reason to reject and expire as refusals', async () => {
    const gate = gateWith({});
    const filed = await gate.file(claim('a'));
    const reject = { proposalId: 'a', proposal: filed.proposal, choice: 'reject' as const, by: 'alice' };
    expect((await gate.decide(reject)).reasons[0]?.code).toBe('review.reason-missing');
    expect((await gate.decide({ ...reject, reason: ' ' })).type).toBe('queued');
    expect((await gate.decide({ ...reject, reason: 'no' })).type).toBe('rejected');
  });

  it('count today by the UTC day, without dry runs', async () => {
    const gate = gateWith({ default: 'block' });
    await gate.file(claim('a'));
    await gate.file(claim('b'), { dryRun: true });
    expect(await gate.counts()).toEqual({
      pending: 0,
      approved: 0,
      rejected: 0,
      autoApprovedToday: 0,
      blockedToday: 1,
      policy: 'set',
    });
  });
});

describe('extensions at the gate', () => {
  it('hold quotas per actor and window, and fail closed without what they need', async () => {
    const gate = gateWith({
      extensions: ['quota', 'similar', 'cel'],
      rules: [
        { name: 'cel', when: { cel: 'proposal.kind == "page"' }, action: 'auto_approve' },
        { name: 'same', when: { similar_to_existing: false, payload_has: 'tags' }, action: 'auto_approve' },
        { name: 'few', when: { quota: { limit: 2, per: '1h' }, kind: 'claim' }, action: 'auto_approve' },
      ],
    });
    const types = [];
    for (const id of ['a', 'b', 'c']) types.push((await gate.file(claim(id))).type);
    expect(types).toEqual(['approved', 'approved', 'queued']);
    clock.advance(3_600_001);
    expect((await gate.file(claim('d'))).type).toBe('approved');
    expect((await gate.file(claim('e', { tags: ['t'] }))).rule).toBe('few');
  });
});
