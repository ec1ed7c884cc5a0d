import { type Case, type Compiled, type CompiledRule, caseOf, compile, failuresOf } from './compiled.ts';
import { type Condition, type EvaluationContext, holds } from './conditions.ts';
import { DEFAULT_KINDS, type KindProfile } from './kinds.ts';
import { isSet } from './payload.ts';
import type { Action, ParsedPolicy, Policy, PolicyFault, Quorum, Rule } from './policy.ts';
import { isJudgeable, type Subject, subjectFaults } from './proposal.ts';
import { showName } from './text.ts';

export type Would = 'approve' | 'queue' | 'refuse';

/** What a policy says about one proposal. */
export type PolicyDecision = {
  readonly type: 'decided' | 'no-policy' | 'invalid-policy';
  readonly action: Action;
  /** The rule that decided; `null` for the default, without a policy and for a faulty one. */
  readonly rule: string | null;
  readonly reason: string;
  /** What the rule looked at, as `name=value`, in a fixed order. */
  readonly facts: readonly string[];
  readonly would: Would;
  readonly effect: Would | 'none';
  /** Conditions of the deciding rule that could not be known; they never allow, and a guard fires on them. */
  readonly unknown: readonly string[];
  readonly quorum: Quorum | null;
  /** Faults of an invalid policy, else empty. */
  readonly faults: readonly PolicyFault[];
};

/** JSON pointers of what is wrong with the proposal: it was not judged. */
export type InvalidProposal = { readonly type: 'invalid-proposal'; readonly paths: readonly string[] };

const WOULD: Readonly<Record<Action, Would>> = { auto_approve: 'approve', require_human: 'queue', block: 'refuse' };
const NONE: readonly string[] = [];
const NO_FAULTS: readonly PolicyFault[] = [];

/**
 * Judges one proposal: the first rule whose every condition holds decides, else the default. A faulty policy never
 * approves and never blocks; a proposal that cannot be judged is answered with its faults, whatever the policy.
 */
export function evaluate(
  policy: ParsedPolicy,
  subject: Subject,
  context: EvaluationContext = {},
): PolicyDecision | InvalidProposal {
  const kinds = policy.type === 'policy' ? policy.kinds : DEFAULT_KINDS;
  const profile = kinds.get(subject.kind);
  if (profile === undefined || !isJudgeable(subject, profile)) {
    return { type: 'invalid-proposal', paths: subjectFaults(subject, kinds) };
  }
  return decide(policy, subject, profile, context);
}

/** As {@link evaluate}, for a proposal that was checked before against the same kinds. */
export function decide(
  policy: ParsedPolicy,
  subject: Subject,
  profile: KindProfile,
  context: EvaluationContext,
): PolicyDecision {
  if (policy.type !== 'policy') return withoutPolicy(policy, context.dryRun === true);
  const compiled = compile(policy);
  const of = caseOf(compiled, subject, profile, context);
  const { rules } = compiled;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index] as CompiledRule;
    if (matches(rule, of)) return decisionBy(compiled, rule, of);
  }
  return decisionByDefault(policy, context);
}

// What cannot be known holds for rules that guard and fails for rules that approve.
function matches(compiled: CompiledRule, of: Case): boolean {
  if (failuresOf(compiled, of) !== 0) return false;
  const { rule } = compiled;
  if (rule.payloadHas !== null && !rule.payloadHas.every((key) => isSet(of.subject, key))) return false;
  return rule.extended.length === 0 || rule.extended.every((condition) => isSatisfied(condition, rule, of));
}

/** Whether a condition of an extension holds, as far as the rule is concerned: what is unknown never allows, and guards fire on it. */
export function isSatisfied(condition: Condition, rule: Rule, of: Case): boolean {
  const truth = holds(condition, of.subject, of.context);
  return truth === 'held' || (truth === 'unknown' && rule.action !== 'auto_approve');
}

/** The decision of a rule that holds. */
export function decisionBy(policy: Compiled, compiled: CompiledRule, of: Case): PolicyDecision {
  const { rule } = compiled;
  const would = WOULD[rule.action];
  const facts = factsOf(policy, compiled, of);
  return {
    type: 'decided',
    action: rule.action,
    rule: rule.name,
    reason: rule.reason ?? reasonOf(facts),
    facts,
    would,
    effect: of.context.dryRun === true ? 'none' : would,
    unknown: rule.extended.length === 0 ? NONE : unknownOf(rule, of),
    quorum: rule.quorum,
    faults: NO_FAULTS,
  };
}

/** The decision where no rule holds. */
export function decisionByDefault(policy: Policy, context: EvaluationContext): PolicyDecision {
  const would = WOULD[policy.default];
  return {
    type: 'decided',
    action: policy.default,
    rule: null,
    reason: `no rule matched; default=${policy.default}`,
    facts: NONE,
    would,
    effect: context.dryRun === true ? 'none' : would,
    unknown: NONE,
    quorum: null,
    faults: NO_FAULTS,
  };
}

function unknownOf(rule: Rule, of: Case): readonly string[] {
  const isUnknown = (condition: Condition): boolean => holds(condition, of.subject, of.context) === 'unknown';
  return rule.extended.filter(isUnknown).map((condition) => condition.type);
}

function factsOf(policy: Compiled, compiled: CompiledRule, of: Case): readonly string[] {
  const { rule } = compiled;
  const facts: string[] = [];
  if (compiled.showsActor) {
    facts.push(of.actor === 0 ? `actor=${showName(of.subject.proposedBy)}` : (policy.actors.facts[of.actor] as string));
  }
  if (rule.kinds !== null) facts.push(policy.kinds.facts[of.kind] as string);
  if (rule.claimTypes !== null) facts.push(policy.claimTypes.facts[of.claimType] as string);
  if (rule.minConfidence !== null || rule.maxConfidence !== null) facts.push(`confidence=${String(of.confidence)}`);
  if (rule.hasEvidence !== null) facts.push(compiled.evidenceFact);
  if (rule.payloadHas !== null) facts.push(compiled.keysFact);
  for (const condition of rule.extended) {
    if (condition.type.startsWith('actor')) continue;
    facts.push(`${condition.type}=${holds(condition, of.subject, of.context)}`);
  }
  return facts;
}

// Joined by hand: this is half of the time that a decision takes.
function reasonOf(facts: readonly string[]): string {
  if (facts.length === 0) return 'matches everything';
  let reason = facts[0] as string;
  for (let index = 1; index < facts.length; index += 1) reason += `, ${facts[index] as string}`;
  return reason;
}

function withoutPolicy(policy: Exclude<ParsedPolicy, Policy>, dryRun: boolean): PolicyDecision {
  const isFaulty = policy.type === 'invalid';
  return {
    type: isFaulty ? 'invalid-policy' : 'no-policy',
    action: 'require_human',
    rule: null,
    reason: isFaulty ? 'review.policy is invalid' : 'no review.policy configured',
    facts: NONE,
    would: 'queue',
    effect: dryRun ? 'none' : 'queue',
    unknown: NONE,
    quorum: null,
    faults: isFaulty ? policy.faults : NO_FAULTS,
  };
}
