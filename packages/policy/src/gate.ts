import {
  type ActorKey,
  type CallEffects,
  type GroundingResult,
  systemTimer,
  type Timer,
  type ToolCall,
} from '@warrant/core';
import { askConditions } from './ask-conditions.ts';
import type { Bounds } from './bounded.ts';
import {
  type ConditionAnswer,
  type DormantRule,
  decidePolicies,
  type PolicyDecision,
  policyQuestions,
} from './decide.ts';
import type { PolicySet } from './policy-set.ts';
import { readGrounding } from './read-grounding.ts';

export type EvaluatePoliciesInput = {
  readonly grounding: GroundingResult;
  readonly policies: PolicySet;
  /** Without a call no condition can be asked, so every considered placement fires. */
  readonly call?: ToolCall | null;
  /** Anything but `single` and `multiple` is unknown: no placement is left out. @default null */
  readonly cardinality?: string | null;
  readonly actor?: ActorKey | null;
  readonly effects?: CallEffects | null;
  /** @default 'report' */
  readonly dormant?: DormantRule;
  /** How long one asynchronous condition may take, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
  readonly timer?: Timer;
  readonly signal?: AbortSignal;
};

/** How long a condition may take when nothing else is said, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 5000;

/** The decision with the answers it was made from, so that it can be recorded and made again. */
export type PolicyEvaluation = PolicyDecision & { readonly answers: readonly ConditionAnswer[] };

/**
 * Asks the conditions on the edges of the grounding and decides. Nobody is asked for a confirmation: `confirm` is the
 * answer, and what to do with it is the caller's.
 * @throws POLICY_ABORTED when the signal is aborted.
 */
export async function evaluatePolicies(input: EvaluatePoliciesInput): Promise<PolicyEvaluation> {
  const facts = readGrounding(input.grounding);
  const { policies, cardinality = null, call = null, effects = null, timeoutMs = DEFAULT_TIMEOUT_MS } = input;
  const bounds: Bounds = { timer: input.timer ?? systemTimer, timeoutMs, signal: input.signal };
  const questions = policyQuestions(facts, policies, cardinality);
  const actor = input.actor ?? call?.actor ?? null;
  const answers = questions.length === 0 ? [] : await askConditions(questions, { call, actor, facts, effects }, bounds);
  const dormant = input.dormant ?? 'report';
  return { ...decidePolicies({ facts, policies, cardinality, answers, dormant }), answers };
}
