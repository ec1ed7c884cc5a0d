import type { Edge } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EDGE, policySet } from '../test/support/kit.ts';
import { createSmallGrounder, FILES } from '../test/support/small-grounder.ts';
import { type ConditionAnswer, decidePolicies, policyQuestions } from './decide.ts';
import { evaluatePolicies } from './gate.ts';
import { createPolicySet } from './policy-set.ts';
import type { GroundingFacts } from './read-grounding.ts';
import { createPolicyRegistry } from './registry.ts';

const edge: Edge = { source: 'delete', sourceDepth: 3, relation: 'applies-to', target: 'file', targetDepth: 2 };
const facts: GroundingFacts = { grounded: true, resolved: ['delete', 'file'], edges: [edge] };
const CALL = { id: 'c', tool: 't', arguments: {} };
const passed: ConditionAnswer = { type: 'passed', message: null };

describe('decidePolicies', () => {
  it('fires where an answer is missing', () => {
    const policies = policySet(() => ({ passed: true }));
    expect(decidePolicies({ facts, policies, cardinality: null, answers: [] })).toMatchObject({
      decision: 'block',
      reasons: [{ code: 'policy.no-call' }],
    });
    expect(decidePolicies({ facts, policies, cardinality: null, answers: [passed] })).toMatchObject({
      decision: 'allow',
    });
  });

  it('asks nothing and allows nothing over what is not grounded', () => {
    const policies = policySet(() => ({ passed: true }));
    const ungrounded = { ...facts, grounded: false };
    expect(policyQuestions(ungrounded, policies, null)).toEqual([]);
    expect(decidePolicies({ facts: ungrounded, policies, cardinality: null, answers: [passed] })).toMatchObject({
      decision: 'ungrounded',
      findings: [],
    });
  });

  it.each([
    ['multiple', 1],
    ['single', 0],
    ['SINGLE', 1],
    ['', 1],
    [null, 1],
  ])('with cardinality %s asks %i of a policy for several', (cardinality, asked) => {
    const policies = policySet(() => ({ passed: true }), { triggerCardinality: 'multiple' });
    expect(policyQuestions(facts, policies, cardinality)).toHaveLength(asked);
    const { findings } = decidePolicies({ facts, policies, cardinality, answers: [passed] });
    expect(findings.map((finding) => finding.outcome)).toEqual([asked === 1 ? 'passed' : 'skipped']);
  });

  it('keeps the names of edges apart however they are spelled', () => {
    const registry = createPolicyRegistry();
    registry.register({ key: 'a', source: 'x', target: '3y', sourceDepth: 3 }, () => ({ passed: true }));
    registry.register({ key: 'b', source: 'x3', target: 'y', sourceDepth: 3 }, () => ({ passed: true }));
    const on = (source: string, target: string) =>
      registry
        .freeze()
        .on({ source, sourceDepth: 3, target })
        .map((placement) => placement.key);
    expect([on('X', '3Y'), on('x3', 'Y'), on('x', 'y')]).toEqual([['a'], ['b'], []]);
  });

  it('never becomes more permissive when an answer turns or a policy is added', () => {
    const order = ['allow', 'confirm', 'block'];
    const answer = fc.constantFrom<ConditionAnswer['type']>(
      'passed',
      'fired',
      'error',
      'timeout',
      'bad-answer',
      'no-call',
    );
    const placement = fc.record({ confirm: fc.boolean(), answer });
    fc.assert(
      fc.property(fc.array(placement, { minLength: 1, maxLength: 5 }), fc.nat(4), (placements, index) => {
        const decide = (given: typeof placements) => {
          const registry = createPolicyRegistry();
          for (const [at, { confirm }] of given.entries()) {
            registry.register({ key: `p${at}`, ...EDGE, requiresConfirmation: confirm }, () => ({ passed: true }));
          }
          const answers = given.map(({ answer: type }) => ({ type, message: null }));
          const policies = registry.freeze();
          return order.indexOf(decidePolicies({ facts, policies, cardinality: null, answers }).decision);
        };
        const all = decide(placements);
        expect(decide(placements.slice(0, -1))).toBeLessThanOrEqual(all);
        const turned = placements.map((given, at) => (at === index ? { ...given, answer: 'fired' as const } : given));
        expect(decide(turned)).toBeGreaterThanOrEqual(all);
        expect(all === 0).toBe(placements.every((given) => given.answer === 'passed'));
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});

describe('evaluatePolicies', () => {
  const grounder = createSmallGrounder(FILES);

  it('fires every policy without a call', async () => {
    const grounding = await grounder.check({ concepts: ['delete', 'file'] });
    const policies = policySet(() => ({ passed: true }));
    expect(await evaluatePolicies({ grounding, policies })).toMatchObject({
      decision: 'block',
      reasons: [{ code: 'policy.no-call' }],
    });
    expect(await evaluatePolicies({ grounding, policies, call: CALL })).toMatchObject({ decision: 'allow' });
  });

  it.each([['text'], [1], [null], [undefined], [[]]])('fires on an expression that gives %s', async (value) => {
    const grounding = await grounder.check({ concepts: ['delete', 'file'] });
    const [placement] = policySet(() => ({ passed: true })).placements;
    if (placement === undefined) throw new Error('no placement');
    const condition = { type: 'expression' as const, text: 'x', evaluate: () => value };
    const policies = createPolicySet([{ ...placement, condition }]);
    expect(await evaluatePolicies({ grounding, policies, call: CALL })).toMatchObject({
      decision: 'block',
      reasons: [{ code: 'policy.condition-error', data: { cause: 'bad-answer', condition: 'x' } }],
    });
  });

  it('stops when it is aborted while a callback is awaited', async () => {
    const grounding = await grounder.check({ concepts: ['delete', 'file'] });
    const controller = new AbortController();
    const policies = policySet(() => new Promise<never>(() => undefined));
    const running = evaluatePolicies({ grounding, policies, call: CALL, signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'POLICY_ABORTED' });
  });
});
