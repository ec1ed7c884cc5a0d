import { type Case, type CompiledRule, caseOf, compile } from './compiled.ts';
import { type Condition, type EvaluationContext, holds } from './conditions.ts';
import { decide, decisionBy, decisionByDefault, type InvalidProposal, type PolicyDecision } from './evaluate.ts';
import { DEFAULT_KINDS, type KindProfile } from './kinds.ts';
import { ACTIONS, type Action, type ParsedPolicy, type Policy, type Rule } from './policy.ts';
import { isJudgeable, type Subject, subjectFaults } from './proposal.ts';
import { failedTests, type RuleTest, testsOf } from './rule-tests.ts';
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
  return explainAs(policy, subject, profile, context);
}

/** As `explain`, for a proposal that can be judged, with the profile of its kind. */
export function explainAs(
  policy: ParsedPolicy,
  subject: Subject,
  profile: KindProfile,
  context: EvaluationContext,
): Explanation {
  if (policy.type === 'policy') return explainPolicy(policy, caseOf(compile(policy), subject, profile, context));
  return { type: 'explained', decision: decide(policy, subject, profile, context), rules: [], alternatives: [] };
}

// What can be prepared for a rule: its tests, and its conditions as they look when it fails at each of them.
type Prepared = {
  readonly compiled: CompiledRule;
  /** Place of its action in `ACTIONS`. */
  readonly slot: number;
  readonly tests: readonly RuleTest[];
  /** Place of a test by the number of its bit. */
  readonly places: readonly number[];
  readonly notReached: RuleTrace;
  readonly failedAt: readonly (readonly ConditionTrace[])[];
};

const FAR = 99;
const prepared = new WeakMap<Policy, readonly Prepared[]>();

function prepare(policy: Policy): readonly Prepared[] {
  const known = prepared.get(policy);
  if (known !== undefined) return known;
  const made = compile(policy).rules.map(prepareRule);
  prepared.set(policy, made);
  return made;
}

function prepareRule(compiled: CompiledRule): Prepared {
  const { rule } = compiled;
  const tests = testsOf(rule);
  const conditions = (at: number): readonly ConditionTrace[] =>
    tests.map(({ condition }, index) => ({
      condition,
      outcome: index < at ? 'held' : index === at ? 'failed' : 'not-reached',
    }));
  const places: number[] = [];
  for (const [index, { bit }] of tests.entries()) places[31 - Math.clz32(bit)] = index;
  return {
    compiled,
    slot: ACTIONS.indexOf(rule.action),
    tests,
    places,
    failedAt: [...tests.keys(), tests.length].map(conditions),
    notReached: {
      rule: rule.name,
      action: rule.action,
      outcome: 'not-reached',
      conditions: conditions(-1),
      failure: null,
    },
  };
}

/** For each action, in the order of `ACTIONS`: the rule with fewest conditions that do not hold (the first of equals) or -1, and these conditions. */
type Nearest = { readonly rules: number[]; readonly failed: number[]; readonly counts: number[] };

// One pass over all conditions gives the traces and the nearest rule of each action.
function explainPolicy(policy: Policy, of: Case): Explanation {
  const rules = prepare(policy);
  const traces: RuleTrace[] = [];
  const nearest: Nearest = { rules: [-1, -1, -1], failed: [0, 0, 0], counts: [FAR, FAR, FAR] };
  const holding: number[] = [];
  for (let index = 0; index < rules.length; index += 1) {
    const item = rules[index] as Prepared;
    const failed = failedTests(item.compiled, of);
    const count = countBits(failed);
    if (count < (nearest.counts[item.slot] as number)) {
      nearest.rules[item.slot] = index;
      nearest.failed[item.slot] = failed;
      nearest.counts[item.slot] = count;
    }
    traces.push(holding.length > 0 ? item.notReached : traceRule(item, failed, of));
    if (failed === 0) holding.push(index);
  }
  const deciding = rules[holding[0] ?? -1]?.compiled;
  const decision =
    deciding === undefined ? decisionByDefault(policy, of.context) : decisionBy(compile(policy), deciding, of);
  return { type: 'explained', decision, rules: traces, alternatives: alternatives(policy, nearest, holding, decision) };
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

function traceRule(item: Prepared, failed: number, of: Case): RuleTrace {
  const { rule } = item.compiled;
  // The lowest bit belongs to the condition that is tried first.
  const at = failed === 0 ? item.tests.length : (item.places[31 - Math.clz32(failed & -failed)] as number);
  const failing = item.tests[at];
  const known = item.failedAt[at] as readonly ConditionTrace[];
  return {
    rule: rule.name,
    action: rule.action,
    outcome: failing === undefined ? 'decided' : 'passed-over',
    conditions: rule.extended.length === 0 ? known : withUnknown(known, rule, of),
    failure:
      failing === undefined ? null : { condition: failing.condition, found: failing.found(of), remedy: failing.remedy },
  };
}

// Conditions of extensions, which come last, may also be unknown.
function withUnknown(traces: readonly ConditionTrace[], rule: Rule, of: Case): readonly ConditionTrace[] {
  const first = traces.length - rule.extended.length;
  return traces.map((trace, index) => {
    if (index < first || trace.outcome === 'not-reached') return trace;
    const outcome = holds(rule.extended[index - first] as Condition, of.subject, of.context);
    return { condition: trace.condition, outcome };
  });
}

function alternatives(
  policy: Policy,
  nearest: Nearest,
  holding: readonly number[],
  decision: PolicyDecision,
): readonly Alternative[] {
  const rules = prepare(policy);
  const found: Alternative[] = [];
  for (let slot = 0; slot < ACTIONS.length; slot += 1) {
    const action = ACTIONS[slot] as Action;
    if (action === decision.action) continue;
    const index = nearest.rules[slot] as number;
    if (index < 0 && policy.default !== action) continue;
    const item = rules[index];
    const changes: string[] = [];
    for (const test of item?.tests ?? []) {
      if (((nearest.failed[slot] as number) & test.bit) !== 0) changes.push(test.remedy);
    }
    // Those before it that take the proposal as it is; those of the same action do no harm.
    for (const earlier of holding) {
      const { rule } = (rules[earlier] as Prepared).compiled;
      if (index >= 0 && earlier > index) break;
      if (rule.action !== action) changes.push(`rule ${showName(rule.name)} must not hold`);
    }
    found.push({ action, rule: item?.compiled.rule.name ?? null, changes });
  }
  return found;
}
