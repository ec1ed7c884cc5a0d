import { type Decider, type DecisionRequest, isWarrantError } from '@warrant/core';
import { cut } from '../cut.ts';
import { onlyReads, type RuleDecider } from '../deciders/guard.ts';
import type { AgentKit, DeciderAnswer } from '../kit.ts';
import type { AgentState, Slot } from '../state.ts';
import { answerOf, MAX_BINDING, requestOf } from './asking.ts';
import type { Outcome } from './calls.ts';

/** A question that a rule has answered. */
export type Ruled = {
  readonly correlation: string;
  readonly request: DecisionRequest;
  readonly answer: DeciderAnswer;
  readonly outcome: Outcome;
  /** Whether the outcome holds nothing but names of the chart, and so is stored as it stands. */
  readonly isPlain: boolean;
};
/** Asks the rules of a kit about an agent; undefined when it waits for none of them. */
export type AskRules = (actor: string, state: AgentState) => Ruled | undefined;

/** Rules answer from the question alone, so that their answers need no second append. */
export function rulesOf(
  { deciders = {} }: AgentKit,
  onFault: (fault: { readonly actor: string; readonly effect: string; readonly error: unknown }) => void,
): AskRules {
  const ruleOf = ({ status, binding }: Slot): RuleDecider | undefined => {
    if (status !== 'open' || !Object.hasOwn(deciders, binding)) return undefined;
    const decider = deciders[binding] as Decider;
    return isRule(decider) ? decider : undefined;
  };
  return (actor, state) => {
    if (state.status !== 'running') return undefined;
    for (const slot of state.slots) {
      const rule = ruleOf(slot);
      if (rule === undefined) continue;
      const request = requestOf({ actor, state }, slot, !onlyReads(rule));
      const answer = answered(rule, request, (error) => onFault({ actor, effect: slot.correlation, error }));
      const plain = plainOutcome(slot, answer);
      const outcome = plain ?? answerOf(slot, answer, rule.kind);
      return { correlation: slot.correlation, request, answer, outcome, isPlain: plain !== undefined };
    }
    return undefined;
  };
}

function plainOutcome(
  { correlation, binding, fallback, candidates }: Slot,
  answer: DeciderAnswer | null | undefined,
): Outcome | undefined {
  // Rules that somebody else wrote may say nothing.
  if (answer?.type !== 'decision' || answer.payload !== null || answer.annotations !== undefined) return undefined;
  const { event } = answer;
  if (!candidates.some((one) => one.event === event)) return undefined;
  // In the order in which it will be written, which spares sorting.
  const annotations = { binding: cut(binding, MAX_BINDING), fallback, kind: 'guard' };
  return { data: { annotations, correlation, event, payload: null }, type: 'decision' };
}

function isRule(decider: Decider): decider is RuleDecider {
  return decider.kind === 'guard' && typeof (decider as Partial<RuleDecider>).decideNow === 'function';
}

function answered(rule: RuleDecider, request: DecisionRequest, onFault: (error: unknown) => void): DeciderAnswer {
  try {
    return rule.decideNow(request);
  } catch (error) {
    onFault(error);
    return { type: 'refusal', reason: isWarrantError(error) ? error.code : 'decider-failed' };
  }
}
