import { decide, type EvaluationContext, type InvalidProposal, type PolicyDecision } from './evaluate.ts';
import { DEFAULT_KINDS } from './kinds.ts';
import type { Action, ParsedPolicy, Policy, Rule } from './policy.ts';
import { isJudgeable, type Subject, subjectFaults } from './proposal.ts';
import { type Case, type RuleTest, testsOf } from './rule-tests.ts';
import { showName } from './text.ts';

/** How one condition of one rule fared. `not-reached`: an earlier condition of the rule failed, or an earlier rule decided. */
export type ConditionTrace = {
  readonly condition: string;
  readonly outcome: 'held' | 'failed' | 'unknown' | 'not-reached';
};

export type RuleTrace = {
  readonly rule: string;
  readonly action: Action;
  readonly outcome: 'decided' | 'passed-over' | 'not-reached';
  readonly conditions: readonly ConditionTrace[];
  /** What the condition found on which the rule failed, and what would make it hold; `null` when none failed. */
  readonly failure: { readonly condition: string; readonly found: string; readonly remedy: string } | null;
};

/** A decision with everything that led to it. */
export type Explanation = {
  readonly type: 'explained';
  readonly decision: PolicyDecision;
  readonly rules: readonly RuleTrace[];
  /** For each other action that the policy knows: what would have to change for the rule that is nearest to it. */
  readonly alternatives: readonly Alternative[];
};

export type Alternative = {
  readonly action: Action;
  /** `null`: the default. */
  readonly rule: string | null;
  readonly changes: readonly string[];
};

/** As `evaluate`, with each rule and condition that was looked at. */
export function explain(
  policy: ParsedPolicy,
  subject: Subject,
  context: EvaluationContext = {},
): Explanation | InvalidProposal {
  const kinds = policy.type === 'policy' ? policy.kinds : DEFAULT_KINDS;
  const profile = kinds.get(subject.kind);
  if (profile === undefined || !isJudgeable(subject, profile)) {
    return { type: 'invalid-proposal', paths: subjectFaults(subject, kinds) };
  }
  const decision = decide(policy, subject, profile, context);
  if (policy.type !== 'policy') return { type: 'explained', decision, rules: [], alternatives: [] };
  return explainDecision(policy, decision, { subject, profile, context });
}

// What can be prepared for a rule: its tests, and its conditions as they look when it fails at each of them.
type Prepared = {
  readonly rule: Rule;
  readonly tests: readonly RuleTest[];
  readonly notReached: RuleTrace;
  readonly failedAt: readonly (readonly ConditionTrace[])[];
};

const prepared = new WeakMap<Policy, readonly Prepared[]>();

function prepare(policy: Policy): readonly Prepared[] {
  const known = prepared.get(policy);
  if (known !== undefined) return known;
  const made = policy.rules.map(prepareRule);
  prepared.set(policy, made);
  return made;
}

function prepareRule(rule: Rule): Prepared {
  const tests = testsOf(rule);
  const conditions = (at: number): readonly ConditionTrace[] =>
    tests.map(({ condition }, index) => ({
      condition,
      outcome: index < at ? 'held' : index === at ? 'failed' : 'not-reached',
    }));
  const failedAt = [...tests.keys(), tests.length].map(conditions);
  return {
    rule,
    tests,
    failedAt,
    notReached: {
      rule: rule.name,
      action: rule.action,
      outcome: 'not-reached',
      conditions: conditions(-1),
      failure: null,
    },
  };
}

// What is unknown counts as held where the rule guards, as failed where it approves.
function isSatisfied(test: RuleTest, rule: Rule, of: Case): boolean {
  const truth = test.run(of);
  return truth === 'held' || (truth === 'unknown' && rule.action !== 'auto_approve');
}

function explainDecision(policy: Policy, decision: PolicyDecision, of: Case): Explanation {
  const rules = prepare(policy);
  const traces: RuleTrace[] = [];
  let deciding = -1;
  for (let index = 0; index < rules.length; index += 1) {
    const item = rules[index] as Prepared;
    if (deciding >= 0) {
      traces.push(item.notReached);
      continue;
    }
    const trace = traceRule(item, of);
    if (trace.outcome === 'decided') deciding = index;
    traces.push(trace);
  }
  return {
    type: 'explained',
    decision,
    rules: traces,
    alternatives: alternatives(policy, rules, decision, deciding, of),
  };
}

function traceRule(item: Prepared, of: Case): RuleTrace {
  const { rule, tests } = item;
  const at = tests.findIndex((test) => !isSatisfied(test, rule, of));
  const failing = at < 0 ? undefined : tests[at];
  const known = item.failedAt[at < 0 ? tests.length : at] as readonly ConditionTrace[];
  return {
    rule: rule.name,
    action: rule.action,
    outcome: failing === undefined ? 'decided' : 'passed-over',
    conditions: rule.extended.length === 0 ? known : withUnknown(known, tests, of),
    failure:
      failing === undefined ? null : { condition: failing.condition, found: failing.found(of), remedy: failing.remedy },
  };
}

function withUnknown(
  traces: readonly ConditionTrace[],
  tests: readonly RuleTest[],
  of: Case,
): readonly ConditionTrace[] {
  return traces.map((trace, index) => {
    if (trace.outcome === 'not-reached') return trace;
    return { condition: trace.condition, outcome: (tests[index] as RuleTest).run(of) };
  });
}

const ACTIONS: readonly Action[] = ['auto_approve', 'require_human', 'block'];

function alternatives(
  policy: Policy,
  rules: readonly Prepared[],
  decision: PolicyDecision,
  deciding: number,
  of: Case,
): readonly Alternative[] {
  const found: Alternative[] = [];
  for (const action of ACTIONS) {
    if (action === decision.action) continue;
    const nearest = nearestRule(rules, action, of);
    if (nearest === null && policy.default !== action) continue;
    const index = nearest?.index ?? rules.length;
    const blocked =
      deciding >= 0 && index > deciding ? [`rule ${showName(decision.rule as string)} must not hold`] : [];
    const changes = [...(nearest?.failed.map((test) => test.remedy) ?? []), ...blocked];
    found.push({ action, rule: nearest === null ? null : (rules[index] as Prepared).rule.name, changes });
  }
  return found;
}

// The rule of the action with fewest conditions that do not hold; the first of equals.
function nearestRule(
  rules: readonly Prepared[],
  action: Action,
  of: Case,
): { readonly index: number; readonly failed: readonly RuleTest[] } | null {
  let best = -1;
  let fewest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < rules.length; index += 1) {
    const item = rules[index] as Prepared;
    if (item.rule.action !== action) continue;
    let count = 0;
    for (const test of item.tests) {
      if (!isSatisfied(test, item.rule, of)) count += 1;
      if (count >= fewest) break;
    }
    if (count < fewest) {
      fewest = count;
      best = index;
    }
  }
  if (best < 0) return null;
  const item = rules[best] as Prepared;
  return { index: best, failed: item.tests.filter((test) => !isSatisfied(test, item.rule, of)) };
}
