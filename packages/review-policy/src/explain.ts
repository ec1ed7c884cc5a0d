import { decide, type EvaluationContext, type InvalidProposal, type PolicyDecision } from './evaluate.ts';
import { DEFAULT_KINDS } from './kinds.ts';
import { ACTIONS, type Action, type ParsedPolicy, type Policy, type Rule } from './policy.ts';
import { isJudgeable, type Subject, subjectFaults } from './proposal.ts';
import { type Case, caseOf, type RuleTest, testsOf } from './rule-tests.ts';
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
  return explainAs(policy, caseOf(subject, profile, context));
}

/** As `explain`, for a proposal that can be judged, with the profile of its kind. */
export function explainAs(policy: ParsedPolicy, of: Case): Explanation {
  const decision = decide(policy, of.subject, of.profile, of.context);
  if (policy.type !== 'policy') return { type: 'explained', decision, rules: [], alternatives: [] };
  return explainDecision(policy, decision, of);
}

// What can be prepared for a rule: its tests, and its conditions as they look when it fails at each of them.
type Prepared = {
  readonly rule: Rule;
  /** Place of its action in `ACTIONS`. */
  readonly slot: number;
  readonly tests: readonly RuleTest[];
  readonly notReached: RuleTrace;
  readonly failedAt: readonly (readonly ConditionTrace[])[];
};

const FAR = Number.POSITIVE_INFINITY;
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
    slot: ACTIONS.indexOf(rule.action),
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

/** For each action, in the order of `ACTIONS`, the rule with fewest conditions that do not hold (the first of equals), or -1. */
type Nearest = { readonly rules: number[]; readonly failures: number[] };

// One pass over all conditions gives the traces and the nearest rule of each action.
function explainDecision(policy: Policy, decision: PolicyDecision, of: Case): Explanation {
  const rules = prepare(policy);
  const traces: RuleTrace[] = [];
  const nearest: Nearest = { rules: [-1, -1, -1], failures: [FAR, FAR, FAR] };
  let deciding = -1;
  for (let index = 0; index < rules.length; index += 1) {
    const item = rules[index] as Prepared;
    const limit = nearest.failures[item.slot] as number;
    const first = firstFailure(item, of, 0);
    const failures = first < 0 ? 0 : failuresFrom(item, of, first, limit);
    if (failures < limit) {
      nearest.rules[item.slot] = index;
      nearest.failures[item.slot] = failures;
    }
    if (deciding >= 0) {
      traces.push(item.notReached);
      continue;
    }
    if (first < 0) deciding = index;
    traces.push(traceRule(item, first, of));
  }
  const found = alternatives({ policy, rules, nearest, deciding }, decision, of);
  return { type: 'explained', decision, rules: traces, alternatives: found };
}

function firstFailure({ tests, rule }: Prepared, of: Case, from: number): number {
  for (let index = from; index < tests.length; index += 1) {
    if (!isSatisfied(tests[index] as RuleTest, rule, of)) return index;
  }
  return -1;
}

// Counting stops where the rule is no longer nearer than the best one.
function failuresFrom(item: Prepared, of: Case, first: number, limit: number): number {
  let failures = 1;
  for (let at = firstFailure(item, of, first + 1); at >= 0 && failures < limit; failures += 1) {
    at = firstFailure(item, of, at + 1);
  }
  return failures;
}

function traceRule(item: Prepared, at: number, of: Case): RuleTrace {
  const { rule, tests } = item;
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

function alternatives(
  from: {
    readonly policy: Policy;
    readonly rules: readonly Prepared[];
    readonly nearest: Nearest;
    readonly deciding: number;
  },
  decision: PolicyDecision,
  of: Case,
): readonly Alternative[] {
  const found: Alternative[] = [];
  for (let slot = 0; slot < ACTIONS.length; slot += 1) {
    const action = ACTIONS[slot] as Action;
    if (action === decision.action) continue;
    const nearest = from.nearest.rules[slot] as number;
    const index = nearest < 0 ? undefined : nearest;
    if (index === undefined && from.policy.default !== action) continue;
    const item = index === undefined ? undefined : from.rules[index];
    const changes: string[] = [];
    for (const test of item?.tests ?? []) {
      if (!isSatisfied(test, (item as Prepared).rule, of)) changes.push(test.remedy);
    }
    if (from.deciding >= 0 && (index ?? from.rules.length) > from.deciding) {
      changes.push(`rule ${showName(decision.rule as string)} must not hold`);
    }
    found.push({ action, rule: item?.rule.name ?? null, changes });
  }
  return found;
}
