import {
  type ActorKey,
  type Answer,
  canonicalJson,
  type Decider,
  type DecisionRequest,
  digest,
  type Inbox,
  isWarrantError,
  type Json,
  type JsonObject,
  type Question,
} from '@warrant/core';
import type { DeciderAnswer } from '../kit.ts';
import { seatOf } from '../request.ts';

/** The choice of a person who will not decide. */
export const REFUSE = '$refuse';

export type HumanDeciderOptions = {
  readonly inbox: Inbox;
  /** People asked. @default 1 */
  readonly quorum?: number;
  /** How many of them have to say the same. @default all */
  readonly agree?: number;
  /** Who asks, and so may not answer: the person a decision is about, for example. @default the agent */
  readonly askedBy?: (request: DecisionRequest) => ActorKey;
  readonly title?: (request: DecisionRequest) => string;
  /** Until when an answer counts; beside it, the deadline of the decide state goes on by itself. @default no end */
  readonly expiresAt?: (request: DecisionRequest) => string | null;
};

/** Asks people through an inbox. Questions and answers outlive this process; asking the same again asks nothing new. */
export function createHumanDecider(options: HumanDeciderOptions): Decider {
  const { inbox, quorum = 1 } = options;
  const agree = options.agree ?? quorum;
  if (!(quorum >= 1 && agree >= 1 && agree <= quorum))
    throw new RangeError('a quorum asks at least one person, and no more agree than are asked');
  const asked = new Map<string, Set<string>>();
  return {
    kind: 'human',
    decide: async (request, signal) => {
      const questions = questionsOf(request, options, quorum);
      const ids = asked.get(request.correlation) ?? new Set();
      asked.set(request.correlation, ids);
      for (const { id } of questions) ids.add(id);
      for (const question of questions) await askOnce(inbox, question, signal);
      const answer = await tally(questions, inbox, { agree, signal });
      // Who has not answered need not answer any more.
      for (const { id } of questions) await inbox.withdraw(id, 'decided');
      for (const { id } of questions) ids.delete(id);
      if (ids.size === 0) asked.delete(request.correlation);
      return answer;
    },
    cancel: (correlation) => {
      for (const id of asked.get(correlation) ?? [])
        void inbox.withdraw(id, 'the agent went on').catch(() => undefined);
      asked.delete(correlation);
    },
  };
}

/** A question stands as it was first asked: what the agent has learnt since, and whoever asks it again after a restart, changes nothing about it. */
async function askOnce(inbox: Inbox, question: Question, signal: AbortSignal): Promise<void> {
  try {
    await inbox.ask(question, { signal });
  } catch (error) {
    if (!isWarrantError(error, 'INBOX_ID_REUSED')) throw error;
  }
}

function questionsOf(request: DecisionRequest, options: HumanDeciderOptions, quorum: number): readonly Question[] {
  const { correlation, actor, state, candidates, context, fallback } = request;
  const payloads: JsonObject = Object.fromEntries(candidates.map(({ event, payload }) => [event, payload]));
  const seat = seatOf(request);
  const own = seat === undefined ? correlation : `${correlation}/seat-${seat}`;
  return Array.from({ length: quorum }, (_, index) => ({
    id: quorum === 1 ? own : `${own}/${index + 1}`,
    kind: 'decision' as const,
    subject: digest(seat === undefined ? { correlation, index } : { correlation, index, seat }),
    title: options.title?.(request) ?? `${actor}: what next in '${state}'?`,
    details: { state, context, fallback },
    choices: [...candidates.map(({ event }) => event), REFUSE],
    payloads: payloads as NonNullable<Question['payloads']>,
    ...(quorum === 1 && seat === undefined ? {} : { group: correlation }),
    askedBy: options.askedBy?.(request) ?? actor,
    expiresAt: options.expiresAt?.(request) ?? null,
  }));
}

/** Waits until so many agree, or until they no longer can. */
function tally(
  questions: readonly Question[],
  inbox: Inbox,
  { agree, signal }: { readonly agree: number; readonly signal: AbortSignal },
): Promise<DeciderAnswer> {
  const votes = new Map<string, Answer[]>();
  let open = questions.length;
  return new Promise((resolve, reject) => {
    const count = (vote: Answer | undefined): void => {
      open -= 1;
      if (vote !== undefined) {
        const key = canonicalJson([vote.choice, vote.payload ?? null]);
        const same = [...(votes.get(key) ?? []), vote];
        votes.set(key, same);
        if (same.length >= agree) return resolve(answerOf(vote));
      }
      const most = Math.max(0, ...[...votes.values()].map(({ length }) => length));
      if (most + open < agree)
        resolve({ type: 'refusal', reason: open === 0 && votes.size === 0 ? 'nobody-answered' : 'no-agreement' });
    };
    for (const { id } of questions)
      inbox
        .wait(id, { signal })
        .then((waited) => count(waited.type === 'answered' ? waited.answer : undefined), reject);
  });
}

function answerOf({ choice, payload, reason, answeredBy }: Answer): DeciderAnswer {
  if (choice === REFUSE) return { type: 'refusal', reason: reason ?? `refused by ${answeredBy}` };
  const rationale = reason === undefined ? {} : { rationale: reason };
  return {
    type: 'decision',
    event: choice,
    payload: (payload ?? null) as Json,
    annotations: { kind: 'human', ...rationale },
  };
}
