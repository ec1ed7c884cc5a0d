import { createVirtualClock, type Proposal } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { entityProposal } from '../test/folders.ts';
import { createReviewGate } from './gate.ts';
import type { ReviewGate } from './gate-types.ts';
import { createMemoryReviewStore } from './memory-store.ts';
import { parsePolicy } from './parse-policy.ts';
import { renderItem } from './render-item.ts';

const clock = createVirtualClock('2026-11-30T10:00:00.000Z');
const RULES = [{ name: 'all', when: {}, action: 'auto_approve' }];

function gateWith(rules: readonly object[]): ReviewGate {
  const store = createMemoryReviewStore({ knownIds: new Set(['s1']) });
  return createReviewGate({ store, clock, settings: () => ({ policy: parsePolicy({ rules }) }) });
}

const page = (id: string, body: string, more: Proposal['payload'] = {}): Proposal => ({
  ...entityProposal(id, 'p'),
  kind: 'page',
  payload: { id: 'p', title: 'T', body, sources: ['s1', 'gone'], ...more },
});
const remove: Proposal = { ...entityProposal('d', 'x'), kind: 'delete', payload: { target_kind: 'entity', id: 'x' } };

describe('what an approval would change', () => {
  it('is shown before and after, and nothing is written', async () => {
    const gate = gateWith(RULES);
    const entity = entityProposal('e', 'x');
    const [created] = (await gate.preview(entity, 'kim')).changes;
    expect(created).toMatchObject({ kind: 'entity', id: 'x', before: null, after: { name: 'x' } });
    expect(await gate.find('e')).toBeUndefined();
    await gate.file(entity);
    expect(await gate.find('e')).toMatchObject({ proposal: { id: 'e' }, decision: { type: 'approved' } });
    expect((await gate.preview(remove, 'kim')).changes).toMatchObject([{ before: { name: 'x' }, after: null }]);
    const again = await gate.preview(entityProposal('e2', 'x'), 'kim');
    expect(again).toMatchObject({ changes: [], reasons: [{ code: 'review.artifact-exists' }] });
  });

  it('tells which evidence is not there', async () => {
    const preview = await gateWith(RULES).preview(page('p1', 'text'), 'kim');
    expect(preview.evidence).toEqual([
      { id: 's1', known: true },
      { id: 'gone', known: false },
    ]);
    expect(preview.reasons[0]?.code).toBe('review.evidence-unknown');
  });

  it('is written down for a reviewer, control characters escaped', async () => {
    const gate = gateWith([]);
    const proposal = { ...entityProposal('e', 'x'), rationale: 'fine\u001b[2J', proposedBy: 'a\u202eb' };
    const decision = await gate.file(proposal);
    const preview = await gate.preview(proposal, 'kim');
    const text = renderItem({ proposal, decision, preview });
    expect(text).toContain('rationale: "fine\\u001b[2J"\n');
    expect(text).toContain('entity by "a\u202eb"');
    expect(text).toContain('rule: (default)\n');
    expect(text).toContain('entity x:\n+ id: x\n+ name: x\n');
    expect(text).toContain(`digest: ${decision.proposal}\n`);
  });
});

describe('judging without filing', () => {
  it('explains with what filing would read, also by another policy', async () => {
    const gate = gateWith(RULES);
    const proposal = page('p1', 'text');
    const evidenced = parsePolicy({ rules: [{ name: 'cited', when: { has_evidence: true }, action: 'block' }] });
    expect(await gate.explain(proposal)).toMatchObject({ type: 'explained', decision: { rule: 'all' } });
    expect(await gate.explain(proposal, evidenced)).toMatchObject({
      decision: { action: 'require_human', rule: null },
    });
    const known = { ...proposal, payload: { ...proposal.payload, sources: ['s1'] } };
    expect(await gate.explain(known, evidenced)).toMatchObject({ decision: { action: 'block', rule: 'cited' } });
    expect(await gate.explain({ ...proposal, kind: 'rumour' })).toEqual({ type: 'invalid-proposal', paths: ['/kind'] });
  });

  it('says that a person is needed where filing would say so', async () => {
    const gate = gateWith(RULES);
    const checked = await gate.check(remove);
    expect(checked).toMatchObject({ would: 'queue', rule: 'all', reasons: [{ code: 'review.needs-person' }, {}] });
    expect(await gate.file(remove, { dryRun: true })).toMatchObject({ would: 'queue' });
    expect((await gate.file(remove)).type).toBe('queued');
    expect(await gate.check(entityProposal('e', 'x'))).toMatchObject({ would: 'approve' });
  });
});
