import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { action, type PolicyDocument, policyDocument, subject } from '../test/arbitraries.ts';
import { plainDecision, plainHolds } from '../test/plain-evaluator.ts';
import { diffPolicies } from './diff.ts';
import { evaluate } from './evaluate.ts';
import { lint } from './lint.ts';
import { outcome } from './lint-rules.ts';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import type { Subject } from './proposal.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;

function parsed(document: unknown): Policy {
  const policy = parsePolicy(document);
  if (policy.type !== 'policy') throw new Error(`faulty: ${JSON.stringify(policy)}`);
  return policy;
}

function actionOf(policy: Policy, item: Subject): string {
  const decision = evaluate(policy, item);
  if (decision.type === 'invalid-proposal') throw new Error('not judged');
  return decision.action;
}

describe('laws of the engine', () => {
  it('decides as a plain reading of the rules does', () => {
    const known = fc.option(fc.constantFrom(new Set<string>(), new Set(['s1']), new Set(['s1', 'c1'])));
    fc.assert(
      fc.property(policyDocument(), subject, known, (document, item, knownIds) => {
        const context = knownIds === null ? {} : { knownIds };
        const wanted = plainDecision(document, item, knownIds ?? undefined);
        expect(evaluate(parsed(document), item, context)).toMatchObject(wanted);
      }),
      { numRuns: soak ? 100_000 : 1_000 },
    );
  });

  it('finds no difference between a policy and itself', () => {
    fc.assert(
      fc.property(policyDocument(), (document) => {
        expect(diffPolicies(parsed(document), parsed(document))).toEqual({ type: 'equivalent' });
      }),
    );
  });

  it('finds a witness for every edit that changes a decision, and each witness shows it', () => {
    fc.assert(
      fc.property(
        policyDocument(5),
        fc.nat(),
        action,
        fc.constantFrom('drop', 'swap', 'action', 'default'),
        fc.array(subject, { minLength: 30, maxLength: 60 }),
        (document, at, replacement, edit, items) => {
          const before = parsed(document);
          const after = parsed(edited(document, edit, at, replacement));
          const difference = diffPolicies(before, after);
          const seen = items.some((item) => actionOf(before, item) !== actionOf(after, item));
          if (seen) expect(difference.type).toBe('different');
          if (difference.type !== 'different') return;
          for (const { proposal, context, before: left, after: right } of difference.differences) {
            expect(evaluate(before, proposal, context)).toMatchObject({ action: left.action, rule: left.rule });
            expect(evaluate(after, proposal, context)).toMatchObject({ action: right.action, rule: right.rule });
          }
        },
      ),
      { numRuns: soak ? 20_000 : 400 },
    );
  });

  it('never sees a rule decide that lint calls unreachable, nor an action change by dropping a redundant one', () => {
    fc.assert(
      fc.property(policyDocument(), fc.array(subject, { minLength: 100, maxLength: 200 }), (document, items) => {
        const policy = parsed(document);
        const found = (code: string): readonly number[] =>
          lint(policy).findings.flatMap((item) => (item.code === code ? [Number(item.path.split('/')[2])] : []));
        const dead = [...found('policy_unreachable_rule'), ...found('policy_unsatisfiable_rule')];
        const names = new Set(dead.map((index) => policy.rules[index]?.name));
        const redundant = found('policy_redundant_rule');
        for (const item of items) {
          const decision = evaluate(policy, item);
          if (decision.type !== 'invalid-proposal' && decision.rule !== null) {
            expect(names.has(decision.rule)).toBe(false);
          }
          for (const index of redundant) {
            const without = parsed({ ...document, rules: document.rules.filter((_, other) => other !== index) });
            expect(actionOf(without, item)).toBe(actionOf(policy, item));
          }
        }
      }),
      { numRuns: soak ? 5_000 : 100 },
    );
  });

  it('lets the order of two neighbours matter only where both take a proposal', () => {
    fc.assert(
      fc.property(policyDocument(5), fc.nat(), (document, at) => {
        if (document.rules.length < 2) return;
        const before = parsed(document);
        const after = parsed(edited(document, 'swap', at, 'block'));
        const difference = diffPolicies(before, after);
        if (difference.type !== 'different') return;
        for (const { proposal, context } of difference.differences) {
          const known = context.knownIds as ReadonlySet<string> | undefined;
          const taking = before.rules.filter((_, index) =>
            plainHolds(
              (document.rules[index] as PolicyDocument['rules'][number]).when as object as { [key: string]: unknown },
              proposal,
              known,
            ),
          );
          expect(new Set(taking.map(outcome)).size).toBeGreaterThan(1);
        }
      }),
    );
  });
});

function edited(document: PolicyDocument, edit: string, at: number, replacement: string): PolicyDocument {
  const rules = [...document.rules];
  const index = rules.length === 0 ? 0 : at % rules.length;
  const rule = rules[index];
  if (edit === 'default' || rule === undefined) return { ...document, default: replacement };
  if (edit === 'drop') rules.splice(index, 1);
  else if (edit === 'action') rules[index] = { ...rule, action: replacement };
  else {
    const next = (index + 1) % rules.length;
    rules[index] = rules[next] ?? rule;
    rules[next] = rule;
  }
  return { ...document, rules };
}
