import { addBit, type Bits, emptyBits, hasBit } from './bits.ts';
import type { EvaluationContext } from './conditions.ts';
import { CLAIM_TYPES, type KindProfile } from './kinds.ts';
import { claimTypeOf, confidenceOf, hasEvidence } from './payload.ts';
import type { Policy, Rule } from './policy.ts';
import type { Subject } from './proposal.ts';
import { showName } from './text.ts';

/**
 * A policy whose names are numbers: a proposal's actor, kind and claim type are looked up once, every rule is then
 * compared by number. 0 stands for what no rule mentions.
 */
export type Compiled = {
  readonly rules: readonly CompiledRule[];
  readonly actors: Names;
  readonly kinds: Names;
  readonly claimTypes: Names;
};

/** Numbers of names, and what facts say about each. */
type Names = { readonly numbers: ReadonlyMap<string, number>; readonly facts: readonly string[] };

export type CompiledRule = {
  readonly rule: Rule;
  readonly actors: Bits | null;
  readonly notActors: Bits | null;
  readonly kinds: Bits | null;
  readonly claimTypes: Bits | null;
  readonly minConfidence: number | null;
  readonly maxConfidence: number | null;
  readonly hasEvidence: boolean | null;
  readonly showsActor: boolean;
  /** What facts say about evidence and keys whenever the rule holds. */
  readonly evidenceFact: string;
  readonly keysFact: string;
};

/** A proposal in the light of one policy, with what many rules ask about worked out once. */
export type Case = {
  readonly subject: Subject;
  readonly profile: KindProfile;
  readonly context: EvaluationContext;
  readonly actor: number;
  readonly kind: number;
  readonly claimType: number;
  /** NaN: none. */
  readonly confidence: number;
  readonly evidence: boolean;
};

/** The bit of each condition in what {@link failuresOf} answers, in the order in which conditions are tried. */
export const FAILS = {
  kind: 1,
  actor: 2,
  notActor: 4,
  claimType: 8,
  minConfidence: 16,
  maxConfidence: 32,
  evidence: 64,
} as const;

const compiled = new WeakMap<Policy, Compiled>();

/** The compiled form of a policy; made once. */
export function compile(policy: Policy): Compiled {
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  const { rules } = policy;
  const of = (pick: (rule: Rule) => ReadonlySet<string> | null): readonly string[] =>
    rules.flatMap((rule) => [...(pick(rule) ?? [])]);
  const actors = namesOf('actor', [...of((rule) => rule.actors), ...of((rule) => rule.notActors)]);
  const kinds = namesOf(
    'kind',
    of((rule) => rule.kinds),
  );
  const claimTypes = namesOf('claim_type', CLAIM_TYPES);
  const made = {
    rules: rules.map((rule) => compileRule(rule, { actors, kinds, claimTypes })),
    actors,
    kinds,
    claimTypes,
  };
  compiled.set(policy, made);
  return made;
}

function namesOf(fact: string, names: readonly string[]): Names {
  const list = [...new Set(names)];
  return {
    numbers: new Map(list.map((name, index) => [name, index + 1])),
    facts: ['', ...list.map((name) => `${fact}=${showName(name)}`)],
  };
}

function compileRule(rule: Rule, names: Omit<Compiled, 'rules'>): CompiledRule {
  return {
    rule,
    actors: numbersOf(rule.actors, names.actors),
    notActors: numbersOf(rule.notActors, names.actors),
    kinds: numbersOf(rule.kinds, names.kinds),
    claimTypes: numbersOf(rule.claimTypes, names.claimTypes),
    minConfidence: rule.minConfidence,
    maxConfidence: rule.maxConfidence,
    hasEvidence: rule.hasEvidence,
    showsActor:
      rule.actors !== null ||
      rule.notActors !== null ||
      rule.extended.some((condition) => condition.type.startsWith('actor')),
    evidenceFact: `has_evidence=${String(rule.hasEvidence)}`,
    keysFact: `payload_has=${(rule.payloadHas ?? []).map(showName).join('+')}`,
  };
}

function numbersOf(set: ReadonlySet<string> | null, { numbers, facts }: Names): Bits | null {
  if (set === null) return null;
  const bits = emptyBits(facts.length);
  for (const name of set) addBit(bits, numbers.get(name) as number);
  return bits;
}

/** Looks up once what the rules compare. */
export function caseOf(policy: Compiled, subject: Subject, profile: KindProfile, context: EvaluationContext): Case {
  const claimType = claimTypeOf(subject, profile);
  return {
    subject,
    profile,
    context,
    actor: policy.actors.numbers.get(subject.proposedBy) ?? 0,
    kind: policy.kinds.numbers.get(subject.kind) ?? 0,
    claimType: claimType === null ? 0 : (policy.claimTypes.numbers.get(claimType) ?? 0),
    confidence: confidenceOf(subject, profile),
    evidence: hasEvidence(subject, profile, context),
  };
}

/** The conditions of a rule that fail, as bits of {@link FAILS}; keys and conditions of extensions are not among them. */
export function failuresOf(rule: CompiledRule, of: Case): number {
  let failures = 0;
  if (rule.kinds !== null && !hasBit(rule.kinds, of.kind)) failures |= FAILS.kind;
  if (rule.actors !== null && !hasBit(rule.actors, of.actor)) failures |= FAILS.actor;
  if (rule.notActors !== null && hasBit(rule.notActors, of.actor)) failures |= FAILS.notActor;
  if (rule.claimTypes !== null && !hasBit(rule.claimTypes, of.claimType)) failures |= FAILS.claimType;
  if (rule.minConfidence !== null && !(of.confidence >= rule.minConfidence)) failures |= FAILS.minConfidence;
  if (rule.maxConfidence !== null && !(of.confidence <= rule.maxConfidence)) failures |= FAILS.maxConfidence;
  if (rule.hasEvidence !== null && rule.hasEvidence !== of.evidence) failures |= FAILS.evidence;
  return failures;
}
