import type { Decider, DecisionRequest } from '@warrant/core';
import type { DeciderAnswer } from '../kit.ts';

export type ScriptedDecider = Decider & {
  /** Everything it was asked, in order. */
  readonly asked: readonly DecisionRequest[];
  readonly cancelled: readonly string[];
};

/** Gives prepared answers, one a question, for tests and examples; without one left it refuses. */
export function createScriptedDecider(
  answers: readonly (DeciderAnswer | ((request: DecisionRequest) => DeciderAnswer))[],
): ScriptedDecider {
  const left = [...answers];
  const asked: DecisionRequest[] = [];
  const cancelled: string[] = [];
  return {
    kind: 'custom',
    asked,
    cancelled,
    decide: async (request) => {
      asked.push(request);
      const answer = left.shift() ?? { type: 'refusal', reason: 'script-ended' };
      return typeof answer === 'function' ? answer(request) : answer;
    },
    cancel: (correlation) => void cancelled.push(correlation),
  };
}
