import { type ConditionContext, holds } from './conditions.ts';
import { DEFAULT_KINDS, type KindProfile } from './kinds.ts';
import type { Action, ParsedPolicy, Policy, PolicyFault, Quorum, Rule } from './policy.ts';
import { isJudgeable, type Subject, subjectFaults } from './proposal.ts';
import { isBlank, showName } from './text.ts';

/** What is known beside policy and proposal. A decision depends on these three alone. */
export type EvaluationContext = ConditionContext & {
  /** Ids that evidence may name; without it every non-blank id counts. */
  readonly knownIds?: { has(id: string): boolean };
  /** Decide, but let nothing happen. @default false */
  readonly dryRun?: boolean;
};

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
  const rule = firstMatch(policy, subject, profile, context);
  const action = rule === null ? policy.default : rule.action;
  const would = WOULD[action];
  const facts = rule === null ? NONE : factsOf(rule, subject, profile, context);
  return {
    type: 'decided',
    action,
    rule: rule === null ? null : rule.name,
    reason: reasonOf(rule, facts, action),
    facts,
    would,
    effect: context.dryRun === true ? 'none' : would,
    unknown: rule === null ? NONE : unknownOf(rule, subject, context),
    quorum: rule === null ? null : rule.quorum,
    faults: NO_FAULTS,
  };
}

/** The rule that decides, or `null` for the default. */
function firstMatch(policy: Policy, subject: Subject, profile: KindProfile, context: EvaluationContext): Rule | null {
  const rules = policy.rules;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index] as Rule;
    if (matches(rule, subject, profile, context)) return rule;
  }
  return null;
}

/** True when every condition holds. What cannot be known holds for rules that guard and fails for rules that approve. */
export function matches(rule: Rule, subject: Subject, profile: KindProfile, context: EvaluationContext): boolean {
  if (rule.kinds !== null && !rule.kinds.has(subject.kind)) return false;
  if (rule.actors !== null && !rule.actors.has(subject.proposedBy)) return false;
  if (rule.notActors?.has(subject.proposedBy)) return false;
  if (rule.claimTypes !== null && !hasClaimType(rule.claimTypes, subject, profile)) return false;
  if ((rule.minConfidence !== null || rule.maxConfidence !== null) && !isConfident(rule, subject, profile)) {
    return false;
  }
  if (rule.hasEvidence !== null && rule.hasEvidence !== hasEvidence(subject, profile, context)) return false;
  if (rule.payloadHas !== null && !hasKeys(rule.payloadHas, subject)) return false;
  return rule.extended.length === 0 || holdsExtended(rule, subject, context);
}

function holdsExtended(rule: Rule, subject: Subject, context: EvaluationContext): boolean {
  return rule.extended.every((condition) => {
    const truth = holds(condition, subject, context);
    return truth === 'held' || (truth === 'unknown' && rule.action !== 'auto_approve');
  });
}

function unknownOf(rule: Rule, subject: Subject, context: EvaluationContext): readonly string[] {
  if (rule.extended.length === 0) return NONE;
  return rule.extended
    .filter((condition) => holds(condition, subject, context) === 'unknown')
    .map((condition) => condition.type);
}

function hasClaimType(types: ReadonlySet<string>, subject: Subject, profile: KindProfile): boolean {
  const type = claimTypeOf(subject, profile);
  return type !== null && types.has(type);
}

/** The type that `claim_type` looks at: `null` when the kind has none or the payload names none. */
export function claimTypeOf(subject: Subject, profile: KindProfile): string | null {
  if (!profile.hasClaimType || !Object.hasOwn(subject.payload, 'type')) return null;
  const type = subject.payload['type'];
  return typeof type === 'string' ? type : null;
}

/** The confidence that counts: `null` when the kind has none or the payload names none. */
export function confidenceOf(subject: Subject, profile: KindProfile): number | null {
  if (!profile.hasConfidence || !Object.hasOwn(subject.payload, 'confidence')) return null;
  const confidence = subject.payload['confidence'];
  return typeof confidence === 'number' ? confidence : null;
}

function isConfident(rule: Rule, subject: Subject, profile: KindProfile): boolean {
  const confidence = confidenceOf(subject, profile);
  if (confidence === null) return false;
  if (rule.minConfidence !== null && confidence < rule.minConfidence) return false;
  return rule.maxConfidence === null || confidence <= rule.maxConfidence;
}

/** True when there is evidence, no entry is blank and every entry is known. */
export function hasEvidence(subject: Subject, profile: KindProfile, context: EvaluationContext): boolean {
  let count = 0;
  for (const key of profile.evidenceKeys) {
    if (!Object.hasOwn(subject.payload, key)) continue;
    const list = subject.payload[key];
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly unknown[]) {
      if (typeof entry !== 'string' || isBlank(entry)) return false;
      if (context.knownIds !== undefined && !context.knownIds.has(entry)) return false;
      count += 1;
    }
  }
  return count > 0;
}

/** True when the payload has the key itself and its value is not `null`, `""`, `[]` or `{}`. */
export function isSet(subject: Subject, key: string): boolean {
  if (!Object.hasOwn(subject.payload, key)) return false;
  const value = subject.payload[key];
  if (value === null || value === undefined || value === '') return false;
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

function hasKeys(keys: readonly string[], subject: Subject): boolean {
  return keys.every((key) => isSet(subject, key));
}

function factsOf(rule: Rule, subject: Subject, profile: KindProfile, context: EvaluationContext): readonly string[] {
  const facts: string[] = [];
  if (rule.actors !== null || rule.notActors !== null || usesActor(rule)) {
    facts.push(`actor=${showName(subject.proposedBy)}`);
  }
  if (rule.kinds !== null) facts.push(`kind=${subject.kind}`);
  if (rule.claimTypes !== null) facts.push(`claim_type=${subject.payload['type'] as string}`);
  if (rule.minConfidence !== null || rule.maxConfidence !== null) {
    facts.push(`confidence=${String(confidenceOf(subject, profile))}`);
  }
  if (rule.hasEvidence !== null) facts.push(`has_evidence=${String(rule.hasEvidence)}`);
  if (rule.payloadHas !== null) facts.push(`payload_has=${rule.payloadHas.map(showName).join('+')}`);
  for (const condition of rule.extended) {
    if (!condition.type.startsWith('actor')) facts.push(`${condition.type}=${holds(condition, subject, context)}`);
  }
  return facts;
}

function usesActor(rule: Rule): boolean {
  return rule.extended.length > 0 && rule.extended.some((condition) => condition.type.startsWith('actor'));
}

function reasonOf(rule: Rule | null, facts: readonly string[], action: Action): string {
  if (rule === null) return `no rule matched; default=${action}`;
  if (rule.reason !== null) return rule.reason;
  return facts.length === 0 ? 'matches everything' : facts.join(', ');
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
