import { canonicalJson, type Decider, type DecisionRequest } from '@warrant/core';
import type { DeciderAnswer } from '../kit.ts';
import { copyOfRequest } from '../request.ts';

export type PanelOptions = {
  readonly members: readonly Decider[];
  /** How many have to choose the same event with the same payload. */
  readonly agree: number;
  /** Asked when they do not. @default a refusal, `panel-disagrees` */
  readonly otherwise?: Decider;
};

/** Several deciders answer; what enough of them agree on is the answer. */
export function createPanelDecider({ members, agree, otherwise }: PanelOptions): Decider {
  if (!(agree >= 1 && agree <= members.length))
    throw new RangeError('a panel needs from one to all of its members to agree');
  return {
    kind: 'custom',
    decide: async (request, signal) => {
      const settled = new AbortController();
      const agreed = await vote(members, request, { agree, signal: AbortSignal.any([signal, settled.signal]) });
      // Those who have not voted need not go on.
      settled.abort(SETTLED);
      if (agreed !== undefined) return agreed;
      return otherwise === undefined
        ? { type: 'refusal', reason: 'panel-disagrees' }
        : otherwise.decide(request, signal);
    },
    cancel: (correlation) => {
      for (const member of [...members, ...(otherwise === undefined ? [] : [otherwise])]) member.cancel?.(correlation);
    },
  };
}

const SETTLED = new Error('the panel has voted');

/** The first choice that enough have made, or undefined once none can get there. A member that fails has no vote. */
function vote(
  members: readonly Decider[],
  request: DecisionRequest,
  { agree, signal }: { readonly agree: number; readonly signal: AbortSignal },
): Promise<DeciderAnswer | undefined> {
  const votes = new Map<string, number>();
  let open = members.length;
  return new Promise((resolve) => {
    const count = (answer: DeciderAnswer | undefined): void => {
      open -= 1;
      if (answer?.type === 'decision') {
        const key = canonicalJson([answer.event, answer.payload]);
        const same = (votes.get(key) ?? 0) + 1;
        votes.set(key, same);
        if (same >= agree) return resolve(answer);
      }
      if (Math.max(0, ...votes.values()) + open < agree) resolve(undefined);
    };
    for (const member of members) {
      Promise.resolve()
        .then(() => member.decide(copyOfRequest(request), signal))
        .then(count, () => count(undefined));
    }
  });
}
