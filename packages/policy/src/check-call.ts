import {
  type CallEffects,
  type GroundingResult,
  type JsonObject,
  lazyMember,
  type Reason,
  type ToolCall,
  type Verdict,
} from '@warrant/core';
import { askConditions } from './ask-conditions.ts';
import { aborted, type Bounds, bounded, isThenable } from './bounded.ts';
import { type ConditionAnswer, decidePlan, type PolicyDecision, type PolicyQuestion } from './decide.ts';
import { deepFreeze } from './deep-freeze.ts';
import { assertConcepts, type GuardSetup } from './guard-setup.ts';
import { declarationOf, type PolicySet } from './policy-set.ts';
import type { GroundingFacts } from './read-grounding.ts';

/** A call with its verdict and all that the verdict was made from. */
export type CheckedCall = {
  readonly verdict: Verdict;
  readonly facts: GroundingFacts;
  readonly answers: readonly ConditionAnswer[];
  readonly concepts: readonly string[];
  readonly cardinality: string | null;
  /** What the record keeps of the policies. */
  readonly declarations: () => readonly JsonObject[];
  /** Whether one answer covers the placement for the whole session. */
  readonly sticky: (key: string) => boolean;
};

/**
 * Concepts, grounding, trace, cardinality, policies: in this order, and no further than the first refusal.
 * @throws whatever concepts, cardinality, classifier or grounder throw; POLICY_TIMEOUT, POLICY_ABORTED.
 */
export async function checkCall(
  setup: GuardSetup,
  call: ToolCall,
  signal: AbortSignal | undefined,
): Promise<CheckedCall> {
  const bounds: Bounds = signal === undefined ? setup.bounds : { ...setup.bounds, signal };
  const named = conceptsOf(setup, call, bounds);
  const concepts = isThenable(named) ? await named : named;
  const grounding = await groundCall(setup, call, concepts, signal);
  const traced = tellTrace(setup, call, grounding, bounds);
  if (traced !== undefined) await traced;
  const facts = setup.plans.facts(grounding);
  const given = facts.grounded ? cardinalityOf(setup, call, bounds) : null;
  const cardinality = isThenable(given) ? await given : given;
  return judge(setup, { call, concepts, grounding, facts, cardinality }, bounds);
}

/**
 * The same call again before its effect, when time has passed: concepts and cardinality stand, graph and policies are
 * asked anew.
 */
export async function checkAgain(
  setup: GuardSetup,
  before: CheckedCall,
  signal: AbortSignal | undefined,
): Promise<CheckedCall> {
  const { concepts, cardinality } = before;
  const { call } = before.verdict;
  const grounding = await groundCall(setup, call, concepts, signal);
  const facts = setup.plans.facts(grounding);
  return judge(setup, { call, concepts, grounding, facts, cardinality }, { ...setup.bounds, signal });
}

const NO_ANSWERS: readonly ConditionAnswer[] = Object.freeze([]);

async function judge(
  setup: GuardSetup,
  input: {
    readonly call: ToolCall;
    readonly concepts: readonly string[];
    readonly grounding: GroundingResult;
    readonly facts: GroundingFacts;
    readonly cardinality: string | null;
  },
  bounds: Bounds,
): Promise<CheckedCall> {
  const { call, concepts, grounding, facts, cardinality } = input;
  const given = setup.policies();
  const policies = isThenable(given) ? await bounded(given, 'the policies', bounds) : given;
  const plan = setup.plans.plan(facts, policies, cardinality);
  const { questions } = plan;
  const asked = questions.length === 0 ? NO_ANSWERS : ask(setup, questions, call, facts, bounds);
  const answers = isThenable(asked) ? await asked : asked;
  if (bounds.signal?.aborted === true) throw aborted(bounds.signal);
  const decision = decidePlan(plan, { facts, policies, answers, dormant: setup.dormant });
  const verdict = verdictOf(setup, call, grounding, decision, policies);
  return {
    verdict,
    facts,
    answers,
    concepts,
    cardinality,
    declarations: () => policies.placements.map(declarationOf),
    sticky: (key) => policies.placements.some((placement) => placement.key === key && placement.sticky === 'session'),
  };
}

function ask(
  setup: GuardSetup,
  questions: readonly PolicyQuestion[],
  call: ToolCall,
  facts: GroundingFacts,
  bounds: Bounds,
): readonly ConditionAnswer[] | Promise<readonly ConditionAnswer[]> {
  return askConditions(questions, { call, actor: call.actor ?? null, facts, effects: effectsOf(setup, call) }, bounds);
}

