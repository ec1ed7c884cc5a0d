import type { Edge, JsonObject, PolicyFinding, Reason, Verdict } from '@warrant/core';
import { deepFreeze } from './deep-freeze.ts';
import { type Cardinality, DEFAULT_CONFIRMATION, type Placement } from './placement.ts';
import type { PolicySet } from './policy-set.ts';
import type { GroundingFacts } from './read-grounding.ts';

/** What became of a condition: only `passed` lets the act through. */
export type ConditionAnswer = {
  readonly type: 'passed' | 'fired' | 'no-call' | 'error' | 'bad-answer' | 'timeout';
  /** What the condition said, or what went wrong. */
  readonly message: string | null;
};

/** A placement on an edge that the call went over: its condition has to be asked. */
export type PolicyQuestion = { readonly placement: Placement; readonly edge: Edge };

/** Dormant placements that refuse the act: all, none, or all but those named. */
export type DormantRule = 'refuse' | 'report' | { readonly report: readonly string[] };

export type PolicyDecision = {
  readonly decision: Verdict['decision'];
  readonly findings: readonly PolicyFinding[];
  /** What decided. Empty for `allow`. */
  readonly reasons: readonly Reason[];
};

/**
 * The conditions to ask, by edge in the order of the pathway and then by placement. A cardinality that is neither
 * `single` nor `multiple` is unknown, and leaves no placement out.
 */
export function policyQuestions(
  facts: GroundingFacts,
  policies: PolicySet,
  cardinality: string | null,
): readonly PolicyQuestion[] {
  if (!facts.grounded || policies.placements.length === 0) return [];
  const questions: PolicyQuestion[] = [];
  for (const edge of facts.edges) {
    for (const placement of policies.on(edge)) {
      if (isConsidered(placement, cardinality)) questions.push({ placement, edge });
    }
  }
  return questions;
}

/**
 * Decides from data alone. `answers` stand in the order of {@link policyQuestions}; a missing one counts as not asked
 * and fires. Gaps go before blocks, blocks before confirmations.
 */
export function decidePolicies(input: {
  readonly facts: GroundingFacts;
  readonly policies: PolicySet;
  readonly cardinality: string | null;
  readonly answers: readonly ConditionAnswer[];
  /** @default 'report' */
  readonly dormant?: DormantRule;
}): PolicyDecision {
  const { facts, policies, cardinality, answers, dormant } = input;
  return decidePlan(planPolicies(facts, policies, cardinality), { facts, policies, answers, dormant });
}

/** All of a decision that the answers have no part in: the same for every call with the same facts. */
export type PolicyPlan = {
  readonly questions: readonly PolicyQuestion[];
  /** What is found of each question that passes and says nothing. */
  readonly passing: readonly PolicyFinding[];
  /** Findings of placements that are not asked: left out by the cardinality, or dormant. */
  readonly standing: readonly PolicyFinding[];
};

/** The findings of a plan are frozen, since calls share them. */
export function planPolicies(facts: GroundingFacts, policies: PolicySet, cardinality: string | null): PolicyPlan {
  if (!facts.grounded || policies.placements.length === 0) return NOTHING_PLANNED;
  const questions = policyQuestions(facts, policies, cardinality);
  const passing = questions.map(({ placement, edge }) => answered(placement, edge, PASSED));
  const standing = [
    ...skipped(facts, policies, cardinality),
    ...dormantOf({ facts, policies, cardinality, questions }),
  ];
  const known = new WeakSet<object>();
  return { questions, passing: deepFreeze(passing, known), standing: deepFreeze(standing, known) };
}

/** The same as {@link decidePolicies} with the plan at hand. */
export function decidePlan(
  plan: PolicyPlan,
  input: {
    readonly facts: GroundingFacts;
    readonly policies: PolicySet;
    readonly answers: readonly ConditionAnswer[];
    readonly dormant: DormantRule | undefined;
  },
): PolicyDecision {
  const { facts, policies, answers, dormant = 'report' } = input;
  if (!facts.grounded) return { decision: 'ungrounded', findings: [], reasons: [UNGROUNDED] };
  if (policies.placements.length === 0) return ALLOWED;
  const asked = plan.questions.map(({ placement, edge }, index) => {
    const answer = answers[index] ?? NOT_ASKED;
    const isPlain = answer.type === 'passed' && wordsOf(answer) === null;
    return isPlain ? (plan.passing[index] as PolicyFinding) : answered(placement, edge, answer);
  });
  const findings = [...asked, ...plan.standing];
  const refusing = findings.filter((finding) => refuses(finding, dormant));
  if (refusing.length > 0) return { decision: 'block', findings, reasons: refusing.map((finding) => finding.reason) };
  const confirming = findings.filter((finding) => finding.outcome === 'fired');
  const decision = confirming.length > 0 ? 'confirm' : 'allow';
  return { decision, findings, reasons: confirming.map((finding) => finding.reason) };
}

const NOTHING_PLANNED: PolicyPlan = Object.freeze({ questions: [], passing: [], standing: [] });
const PASSED: ConditionAnswer = { type: 'passed', message: null };
const NO_FINDINGS: readonly PolicyFinding[] = Object.freeze([]);
const NOT_ASKED: ConditionAnswer = { type: 'no-call', message: null };
const ALLOWED: PolicyDecision = Object.freeze({ decision: 'allow', findings: [], reasons: [] });
const UNGROUNDED: Reason = Object.freeze({
  code: 'policy.ungrounded',
  message: 'policies are evaluated over a grounded result only',
  data: {},
  remedy: { action: 'close-gaps' },
});

