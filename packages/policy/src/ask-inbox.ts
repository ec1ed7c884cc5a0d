import type { Answer, Inbox, Question, Reason } from '@warrant/core';
import { aborted, bounded } from './bounded.ts';
import { type AskInput, type Confirmation, declined, keysOf, questionOf, stillApproved } from './confirmation.ts';
import type { GuardSetup } from './guard-setup.ts';

/** Calls of equal content wait for the same question; the one that comes late asks anew, at most so often. */
const MAX_ROUNDS = 5;

/**
 * Uses up an answer that is there, or asks and waits for one. The answer is taken from the inbox once, by the id of the
 * call: whoever comes second with another call finds none.
 */
export async function askInbox(setup: GuardSetup, input: AskInput, inbox: Inbox): Promise<Confirmation> {
  const { subject, signal } = input;
  const { call } = input.checked.verdict;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await stored(setup, inbox.consume(subject, { by: call.id }), signal);
    if (found.type === 'consumed') return judgeAnswer(setup, input, found.answer, round > 0);
    const { question, asked } = found.type === 'pending' ? { ...found, asked: false } : await ask(setup, input, inbox);
    if (!input.wait) return { type: 'pending', question };
    const waited = await waitFor(setup, { inbox, question, asked, callId: call.id, signal });
    if (waited !== 'answered') return closed(waited);
  }
  const message = 'other calls like this one used up every answer';
  return {
    type: 'refused',
    reason: { code: 'policy.approval-taken', message, data: {}, remedy: { action: 'call-again' } },
  };
}

async function ask(
  setup: GuardSetup,
  input: AskInput,
  inbox: Inbox,
): Promise<{ readonly question: Question; readonly asked: boolean }> {
  const answer = await stored(setup, inbox.ask(questionOf(setup, input)), input.signal);
  return { question: answer.question, asked: answer.type === 'asked' };
}

async function judgeAnswer(setup: GuardSetup, input: AskInput, answer: Answer, waited: boolean): Promise<Confirmation> {
  const { call } = input.checked.verdict;
  const approves = answer.choice === 'allow' && answer.subject === input.subject && answer.answeredBy !== call.actor;
  if (!approves) return declined(answer);
  const checked = waited ? await stillApproved(setup, input) : input.checked;
  if ('type' in checked) return checked;
  const approval = {
    by: answer.answeredBy,
    question: answer.questionId,
    subject: answer.subject,
    at: answer.answeredAt,
    policies: keysOf(input.asking),
  };
  return { type: 'allowed', checked, approval, onceId: `run/${answer.questionId}` };
}

async function waitFor(
  setup: GuardSetup,
  input: {
    readonly inbox: Inbox;
    readonly question: Question;
    readonly asked: boolean;
    readonly callId: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<'answered' | 'expired' | 'withdrawn'> {
  const { inbox, question, signal } = input;
  try {
    const never = { after: () => () => undefined };
    const waiting = inbox.wait(question.id, signal === undefined ? {} : { signal });
    return (await bounded(waiting, 'the inbox', { ...setup.bounds, timer: never, signal })).type;
  } catch (error) {
    // Nobody needs the answer any more; a question that another call asked is not ours to take back.
    if (input.asked) await withdraw(setup, inbox, question.id, input.callId);
    if (signal?.aborted === true) throw aborted(signal);
    throw error;
  }
}

async function withdraw(setup: GuardSetup, inbox: Inbox, id: string, callId: string): Promise<void> {
  try {
    await bounded(inbox.withdraw(id, 'the call was given up'), 'the inbox', {
      ...setup.storeBounds,
      signal: undefined,
    });
  } catch (error) {
    setup.report({ type: 'withdraw-failed', callId, error });
  }
}

function stored<T>(setup: GuardSetup, work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return bounded(work, 'the inbox', { ...setup.storeBounds, signal });
}

function closed(how: 'expired' | 'withdrawn'): Confirmation {
  const reason: Reason = {
    code: `policy.question-${how}`,
    message: how === 'expired' ? 'nobody answered in time' : 'the question was taken back',
    data: {},
    remedy: { action: 'call-again' },
  };
  return { type: 'declined', answer: null, reason };
}
