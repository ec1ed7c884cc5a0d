import { expect, it } from 'vitest';
import { lint } from './lint.ts';
import { parsePolicy } from './parse-policy.ts';

function codes(...rules: readonly object[]): readonly string[] {
  const findings = lint(parsePolicy({ rules })).findings;
  return findings.map(({ code, path }) => `${code} ${path}`);
}

const trusted = { name: 'trusted', when: { actor: 'scribe' }, action: 'auto_approve' };
const guard = { name: 'guard', when: { kind: 'claim' }, action: 'require_human' };

it('a guard is overridden by an approving rule before it, not by one whose share others took first', () => {
  expect(codes(trusted, guard)).toContain('policy_guard_overridden /rules/1');
  expect(codes(guard, trusted)).not.toContain('policy_guard_overridden /rules/0');
  const first = { name: 'first', when: { kind: 'claim', actor: 'scribe' }, action: 'block', reason: 'r' };
  const found = codes(first, trusted, guard);
  expect(found).not.toContain('policy_guard_overridden /rules/2');
  expect(found.some((code) => code.startsWith('policy_unreachable_rule'))).toBe(false);
});

it('rules that together take everything leave nothing for the next', () => {
  const low = { name: 'low', when: { kind: 'claim', max_confidence: 0.5 }, action: 'require_human' };
  const high = { name: 'high', when: { kind: 'claim', min_confidence: 0.5 }, action: 'require_human' };
  const any = { name: 'any', when: { kind: 'claim', min_confidence: 0 }, action: 'block', reason: 'r' };
  expect(codes(low, high, any)).toContain('policy_unreachable_rule /rules/2');
  expect(codes(low, { ...high, when: { kind: 'claim', min_confidence: 0.51 } }, any)).not.toContain(
    'policy_unreachable_rule /rules/2',
  );
});
