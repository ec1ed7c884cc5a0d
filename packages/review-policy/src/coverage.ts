import type { EvaluationContext } from './conditions.ts';
import { evaluate } from './evaluate.ts';
import type { Action, Policy } from './policy.ts';
import type { Subject } from './proposal.ts';

/** What a set of proposals exercises in a policy. */
export type Coverage = {
  /** How many proposals each rule decided, in the policy's order. */
  readonly rules: readonly { readonly rule: string; readonly action: Action; readonly count: number }[];
  readonly default: number;
  /** Proposals that could not be judged. */
  readonly invalid: number;
  readonly neverExercised: readonly string[];
};

/** Counts which rule decides each of the proposals. */
export function coverage(policy: Policy, proposals: Iterable<Subject>, context: EvaluationContext = {}): Coverage {
  const counts = new Map<string | null, number>();
  let invalid = 0;
  for (const proposal of proposals) {
    const decision = evaluate(policy, proposal, context);
    if (decision.type === 'invalid-proposal') invalid += 1;
    else counts.set(decision.rule, (counts.get(decision.rule) ?? 0) + 1);
  }
  const rules = policy.rules.map((rule) => ({
    rule: rule.name,
    action: rule.action,
    count: counts.get(rule.name) ?? 0,
  }));
  return {
    rules,
    default: counts.get(null) ?? 0,
    invalid,
    neverExercised: rules.filter((rule) => rule.count === 0).map((rule) => rule.rule),
  };
}
