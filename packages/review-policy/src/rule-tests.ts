import { type Case, type CompiledRule, FAILS, failuresOf } from './compiled.ts';
import { type Condition, holds } from './conditions.ts';
import { isSatisfied } from './evaluate.ts';
import { claimTypeOf, isSet } from './payload.ts';
import type { Rule } from './policy.ts';
import { isBlank, showName } from './text.ts';

/** One condition of one rule. Its texts are made once. */
export type RuleTest = {
  /** Its bit in what {@link failedTests} answers; later conditions have higher ones. */
  readonly bit: number;
  readonly condition: string;
  readonly remedy: string;
  /** What the condition found, in words. */
  readonly found: (of: Case) => string;
};

const KEYS = 128;
const EXTENDED = 256;

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

/** The conditions of a rule that do not hold, as bits. */
export function failedTests(compiled: CompiledRule, of: Case): number {
  const { rule } = compiled;
  let failed = failuresOf(compiled, of);
  if (rule.payloadHas !== null && !rule.payloadHas.every((key) => isSet(of.subject, key))) failed |= KEYS;
  for (let index = 0; index < rule.extended.length; index += 1) {
    if (!isSatisfied(rule.extended[index] as Condition, rule, of)) failed |= EXTENDED << index;
  }
  return failed;
}

function list(name: string, values: Iterable<string>): string {
  return `${name}: ${[...values].map(showName).join(', ')}`;
}

function kindTest(rule: Rule): readonly RuleTest[] {
  const { kinds } = rule;
  if (kinds === null) return [];
  const found = ({ subject }: Case): string => subject.kind;
  return [{ bit: FAILS.kind, condition: list('kind', kinds), remedy: 'a proposal of a listed kind', found }];
}

function actorTests(rule: Rule): readonly RuleTest[] {
  const { actors, notActors } = rule;
  const found = ({ subject }: Case): string => showName(subject.proposedBy);
  const tests: RuleTest[] = [];
  if (actors !== null) {
    tests.push({ bit: FAILS.actor, condition: list('actor', actors), remedy: 'proposed by a listed actor', found });
  }
  if (notActors !== null) {
    const remedy = 'proposed by an actor not listed';
    tests.push({ bit: FAILS.notActor, condition: list('actor_not_in', notActors), remedy, found });
  }
  return tests;
}

function typeTest(rule: Rule): readonly RuleTest[] {
  const { claimTypes } = rule;
  if (claimTypes === null) return [];
  const condition = list('claim_type', claimTypes);
  return [{ bit: FAILS.claimType, condition, remedy: 'a claim of a listed type', found: describeType }];
}

function describeType({ subject, profile }: Case): string {
  if (!profile.hasClaimType) return `a ${subject.kind} has no claim type`;
  const claimType = claimTypeOf(subject, profile);
  return claimType === null ? 'no type' : showName(claimType);
}

function boundTest(name: 'min_confidence' | 'max_confidence', limit: number | null): readonly RuleTest[] {
  if (limit === null) return [];
  const isMinimum = name === 'min_confidence';
  return [
    {
      bit: isMinimum ? FAILS.minConfidence : FAILS.maxConfidence,
      condition: `${name}: ${limit}`,
      remedy: `confidence ${isMinimum ? 'at least' : 'at most'} ${limit}`,
      found: describeConfidence,
    },
  ];
}

function describeConfidence({ subject, profile, confidence }: Case): string {
  if (!profile.hasConfidence) return `a ${subject.kind} has no confidence`;
  return Number.isNaN(confidence) ? 'none' : String(confidence);
}

function evidenceTest(rule: Rule): readonly RuleTest[] {
  const wanted = rule.hasEvidence;
  if (wanted === null) return [];
  return [
    {
      bit: FAILS.evidence,
      condition: `has_evidence: ${String(wanted)}`,
      remedy: wanted ? 'evidence of which every entry is known' : 'no evidence',
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
      bit: KEYS,
      condition: list('payload_has', keys),
      remedy: `set ${keys.map(showName).join(', ')}`,
      found: ({ subject }) => {
        const missing = keys.filter((key) => !isSet(subject, key));
        return missing.length === 0 ? 'all set' : `not set: ${missing.map(showName).join(', ')}`;
      },
    },
  ];
}

function extendedTest(condition: Condition, index: number): RuleTest {
  return {
    bit: EXTENDED << index,
    condition: condition.type === 'cel' ? `cel: ${showName(condition.source)}` : condition.type,
    remedy: `${condition.type} must hold`,
    found: ({ subject, context }) => holds(condition, subject, context),
  };
}