function verdictOf(
  setup: GuardSetup,
  call: ToolCall,
  grounding: GroundingResult,
  decision: PolicyDecision,
  policies: PolicySet,
): Verdict {
  const { grounded, resolved, gaps } = grounding;
  const reasons = decision.decision === 'ungrounded' ? ungroundedReasons(grounding) : decision.reasons;
  return {
    decision: decision.decision,
    enforced: setup.enforce,
    call,
    grounding: { grounded: decision.decision !== 'ungrounded' && grounded, resolved, gaps },
    policies: decision.findings,
    reasons,
    inputs: withView({ graph: grounding.graph, policy: policies.digest() }, grounding),
  };
}

/** A view is named when somebody asks for the name: for a record, or a confirmation. */
const withView = lazyMember('view', (grounding: GroundingResult) => grounding.view);

/** At most so many gaps become reasons; all of them stand in the grounding. */
const MAX_GAP_REASONS = 20;

function ungroundedReasons(grounding: GroundingResult): readonly Reason[] {
  if (grounding.gaps.length > 0) {
    return grounding.gaps.slice(0, MAX_GAP_REASONS).map((gap) => {
      const { remedy, ...data } = gap;
      const what = gap.type === 'relational' ? `${gap.source} -> ${gap.target}` : gap.concept;
      return { code: `grounding.${gap.type}`, message: `${gap.type} gap at ${what}`, data: data as JsonObject, remedy };
    });
  }
  if (grounding.resolved.length === 0) {
    const remedy = { action: 'name-concepts' };
    return [{ code: 'policy.no-concepts', message: 'the call names no concept', data: {}, remedy }];
  }
  const message = 'the grounding calls itself grounded but does not hold together';
  return [{ code: 'policy.grounding-inconsistent', message, data: {} }];
}

function conceptsOf(setup: GuardSetup, call: ToolCall, bounds: Bounds): readonly string[] | Promise<readonly string[]> {
  const { concepts } = setup;
  if (typeof concepts !== 'function') return concepts;
  const given = concepts(...setup.binding.view(call.arguments));
  return isThenable(given) ? bounded(given, 'concepts', bounds).then(fixedConcepts) : fixedConcepts(given);
}

function fixedConcepts(found: unknown): readonly string[] {
  assertConcepts(found);
  return Object.freeze([...found]);
}

function cardinalityOf(setup: GuardSetup, call: ToolCall, bounds: Bounds): string | null | Promise<string | null> {
  const { cardinality = null } = setup.options;
  if (typeof cardinality !== 'function') return cardinality;
  const given = cardinality(...setup.binding.view(call.arguments));
  return isThenable(given) ? bounded(given, 'cardinality', bounds).then(knownText) : knownText(given);
}

/** Anything that is no text is an unknown cardinality, which leaves no placement out. */
function knownText(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 40) : null;
}

function groundCall(
  setup: GuardSetup,
  call: ToolCall,
  concepts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<GroundingResult> {
  const { minDepth, grounder } = setup.options;
  const query = {
    concepts,
    ...(minDepth === undefined ? {} : { minDepth }),
    ...(call.actor === undefined ? {} : { actor: call.actor }),
  };
  const work = grounder.check(query, signal === undefined ? undefined : { signal });
  return bounded(work, 'the grounder', signal === undefined ? setup.storeBounds : { ...setup.storeBounds, signal });
}

function effectsOf(setup: GuardSetup, call: ToolCall): CallEffects | null {
  const { effects } = setup.options;
  return effects === undefined ? null : deepFreeze(effects(call), setup.frozen);
}

const GUARANTEES = {
  static: 'the concepts are fixed where the tool is written: nothing in a call can change what is checked',
  dynamic: 'weaker: the concepts are worked out from the arguments, so the check is as good as that extraction',
} as const;

/** Frozen before it is shown: whoever is shown the trace cannot change it, and its failure stops nothing. */
function tellTrace(
  setup: GuardSetup,
  call: ToolCall,
  grounding: GroundingResult,
  bounds: Bounds,
): Promise<void> | undefined {
  const { onTrace } = setup.options;
  if (onTrace === undefined) return undefined;
  const failed = (error: unknown): void => {
    if (bounds.signal?.aborted === true) throw aborted(bounds.signal);
    setup.report({ type: 'trace-failed', callId: call.id, error });
  };
  const { extraction } = setup;
  try {
    const told = onTrace(
      deepFreeze(grounding, setup.frozen),
      Object.freeze({ call, extraction, guarantee: GUARANTEES[extraction] }),
    );
    return isThenable(told) ? bounded(told, 'onTrace', bounds).then(() => undefined, failed) : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}
