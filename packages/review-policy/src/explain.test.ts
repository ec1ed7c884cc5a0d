import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyDocument, subject } from '../test/arbitraries.ts';
import { evaluate } from './evaluate.ts';
import { explain } from './explain.ts';
import { parsePolicy } from './parse-policy.ts';

const policy = parsePolicy({
  rules: [
    { name: 'sure', when: { actor: 'scribe', min_confidence: 0.8, has_evidence: true }, action: 'auto_approve' },
    { name: 'weak', when: { max_confidence: 0.4 }, action: 'block', reason: 'weak' },
    { name: 'late', when: { kind: 'claim' }, action: 'require_human' },
  ],
});
const claim = (confidence: number, evidence: readonly string[]) => ({
  kind: 'claim',
  proposedBy: 'scribe',
  payload: { confidence, evidence },
});

describe('an explanation', () => {
  it('shows which conditions held, failed and were not reached, and what would change the outcome', () => {
    const explained = explain(policy, claim(0.5, ['s1', 's9']), { knownIds: new Set(['s1']) });
    if (explained.type !== 'explained') throw new Error('not judged');
    expect(explained.rules.map((rule) => [rule.rule, rule.outcome])).toEqual([
      ['sure', 'passed-over'],
      ['weak', 'passed-over'],
      ['late', 'decided'],
    ]);
    expect(explained.rules[0]?.conditions.map((item) => item.outcome)).toEqual(['held', 'failed', 'not-reached']);
    expect(explained.rules[0]?.failure).toEqual({
      condition: 'min_confidence: 0.8',
      found: '0.5',
      remedy: 'confidence at least 0.8',
    });
    expect(explained.alternatives).toEqual([
      {
        action: 'auto_approve',
        rule: 'sure',
        changes: ['confidence at least 0.8', 'evidence of which every entry is known'],
      },
      { action: 'block', rule: 'weak', changes: ['confidence at most 0.4'] },
    ]);
  });

  it('names the evidence that is not known', () => {
    const explained = explain(policy, claim(0.9, ['s1', 's9']), { knownIds: new Set(['s1']) });
    if (explained.type !== 'explained') throw new Error('not judged');
    expect(explained.rules[0]?.failure?.found).toBe('not known: s9');
  });

  it('says that the deciding rule stands in the way of a later one', () => {
    const explained = explain(policy, claim(0.9, ['s1']));
    if (explained.type !== 'explained') throw new Error('not judged');
    expect(explained.alternatives[0]).toEqual({
      action: 'require_human',
      rule: 'late',
      changes: ['rule sure must not hold'],
    });
    expect(explained.rules[2]?.conditions).toEqual([{ condition: 'kind: claim', outcome: 'not-reached' }]);
  });

  it('names every rule that stands in the way, those of the same action apart', () => {
    const crowded = parsePolicy({
      default: 'block',
      rules: [
        { name: 'first', when: { kind: 'claim' }, action: 'require_human' },
        { name: 'second', when: { actor: 'scribe' }, action: 'require_human' },
        { name: 'third', when: { min_confidence: 0.8 }, action: 'auto_approve' },
      ],
    });
    const explained = explain(crowded, claim(0.5, []));
    if (explained.type !== 'explained') throw new Error('not judged');
    expect(explained.alternatives).toEqual([
      {
        action: 'auto_approve',
        rule: 'third',
        changes: ['confidence at least 0.8', 'rule first must not hold', 'rule second must not hold'],
      },
      { action: 'block', rule: null, changes: ['rule first must not hold', 'rule second must not hold'] },
    ]);
  });

  it('agrees with the decision for every policy and proposal', () => {
    fc.assert(
      fc.property(policyDocument(), subject, (document, item) => {
        const parsed = parsePolicy(document);
        const explained = explain(parsed, item);
        const decision = evaluate(parsed, item);
        if (explained.type !== 'explained') throw new Error('not judged');
        expect(explained.decision).toEqual(decision);
        const deciding = explained.rules.filter((rule) => rule.outcome === 'decided').map((rule) => rule.rule);
        expect(deciding).toEqual(decision.type === 'decided' && decision.rule !== null ? [decision.rule] : []);
      }),
    );
  });
});
