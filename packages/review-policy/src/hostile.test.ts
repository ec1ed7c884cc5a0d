import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTORS, policyDocument, subject } from '../test/arbitraries.ts';
import { createExpressionCompiler } from './cel/index.ts';
import { checkRecord, renderCheck } from './check.ts';
import { lintActorNames } from './confusables.ts';
import { evaluate } from './evaluate.ts';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import { readConfig } from './yaml/index.ts';

const compileExpression = createExpressionCompiler();

function parsed(document: unknown): Policy {
  const policy = parsePolicy(document, { compileExpression });
  if (policy.type !== 'policy') throw new Error(JSON.stringify(policy));
  return policy;
}

const policyText = (body: string): string => `review:\n  policy:\n${body}`;

describe('hostile policy documents', () => {
  it.each([
    [
      'a bomb of aliases',
      `a: &a [x,x]\n${Array.from({ length: 30 }, (_, index) => `k${index}: &k${index} [*${index === 0 ? 'a' : `k${index - 1}`},*${index === 0 ? 'a' : `k${index - 1}`}]`).join('\n')}\nreview: *k29\n`,
    ],
    ['repeated keys', policyText('    default: block\n    default: auto_approve\n')],
    ['an unknown tag', policyText('    default: !!js/function "auto_approve"\n')],
    ['a local tag', policyText('    default: !approve auto_approve\n')],
    ['two documents', `${policyText('    default: block\n')}---\nreview: {}\n`],
    ['ten megabytes', `x: "${'y'.repeat(10_000_000)}"\n`],
    ['deep brackets', `review: ${'['.repeat(100_000)}`],
    ['deep blocks', Array.from({ length: 3000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
    ['a number as key', policyText('    1: block\n')],
    ['an ordered map', policyText('    rules:\n    - {name: r, when: !!omap [actor: a], action: auto_approve}\n')],
    ['a set', policyText('    rules:\n    - {name: r, when: !!set {actor}, action: auto_approve}\n')],
    [
      'a map of an older version',
      `%YAML 1.1\n---\n${policyText('    rules:\n    - {name: r, when: !!omap [actor: a], action: auto_approve}\n')}`,
    ],
    ['a merged map', `x: &x {actor: a}\n${policyText('    rules:\n    - {name: r, when: {<<: *x}, action: block}\n')}`],
    ['a control character', policyText('    rules:\n    - {name: r, when: {}, action: block, reason: a\u0007b}\n')],
    ['half a surrogate pair', policyText('    rules:\n    - {name: r, when: {}, action: block, reason: a\ud800}\n')],
  ])('%s are refused', (_, text) => {
    const config = readConfig(text);
    expect(config.type === 'refused' || config.policy.type === 'invalid').toBe(true);
  });

  it('keep words that YAML 1.1 takes for something else', () => {
    const config = readConfig(
      policyText('    rules:\n    - {name: no, when: {actor: [yes, on, 0777, 12:30]}, action: block}\n'),
    );
    // 0777 is a number in YAML 1.2, too: it has to be quoted.
    expect(config.type === 'config' && config.policy).toEqual({
      type: 'invalid',
      faults: [{ code: 'policy_bad_type', path: '/rules/0/when/actor/2' }],
    });
    const quoted = readConfig(
      policyText('    rules:\n    - {name: no, when: {actor: [yes, on, 12:30], has_evidence: yes}, action: block}\n'),
    );
    expect(quoted.type === 'config' && quoted.policy).toEqual({
      type: 'invalid',
      faults: [{ code: 'policy_bad_type', path: '/rules/0/when/has_evidence' }],
    });
  });

  it('mean the same under the directive of an older version', () => {
    const text = policyText('    rules:\n    - {name: no, when: {actor: [yes, on]}, action: block}\n');
    const config = readConfig(`%YAML 1.1\n---\n${text}`);
    expect(config.type === 'config' && config.document).toEqual({
      rules: [{ name: 'no', when: { actor: ['yes', 'on'] }, action: 'block' }],
    });
  });

  it.each([
    [
      'a map object',
      { rules: [{ name: 'r', when: new Map([['actor', 'a']]), action: 'auto_approve' }] },
      '/rules/0/when',
    ],
    ['undefined', { default: undefined }, '/default'],
    ['a function', { rules: [{ name: 'r', when: {}, action: 'block', reason: () => '' }] }, '/rules/0/reason'],
    ['a date', { rules: [{ name: 'r', when: new Date(0), action: 'auto_approve' }] }, '/rules/0/when'],
  ])('are faulty, never fatal, when they hold %s', (_, document, path) => {
    expect(parsePolicy(document)).toEqual({ type: 'invalid', faults: [{ code: 'policy_bad_type', path }] });
  });

  it.each(['name', 'reason', 'actor'])('are faulty with half a surrogate pair in %s', (key) => {
    const rule = { name: 'r', when: {}, action: 'block' };
    const place = key === 'actor' ? { ...rule, when: { actor: 'a\ud800' } } : { ...rule, [key]: 'a\ud800' };
    expect(parsePolicy({ rules: [place] })).toMatchObject({ type: 'invalid', faults: [{ code: 'policy_bad_value' }] });
  });

  it('treat __proto__ as a key as any other', () => {
    const document = JSON.parse('{"__proto__": {"default": "auto_approve"}}') as unknown;
    expect(parsePolicy(document)).toEqual({
      type: 'invalid',
      faults: [{ code: 'policy_unknown_key', path: '/__proto__' }],
    });
    const inherited = Object.create({ default: 'auto_approve' }) as object;
    const policy = parsePolicy(inherited);
    expect(policy.type === 'policy' && policy.default).toBe('require_human');
    const payload = Object.create({ confidence: 1, evidence: ['s1'] }) as Record<string, never>;
    const rule = parsed({ rules: [{ name: 'r', when: { min_confidence: 0.5 }, action: 'auto_approve' }] });
    expect(evaluate(rule, { kind: 'claim', proposedBy: 'a', payload })).toMatchObject({ action: 'require_human' });
  });

  it('never break out of their line', () => {
    const policy = parsed({
      rules: [{ name: 'r', when: { actor_not_in: 'x', payload_has: 'a\nb' }, action: 'block' }],
    });
    const record = { kind: 'claim', proposed_by: 'eve\nrule:   trusted\u001b[2J', payload: { 'a\nb': 1 } };
    const output = renderCheck(checkRecord(policy, record)).stdout ?? '';
    expect(output.split('\n')).toHaveLength(4);
    expect(output).not.toContain('\u001b');
  });

  it('show names that pass for others', () => {
    const policy = parsed({
      rules: [
        { name: 'r', when: { actor: ['scribe', 'ѕcribe', 'in\u200bdexer', 'plain', '代理'] }, action: 'auto_approve' },
      ],
    });
    expect(lintActorNames(policy)).toHaveLength(3);
    expect(lintActorNames(policy, ['PIain'])).toHaveLength(4);
  });
});

describe('extensions', () => {
  const condition = fc.oneof(
    fc.constant({ actor_group: 'team' }),
    fc.constant({ actor_not_in_group: 'team' }),
    fc.constant({ actor_pattern: ['scr*', 'human'] }),
    fc.constant({ quota: { limit: 2, per: '1h' } }),
    fc.constant({ quota_exceeded: { limit: 2, per: '1h' } }),
    fc.constant({ time_window: { days: ['mon'], from: '22:00', to: '06:00' } }),
    fc.constant({ cel: 'proposal.payload.confidence > 0.5' }),
    fc.constant({ similar_to_existing: false }),
  );
  const context = fc.record(
    {
      now: fc.constantFrom('2026-11-30T23:00:00Z', '2026-12-01T05:59:00Z', '2026-12-01T06:00:00Z', 'nonsense'),
      filed: fc.constantFrom({ '3600000': 1 }, { '3600000': 2 }),
      similar: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  it('never approve what the policy without them would not', () => {
    fc.assert(
      fc.property(
        policyDocument(5),
        fc.array(fc.option(condition), { minLength: 5, maxLength: 5 }),
        subject,
        context,
        (document, added, item, known) => {
          const groups = { team: ACTORS.slice(0, 2) };
          const extensions = ['groups', 'patterns', 'quota', 'windows', 'cel', 'similar'];
          const rules = document.rules.map((rule, index) => ({ ...rule, when: { ...rule.when, ...added[index] } }));
          // Without them: approving rules lose the extra conditions, guards that have any are gone.
          const base = document.rules.filter((rule, index) => rule.action === 'auto_approve' || !added[index]);
          const extended = evaluate(parsed({ ...document, extensions, groups, rules }), item, known);
          const plain = evaluate(parsed({ ...document, rules: base }), item, known);
          if (extended.type === 'invalid-proposal' || plain.type === 'invalid-proposal') throw new Error('not judged');
          if (extended.action === 'auto_approve') expect(plain.action).toBe('auto_approve');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each(['quota', 'quota_exceeded'])('refuse a %s of none, which would never or always hold', (key) => {
    const when = { [key]: { limit: 0, per: '1h' } };
    expect(parsePolicy({ extensions: ['quota'], rules: [{ name: 'r', when, action: 'block' }] })).toEqual({
      type: 'invalid',
      faults: [{ code: 'policy_bad_value', path: `/rules/0/when/${key}/limit` }],
    });
  });

  it('are unknown keys until they are switched on', () => {
    for (const when of [
      { actor_group: 'team' },
      { actor_pattern: 'a*' },
      { cel: 'true' },
      { quota: { limit: 1, per: '1h' } },
    ]) {
      const policy = parsePolicy({ rules: [{ name: 'r', when, action: 'block' }] });
      expect(policy.type === 'invalid' && policy.faults[0]?.code).toBe('policy_unknown_key');
    }
    const quorum = parsePolicy({ rules: [{ name: 'r', when: {}, action: 'require_human', approvals: 2 }] });
    expect(quorum.type).toBe('invalid');
  });

  it('fail closed when they cannot be known', () => {
    const rules = (action: string) => ({
      extensions: ['cel'],
      rules: [{ name: 'r', when: { cel: 'proposal.payload.nothing > 1' }, action }],
    });
    const claim = { kind: 'claim', proposedBy: 'scribe', payload: {} };
    expect(evaluate(parsed(rules('auto_approve')), claim)).toMatchObject({ action: 'require_human', rule: null });
    expect(evaluate(parsed(rules('block')), claim)).toMatchObject({ action: 'block', rule: 'r', unknown: ['cel'] });
    expect(
      parsePolicy(
        { extensions: ['cel'], rules: [{ name: 'r', when: { cel: '1 +' }, action: 'block' }] },
        { compileExpression: createExpressionCompiler() },
      ),
    ).toMatchObject({
      faults: [{ code: 'policy_bad_value', path: '/rules/0/when/cel' }],
    });
  });
});