function isCardinality(value: string | null): value is Cardinality {
  return value === 'single' || value === 'multiple';
}

function isConsidered(placement: Placement, cardinality: string | null): boolean {
  const { triggerCardinality } = placement;
  return triggerCardinality === null || !isCardinality(cardinality) || triggerCardinality === cardinality;
}

function refuses(finding: PolicyFinding, rule: DormantRule): boolean {
  if (finding.outcome === 'fired') return finding.effect === 'block';
  if (finding.outcome !== 'dormant' || rule === 'report') return false;
  return rule === 'refuse' || !rule.report.includes(finding.key);
}

function answered(placement: Placement, edge: Edge, answer: ConditionAnswer): PolicyFinding {
  const { key, effect } = placement;
  const outcome = answer.type === 'passed' ? 'passed' : 'fired';
  return { key, edge, outcome, effect, reason: answerReason(placement, edge, answer) };
}

/** An empty message says nothing, and a record keeps nothing of it. */
function wordsOf({ message }: ConditionAnswer): string | null {
  return message === '' ? null : message;
}

const CODES = {
  passed: 'policy.passed',
  fired: 'policy.fired',
  'no-call': 'policy.no-call',
  error: 'policy.condition-error',
  'bad-answer': 'policy.condition-error',
  timeout: 'policy.condition-timeout',
} as const satisfies Record<ConditionAnswer['type'], string>;

const FAULTS = {
  'no-call': 'there is no call to judge',
  error: 'its condition failed',
  'bad-answer': 'its condition gave no usable answer',
  timeout: 'its condition took too long',
} as const;

function answerReason(placement: Placement, edge: Edge, answer: ConditionAnswer): Reason {
  const data = { ...dataOf(placement, edge), cause: answer.type };
  if (answer.type === 'passed') return { code: CODES.passed, message: wordsOf(answer) ?? 'passed', data };
  const { key, effect, confirmationMessage } = placement;
  const why =
    answer.type === 'fired'
      ? answer.message
      : `policy '${key}' fires since ${FAULTS[answer.type]}${answer.message === null ? '' : `: ${answer.message}`}`;
  const asks = effect === 'block' && confirmationMessage === DEFAULT_CONFIRMATION ? null : confirmationMessage;
  const said = [why, asks].filter((part) => part !== null && part !== '');
  const message = said.length === 0 ? `policy '${key}' refuses this call` : said.join('\n');
  const action = effect === 'confirm' ? 'get-confirmation' : 'change-call';
  return { code: CODES[answer.type], message, data, remedy: { action, policy: key } };
}

function dataOf(placement: Placement, edge: Edge): JsonObject {
  const { key, name, condition } = placement;
  const { source, target } = edge;
  return condition.type === 'expression'
    ? { policy: key, name, source, target, condition: condition.text }
    : { policy: key, name, source, target, callback: condition.name };
}

function skipped(facts: GroundingFacts, policies: PolicySet, cardinality: string | null): readonly PolicyFinding[] {
  if (!isCardinality(cardinality)) return NO_FINDINGS;
  return facts.edges.flatMap((edge) =>
    policies
      .on(edge)
      .filter((placement) => !isConsidered(placement, cardinality))
      .map((placement) => skippedFinding(placement, edge, cardinality)),
  );
}

function skippedFinding(placement: Placement, edge: Edge, cardinality: string | null): PolicyFinding {
  const { key, effect, triggerCardinality } = placement;
  const message = `only for calls of cardinality ${triggerCardinality}, this one is ${cardinality}`;
  const data = { ...dataOf(placement, edge), triggerCardinality, cardinality };
  return { key, edge, outcome: 'skipped', effect, reason: { code: 'policy.cardinality', message, data } };
}

/** Placements whose source is asked about while their edge is not in the trace: they would protect nothing. */
function dormantOf(input: {
  readonly facts: GroundingFacts;
  readonly policies: PolicySet;
  readonly cardinality: string | null;
  readonly questions: readonly PolicyQuestion[];
}): readonly PolicyFinding[] {
  const { facts, policies, cardinality, questions } = input;
  const named = new Set(facts.resolved.flatMap((source) => policies.from(source)));
  for (const { placement } of questions) named.delete(placement);
  if (named.size === 0) return NO_FINDINGS;
  return [...named].filter((placement) => isConsidered(placement, cardinality)).map(dormantFinding);
}

function dormantFinding(placement: Placement): PolicyFinding {
  const { key, effect, source, target, sourceDepth } = placement;
  // The level that the edge asks of its target is not known when there is no edge; 0 is the least it can be.
  const edge: Edge = { source, sourceDepth, relation: 'applies-to', target, targetDepth: 0 };
  return {
    key,
    edge,
    outcome: 'dormant',
    effect,
    reason: {
      code: 'policy.dormant',
      message: `policy '${key}' guards ${source} -> ${target} at level ${sourceDepth}, but that edge is not in the trace`,
      data: dataOf(placement, edge),
      remedy: { action: 'name-concept', concept: target, policy: key },
    },
  };
}
