import {
  type Annotations,
  canonicalJson,
  type Decider,
  type DecisionRequest,
  type Json,
  type Usage,
} from '@warrant/core';
import { isJson } from '../host/calls.ts';
import type { DeciderAnswer } from '../kit.ts';
import { copyOfRequest, seatedCopy } from '../request.ts';
import { isUsage, sumUsage } from '../usage.ts';

export type PanelOptions = {
  readonly members: readonly Decider[];
  /** How many have to choose the same event with the same payload. */
  readonly agree: number;
  /** Asked when they do not. @default a refusal, `panel-disagrees` */
  readonly otherwise?: Decider;
};

/** Several deciders answer; what enough of them agree on is the answer. The usage in it is that of all who have answered. People among them are asked a question each, and one person has one vote. */
export function createPanelDecider({ members, agree, otherwise }: PanelOptions): Decider {
  if (!(agree >= 1 && agree <= members.length))
    throw new RangeError('a panel needs from one to all of its members to agree');
  return {
    kind: 'custom',
    decide: async (request, signal) => {
      const settled = new AbortController();
      const { agreed, spent, silent } = await vote(members, request, {
        agree,
        signal: AbortSignal.any([signal, settled.signal]),
      });
      // Those who have not voted need not go on.
      settled.abort(SETTLED);
      for (const member of silent) member.cancel?.(request.correlation);
      if (agreed !== undefined) return withUsage(agreed, spent);
      if (otherwise === undefined) return withUsage({ type: 'refusal', reason: 'panel-disagrees' }, spent);
      const last: DeciderAnswer = await otherwise.decide(request, signal);
      return withUsage(last, [...spent, ...usageOf(last)]);
    },
    cancel: (correlation) => {
      for (const member of [...members, ...(otherwise === undefined ? [] : [otherwise])]) member.cancel?.(correlation);
    },
  };
}

const SETTLED = new Error('the panel has voted');

type Vote = {
  readonly agreed: DeciderAnswer | undefined;
  readonly spent: readonly Usage[];
  /** Members that have not answered. */
  readonly silent: readonly Decider[];
};

/** The first choice that enough have made, or none once none can get there. A member that fails, or gives no answer that could be recorded, has no vote. */
function vote(
  members: readonly Decider[],
  request: DecisionRequest,
  { agree, signal }: { readonly agree: number; readonly signal: AbortSignal },
): Promise<Vote> {
  const votes = new Map<string, number>();
  const spent: Usage[] = [];
  const open = new Set(members.keys());
  const seats = members.filter(({ kind }) => kind === 'human').length > 1;
  return new Promise((resolve) => {
    const end = (agreed: DeciderAnswer | undefined) =>
      resolve({ agreed, spent: [...spent], silent: [...open].map((index) => members[index] as Decider) });
    const count = (index: number, answer: DeciderAnswer | undefined): void => {
      open.delete(index);
      spent.push(...usageOf(answer));
      const choice = choiceOf(answer);
      if (choice !== undefined) {
        const same = (votes.get(choice) ?? 0) + 1;
        votes.set(choice, same);
        if (same >= agree) return end(answer);
      }
      if (Math.max(0, ...votes.values()) + open.size < agree) end(undefined);
    };
    for (const [index, member] of members.entries()) {
      const question = () =>
        seats && member.kind === 'human' ? seatedCopy(request, index + 1) : copyOfRequest(request);
      Promise.resolve()
        .then(() => member.decide(question(), signal))
        .then(
          (answer) => count(index, answer),
          () => count(index, undefined),
        );
    }
  });
}

/** What is said, for comparing; members may be anything. */
function choiceOf(answer: DeciderAnswer | undefined): string | undefined {
  if (answer?.type !== 'decision' || !isJson(answer as unknown)) return undefined;
  // No payload is null to an agent.
  const { event, payload = null } = answer as { readonly event: string; readonly payload?: Json };
  return canonicalJson([event, payload]);
}

function usageOf(answer: DeciderAnswer | undefined): readonly Usage[] {
  const usage = annotationsOf(answer)?.usage;
  return isUsage(usage) ? [usage] : [];
}

function annotationsOf(answer: DeciderAnswer | undefined): Annotations | undefined {
  return (answer as { readonly annotations?: Annotations } | undefined)?.annotations;
}

function withUsage(answer: DeciderAnswer, spent: readonly Usage[]): DeciderAnswer {
  const usage = sumUsage(spent);
  if (usage === undefined) return answer;
  const annotations: Annotations = { ...annotationsOf(answer), usage };
  return { ...answer, annotations };
}
