import { type Condition, holds, type Truth } from './conditions.ts';
import { claimTypeOf, confidenceOf, type EvaluationContext, hasEvidence, isSet } from './evaluate.ts';
import type { KindProfile } from './kinds.ts';
import type { Rule } from './policy.ts';
import type { Subject } from './proposal.ts';
import { isBlank, showName } from './text.ts';

/** A proposal in the light of one policy, with what many rules ask about worked out once. */
export type Case = {
  readonly subject: Subject;
  readonly profile: KindProfile;
  readonly context: EvaluationContext;
  readonly confidence: number | null;
  readonly claimType: string | null;
  readonly evidence: boolean;
  /** The same as texts show it. */
  readonly shown: { readonly actor: string; readonly confidence: string; readonly claimType: string };
};

export function caseOf(subject: Subject, profile: KindProfile, context: EvaluationContext): Case {
  const confidence = confidenceOf(subject, profile);
  const claimType = claimTypeOf(subject, profile);
  return {
    subject,
    profile,
    context,
    confidence,
    claimType,
    evidence: hasEvidence(subject, profile, context),
    shown: {
      actor: showName(subject.proposedBy),
      confidence: profile.hasConfidence ? String(confidence ?? 'none') : `a ${subject.kind} has no confidence`,
      claimType: profile.hasClaimType ? showType(claimType) : `a ${subject.kind} has no claim type`,
    },
  };
}

function showType(claimType: string | null): string {
  return claimType === null ? 'no type' : showName(claimType);
}

/** One condition of one rule. Its texts are made once. */
export type RuleTest = {
  readonly condition: string;
  readonly remedy: string;
  readonly run: (of: Case) => Truth;
  /** What the condition found, in words. */
  readonly found: (of: Case) => string;
};

/** The conditions of a rule in the order in which they are tried. */
export function testsOf(rule: Rule): readonly RuleTest[] {
  return [
    ...kindTest(rule),
    ...actorTests(rule),
    ...typeTest(rule),
    ...boundTest('min_confidence', rule.minConfidence),
    ...boundTest('max_confidence', rule.maxConfidence),
    ...evidenceTest(rule),
    ...keysTest(rule),
    ...rule.extended.map(extendedTest),
  ];
}

function truth(value: boolean): Truth {
  return value ? 'held' : 'failed';
}

function list(name: string, values: Iterable<string>): string {
  return `${name}: ${[...values].map(showName).join(', ')}`;
}

function kindTest(rule: Rule): readonly RuleTest[] {
  const { kinds } = rule;
  if (kinds === null) return [];
  return [
    {
      condition: list('kind', kinds),
      remedy: 'a proposal of a listed kind',
      run: ({ subject }) => truth(kinds.has(subject.kind)),
      found: ({ subject }) => subject.kind,
    },
  ];
}

function actorTests(rule: Rule): readonly RuleTest[] {
  const { actors, notActors } = rule;
  const found = ({ shown }: Case): string => shown.actor;
  const tests: RuleTest[] = [];
  if (actors !== null) {
    const run = ({ subject }: Case): Truth => truth(actors.has(subject.proposedBy));
    tests.push({ condition: list('actor', actors), remedy: 'proposed by a listed actor', run, found });
  }
  if (notActors !== null) {
    const run = ({ subject }: Case): Truth => truth(!notActors.has(subject.proposedBy));
    tests.push({ condition: list('actor_not_in', notActors), remedy: 'proposed by an actor not listed', run, found });
  }
  return tests;
}

function typeTest(rule: Rule): readonly RuleTest[] {
  const { claimTypes } = rule;
  if (claimTypes === null) return [];
  return [
    {
      condition: list('claim_type', claimTypes),
      remedy: 'a claim of a listed type',
      run: ({ claimType }) => truth(claimType !== null && claimTypes.has(claimType)),
      found: ({ shown }) => shown.claimType,
    },
  ];
}

function boundTest(name: 'min_confidence' | 'max_confidence', limit: number | null): readonly RuleTest[] {
  if (limit === null) return [];
  const isMinimum = name === 'min_confidence';
  return [
    {
      condition: `${name}: ${limit}`,
      remedy: `confidence ${isMinimum ? 'at least' : 'at most'} ${limit}`,
      run: ({ confidence }) => truth(confidence !== null && (isMinimum ? confidence >= limit : confidence <= limit)),
      found: ({ shown }) => shown.confidence,
    },
  ];
}

function evidenceTest(rule: Rule): readonly RuleTest[] {
  const wanted = rule.hasEvidence;
  if (wanted === null) return [];
  return [
    {
      condition: `has_evidence: ${String(wanted)}`,
      remedy: wanted ? 'evidence of which every entry is known' : 'no evidence',
      run: ({ evidence }) => truth(evidence === wanted),
      found: describeEvidence,
    },
  ];
}

/** Evidence in words, with the entries that do not count. */
function describeEvidence({ subject, profile, context }: Case): string {
  if (profile.evidenceKeys.length === 0) return `a ${subject.kind} has no evidence`;
  const entries = profile.evidenceKeys.flatMap((key): readonly string[] => {
    const value = Object.hasOwn(subject.payload, key) ? subject.payload[key] : null;
    return Array.isArray(value) ? (value as readonly string[]) : [];
  });
  if (entries.length === 0) return 'none';
  const isUnknown = (id: string): boolean => context.knownIds !== undefined && !context.knownIds.has(id);
  const odd = entries.filter((entry) => isBlank(entry) || isUnknown(entry));
  return odd.length === 0 ? 'all known' : `not known: ${odd.map(showName).join(', ')}`;
}

function keysTest(rule: Rule): readonly RuleTest[] {
  const keys = rule.payloadHas;
  if (keys === null) return [];
  return [
    {
      condition: list('payload_has', keys),
      remedy: `set ${keys.map(showName).join(', ')}`,
      run: ({ subject }) => truth(keys.every((key) => isSet(subject, key))),
      found: ({ subject }) => {
        const missing = keys.filter((key) => !isSet(subject, key));
        return missing.length === 0 ? 'all set' : `not set: ${missing.map(showName).join(', ')}`;
      },
    },
  ];
}

function extendedTest(condition: Condition): RuleTest {
  const text = condition.type === 'cel' ? `cel: ${showName(condition.source)}` : condition.type;
  return {
    condition: text,
    remedy: `${condition.type} must hold`,
    run: ({ subject, context }) => holds(condition, subject, context),
    found: ({ subject, context }) => holds(condition, subject, context),
  };
}
