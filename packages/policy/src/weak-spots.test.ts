import { createMemoryInbox, type GroundingResult } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { confirming, deleteTool, EDGE, policySet } from '../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { evaluatePolicies } from './gate.ts';
import { createPolicyRegistry } from './registry.ts';

const CALL = { id: 'c', tool: 'delete_file', arguments: {} };

describe('what the reference gets wrong', () => {
  it.each([
    ['a promise of no', async () => false],
    ['a text', () => 'no' as unknown as boolean],
    ['a number', () => 1 as unknown as boolean],
    ['an object', () => ({}) as unknown as boolean],
    ['a promise of a text', async () => 'yes' as unknown as boolean],
    ['nothing', () => undefined as unknown as boolean],
  ])('weak spot 1: a handler that answers %s lets nothing through', async (_what, onPolicy) => {
    const { tool, ran } = deleteTool({ policies: confirming(), onPolicy });
    expect(await tool('a')).toMatchObject({ type: 'declined', answer: null });
    expect(ran).toEqual([]);
  });

  it('weak spot 1: a promise of yes is awaited', async () => {
    const { tool, ran } = deleteTool({ policies: confirming(), onPolicy: async () => true });
    expect(await tool('a')).toMatchObject({ type: 'executed' });
    expect(ran).toEqual(['a']);
  });

  it('weak spot 2: whoever is shown the trace cannot open the gate', async () => {
    const reports: unknown[] = [];
    const { tool, ran } = deleteTool({
      concepts: ['delete', 'mystery'],
      onTrace: (grounding) => {
        (grounding as { grounded: boolean }).grounded = true;
      },
      onReport: (report) => reports.push(report.type),
    });
    expect(await tool('a')).toMatchObject({ type: 'ungrounded' });
    expect(ran).toEqual([]);
    expect(reports).toEqual(['trace-failed']);
  });

  it('weak spot 2: clearing edges in the trace skips no policy', async () => {
    const { tool, ran } = deleteTool({
      policies: policySet(() => ({ passed: false })),
      onTrace: (grounding) => {
        (grounding.pathway as unknown[]).length = 0;
      },
    });
    expect(await tool('a')).toMatchObject({ type: 'blocked' });
    expect(ran).toEqual([]);
  });

  it.each([
    ['without concepts', { resolved: [] }],
    ['with concepts that are nowhere', { resolved: ['delete'], primitives: [] }],
    ['with gaps', { gaps: [{ type: 'existence', concept: 'x', remedy: {} }] }],
  ])('weak spot 2: a result made by hand %s is not grounded', async (_what, forged) => {
    const grounder = createSmallGrounder(FILES);
    const real = await grounder.check({ concepts: ['delete', 'file'] });
    const grounding = { ...real, pathway: [], ...forged, grounded: true } as GroundingResult;
    const policies = policySet(() => ({ passed: true }));
    expect(await evaluatePolicies({ grounding, policies, call: CALL })).toMatchObject({ decision: 'ungrounded' });
    const { tool, ran } = deleteTool({ grounder: { check: async () => grounding } });
    expect(await tool('a')).toMatchObject({ type: 'ungrounded', verdict: { decision: 'ungrounded' } });
    expect(ran).toEqual([]);
  });

  it('weak spot 6: a policy whose object is not named is dormant, and the guard refuses', async () => {
    const policies = policySet(() => ({ passed: true }));
    const { tool, ran } = deleteTool({ policies, concepts: ['delete'] });
    expect(await tool('a')).toMatchObject({
      type: 'blocked',
      verdict: {
        policies: [{ key: 'protect', outcome: 'dormant' }],
        reasons: [{ code: 'policy.dormant', remedy: { action: 'name-concept', concept: 'file' } }],
      },
    });
    expect(ran).toEqual([]);
    const reporting = deleteTool({ policies, concepts: ['delete'], dormant: 'report' });
    expect(await reporting.tool('a')).toMatchObject({
      type: 'executed',
      verdict: { decision: 'allow', policies: [{ outcome: 'dormant' }] },
    });
  });

  it('weak spot 6: an edge that moved after validation is dormant', async () => {
    const { tool, ran, grounder } = deleteTool({ policies: policySet(() => ({ passed: true })) });
    expect(await tool('a')).toMatchObject({ type: 'executed' });
    grounder.graph = { ...FILES, edges: [['delete', 2, 'applies-to', 'file', 2]] };
    expect(await tool('b')).toMatchObject({ type: 'blocked', verdict: { policies: [{ outcome: 'dormant' }] } });
    expect(ran).toEqual(['a']);
  });

  it('weak spot 6: only the dormant policies that are named may sleep', async () => {
    const registry = createPolicyRegistry();
    registry.register({ key: 'dirs', source: 'delete', target: 'directory', sourceDepth: 3 }, () => ({ passed: true }));
    registry.register({ key: 'files', ...EDGE }, () => ({ passed: true }));
    const policies = registry.freeze();
    const allowed = deleteTool({ policies, dormant: { report: ['dirs'] } });
    expect(await allowed.tool('a')).toMatchObject({ type: 'executed' });
    const other = deleteTool({ policies, dormant: { report: ['files'] } });
    expect(await other.tool('a')).toMatchObject({ type: 'blocked' });
  });

  it('weak spot 6: a dormant policy for another cardinality refuses nothing', async () => {
    const policies = policySet(() => ({ passed: true }), { triggerCardinality: 'multiple' });
    const { tool } = deleteTool({ policies, concepts: ['delete'], cardinality: 'single' });
    expect(await tool('a')).toMatchObject({ type: 'executed' });
  });

  it('weak spot 6: clearing a frozen registry takes no policy away', async () => {
    const registry = createPolicyRegistry();
    registry.register({ key: 'a', ...EDGE, requiresConfirmation: false }, () => ({ passed: false }));
    const { tool, ran } = deleteTool({ policies: registry.freeze() });
    expect(() => registry.clear()).toThrow();
    expect(await tool('a')).toMatchObject({ type: 'blocked' });
    expect(ran).toEqual([]);
  });

  it('weak spot 6: a callback cannot turn its block into a question', async () => {
    const policies = policySet((context) => {
      Object.assign(context.policy, { effect: 'confirm', requiresConfirmation: true });
      return { passed: false };
    });
    const { tool, ran } = deleteTool({ policies, onPolicy: () => true });
    expect(await tool('a')).toMatchObject({
      type: 'blocked',
      verdict: { reasons: [{ code: 'policy.condition-error' }], policies: [{ effect: 'block' }] },
    });
    expect(ran).toEqual([]);
  });

  it('weak spot 9: an edge given twice asks a condition once', async () => {
    const grounder = createSmallGrounder({ ...FILES, edges: [FILES.edges[0], FILES.edges[0]] as typeof FILES.edges });
    let asked = 0;
    const policies = policySet(() => {
      asked += 1;
      return { passed: true };
    });
    const { tool } = deleteTool({ grounder, policies });
    expect(await tool('a')).toMatchObject({ type: 'executed', verdict: { policies: [{ key: 'protect' }] } });
    expect(asked).toBe(1);
  });

  it('weak spot 10: a text where a list of concepts is meant is refused', async () => {
    expect(() => deleteTool({ concepts: 'file' as unknown as string[] })).toThrow(
      expect.objectContaining({ code: 'POLICY_CONCEPTS_INVALID' }),
    );
    const { tool, ran } = deleteTool({ concepts: () => 'file' as unknown as string[] });
    expect(await tool('a')).toMatchObject({
      type: 'failed',
      stage: 'before',
      error: { code: 'POLICY_CONCEPTS_INVALID' },
    });
    expect(ran).toEqual([]);
  });

  it('weak spot 10: concepts, cardinality and tool may all be asynchronous', async () => {
    const { tool, ran } = deleteTool({
      concepts: async () => ['delete', 'file'],
      cardinality: async () => 'single' as const,
    });
    expect(await tool('a')).toMatchObject({ type: 'executed', value: 'deleted a' });
    expect(ran).toEqual(['a']);
  });

  it('weak spot 12: findings stand in the order of edges and registration', async () => {
    const registry = createPolicyRegistry();
    for (const key of ['z', 'a', 'm']) registry.register({ key, ...EDGE }, () => ({ passed: true }));
    const { tool } = deleteTool({ policies: registry.freeze(), inbox: createMemoryInbox() });
    const outcome = await tool('a');
    expect(outcome.type === 'executed' && outcome.verdict.policies.map((finding) => finding.key)).toEqual([
      'z',
      'a',
      'm',
    ]);
  });
});
