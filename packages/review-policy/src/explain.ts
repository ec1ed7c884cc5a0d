import { holds } from './conditions.ts';
import {
  confidenceOf,
  type EvaluationContext,
  evaluate,
  hasClaimType,
  hasEvidence,
  type InvalidProposal,
  isSet,
  type PolicyDecision,
} from './evaluate.ts';
import type { KindProfile } from './kinds.ts';
import type { Action, ParsedPolicy, Policy, Rule } from './policy.ts';
import type { Subject } from './proposal.ts';
import { isBlank, showName } from './text.ts';

/** How one condition of one rule fared. `not-reached`: an earlier condition of the rule failed, or an earlier rule decided. */
export type ConditionTrace = {
  readonly condition: string;
  readonly outcome: 'held' | 'failed' | 'unknown' | 'not-reached';
  /** What was found; absent when not reached. */
  readonly found?: string;
  /** What would make a failed condition hold. */
  readonly remedy?: string;
};

export type RuleTrace = {
  readonly rule: string;
  readonly action: Action;
  readonly outcome: 'decided' | 'passed-over' | 'not-reached';
  readonly conditions: readonly ConditionTrace[];
};

/** A decision with everything that led to it. */
export type Explanation = {
  readonly type: 'explained';
  readonly decision: PolicyDecision;
  readonly rules: readonly RuleTrace[];
  /** For each other action: what would have to change for the rule that is nearest to it. */
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
  const decision = evaluate(policy, subject, context);
  if (decision.type === 'invalid-proposal') return decision;
  if (policy.type !== 'policy') return { type: 'explained', decision, rules: [], alternatives: [] };
  const rules = traceRules(policy, subject, context);
  return { type: 'explained', decision, rules, alternatives: alternativesOf(policy, decision, { subject, context }) };
}

/** Each rule with its conditions, in the order in which they were tried. */
export function traceRules(policy: Policy, subject: Subject, context: EvaluationContext): readonly RuleTrace[] {
  const profile = policy.kinds.get(subject.kind) as KindProfile;
  let hasDecided = false;
  return policy.rules.map((rule): RuleTrace => {
    if (hasDecided)
      return { rule: rule.name, action: rule.action, outcome: 'not-reached', conditions: notReached(rule) };
    const conditions = traceConditions(rule, { subject, profile, context });
    hasDecided = conditions.every((trace) => isSatisfied(trace, rule));
    return { rule: rule.name, action: rule.action, outcome: hasDecided ? 'decided' : 'passed-over', conditions };
  });
}

type Case = { readonly subject: Subject; readonly profile: KindProfile; readonly context: EvaluationContext };
type Test = { readonly condition: string; readonly run: (of: Case) => Omit<ConditionTrace, 'condition'> };

const ORDER: readonly ((rule: Rule) => Test | null)[] = [
  (rule) => rule.kinds && { condition: list('kind', rule.kinds), run: (of) => testKind(rule, of) },
  (rule) => rule.actors && { condition: list('actor', rule.actors), run: (of) => testActor(rule, of) },
  (rule) => rule.notActors && { condition: list('actor_not_in', rule.notActors), run: (of) => testNotActor(rule, of) },
  (rule) => rule.claimTypes && { condition: list('claim_type', rule.claimTypes), run: (of) => testType(rule, of) },
  (rule) => bound('min_confidence', rule.minConfidence, (value, limit) => value >= limit),
  (rule) => bound('max_confidence', rule.maxConfidence, (value, limit) => value <= limit),
  (rule) =>
    rule.hasEvidence === null
      ? null
      : { condition: `has_evidence: ${String(rule.hasEvidence)}`, run: (of) => testEvidence(rule, of) },
  (rule) => rule.payloadHas && { condition: list('payload_has', rule.payloadHas), run: (of) => testKeys(rule, of) },
];

function testsOf(rule: Rule): readonly Test[] {
  const plain = ORDER.map((make) => make(rule)).filter((test) => test !== null);
  const extended = rule.extended.map(
    (condition): Test => ({
      condition: condition.type === 'cel' ? `cel: ${showName(condition.source)}` : condition.type,
      run: ({ subject, context }) => ({ outcome: holds(condition, subject, context) }),
    }),
  );
  return [...plain, ...extended];
}

function traceConditions(rule: Rule, of: Case): readonly ConditionTrace[] {
  let hasFailed = false;
  return testsOf(rule).map((test): ConditionTrace => {
    if (hasFailed) return { condition: test.condition, outcome: 'not-reached' };
    const trace = { condition: test.condition, ...test.run(of) };
    hasFailed = !isSatisfied(trace, rule);
    return trace;
  });
}

// What is unknown counts as held where the rule guards, as failed where it approves.
function isSatisfied(trace: ConditionTrace, rule: Rule): boolean {
  return trace.outcome === 'held' || (trace.outcome === 'unknown' && rule.action !== 'auto_approve');
}

function notReached(rule: Rule): readonly ConditionTrace[] {
  return testsOf(rule).map((test) => ({ condition: test.condition, outcome: 'not-reached' }));
}

function list(name: string, values: Iterable<string>): string {
  return `${name}: ${[...values].map(showName).join(', ')}`;
}

function verdict(isHeld: boolean, found: string, remedy: string): Omit<ConditionTrace, 'condition'> {
  return isHeld ? { outcome: 'held', found } : { outcome: 'failed', found, remedy };
}

function testKind(rule: Rule, { subject }: Case): Omit<ConditionTrace, 'condition'> {
  return verdict(rule.kinds?.has(subject.kind) === true, subject.kind, 'another kind of proposal');
}

function testActor(rule: Rule, { subject }: Case): Omit<ConditionTrace, 'condition'> {
  const found = showName(subject.proposedBy);
  return verdict(rule.actors?.has(subject.proposedBy) === true, found, 'proposed by a listed actor');
}

function testNotActor(rule: Rule, { subject }: Case): Omit<ConditionTrace, 'condition'> {
  const found = showName(subject.proposedBy);
  return verdict(rule.notActors?.has(subject.proposedBy) === false, found, 'proposed by an actor that is not listed');
}

function testType(rule: Rule, { subject, profile }: Case): Omit<ConditionTrace, 'condition'> {
  const isHeld = rule.claimTypes !== null && hasClaimType(rule.claimTypes, subject, profile);
  if (!profile.hasClaimType) return verdict(isHeld, `a ${subject.kind} has no claim type`, 'a claim');
  const type = Object.hasOwn(subject.payload, 'type') ? subject.payload['type'] : null;
  return verdict(isHeld, typeof type === 'string' ? showName(type) : 'no type', 'a claim of a listed type');
}

function bound(name: string, limit: number | null, fits: (value: number, limit: number) => boolean): Test | null {
  if (limit === null) return null;
  const remedy = `confidence ${name === 'min_confidence' ? 'at least' : 'at most'} ${limit}`;
  return {
    condition: `${name}: ${limit}`,
    run: ({ subject, profile }) => {
      const confidence = confidenceOf(subject, profile);
      if (!profile.hasConfidence) return verdict(false, `a ${subject.kind} has no confidence`, 'a claim or relation');
      return confidence === null
        ? verdict(false, 'no confidence', remedy)
        : verdict(fits(confidence, limit), String(confidence), remedy);
    },
  };
}

function testEvidence(rule: Rule, { subject, profile, context }: Case): Omit<ConditionTrace, 'condition'> {
  const has = hasEvidence(subject, profile, context);
  const remedy = rule.hasEvidence === true ? 'evidence of which every entry is known' : 'no evidence';
  return verdict(has === rule.hasEvidence, describeEvidence(subject, profile, context), remedy);
}

/** Evidence in words, with the entries that do not count. */
export function describeEvidence(subject: Subject, profile: KindProfile, context: EvaluationContext): string {
  if (profile.evidenceKeys.length === 0) return `a ${subject.kind} has no evidence`;
  const entries = profile.evidenceKeys.flatMap((key): readonly string[] => {
    const value = Object.hasOwn(subject.payload, key) ? subject.payload[key] : null;
    return Array.isArray(value) ? (value as readonly string[]) : [];
  });
  if (entries.length === 0) return 'no evidence';
  const isUnknown = (id: string): boolean => context.knownIds !== undefined && !context.knownIds.has(id);
  const odd = entries.filter((entry) => isBlank(entry) || isUnknown(entry));
  if (odd.length === 0) return `${entries.length} known`;
  return `not known: ${odd.map(showName).join(', ')}`;
}

function testKeys(rule: Rule, { subject }: Case): Omit<ConditionTrace, 'condition'> {
  const missing = (rule.payloadHas ?? []).filter((key) => !isSet(subject, key)).map(showName);
  if (missing.length === 0) return { outcome: 'held', found: 'all set' };
  return { outcome: 'failed', found: `not set: ${missing.join(', ')}`, remedy: `set ${missing.join(', ')}` };
}

function alternativesOf(
  policy: Policy,
  decision: PolicyDecision,
  of: { readonly subject: Subject; readonly context: EvaluationContext },
): readonly Alternative[] {
  const profile = policy.kinds.get(of.subject.kind) as KindProfile;
  const ahead = policy.rules.findIndex((rule) => rule.name === decision.rule);
  const actions = new Set([policy.default, ...policy.rules.map((rule) => rule.action)]);
  actions.delete(decision.action);
  return [...actions].map((action): Alternative => {
    const candidates = policy.rules
      .map((rule, index) => ({ rule, index, failed: failuresOf(rule, { ...of, profile }) }))
      .filter((candidate) => candidate.rule.action === action)
      .sort((a, b) => a.failed.length - b.failed.length || a.index - b.index);
    const nearest = candidates[0];
    const stopAt = (index: number): readonly string[] =>
      ahead >= 0 && index > ahead ? [`rule ${showName(decision.rule as string)} must not hold`] : [];
    if (nearest === undefined) return { action, rule: null, changes: stopAt(policy.rules.length) };
    return { action, rule: nearest.rule.name, changes: [...nearest.failed, ...stopAt(nearest.index)] };
  });
}

function failuresOf(rule: Rule, of: Case): readonly string[] {
  return testsOf(rule)
    .map((test) => ({ condition: test.condition, ...test.run(of) }))
    .filter((trace) => !isSatisfied(trace, rule))
    .map((trace) => trace.remedy ?? `${trace.condition} must hold`);
}
