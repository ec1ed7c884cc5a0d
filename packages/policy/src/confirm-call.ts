import type { PolicyFinding, Reason } from '@warrant/core';
import { messageOf } from './ask-conditions.ts';
import { askInbox } from './ask-inbox.ts';
import { aborted, bounded, isThenable } from './bounded.ts';
import type { CheckedCall } from './check-call.ts';
import {
  type Confirmation,
  type ConfirmInput,
  confirmationSubject,
  declined,
  fired,
  isCovered,
  keysOf,
  movedReason,
  rememberSticky,
} from './confirmation.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { GuardSetup } from './guard-setup.ts';
import { approvalUsed } from './recorder.ts';

/**
 * Finds out whether a person lets the call run. An approval counts for this actor, folder, tool, arguments, view and
 * policies, for one call.
 * @throws POLICY_APPROVAL_USED when this call ran under an approval before; whatever the inbox or the grounder throws.
 */
export async function confirmCall(setup: GuardSetup, input: ConfirmInput): Promise<Confirmation> {
  const { checked, session } = input;
  const { call } = checked.verdict;
  const subject = confirmationSubject(setup, checked);
  const before = session.settled(call.id);
  if (before !== undefined && before.subject === subject) {
    if (before.outcome.type === 'ran') throw approvalUsed(call.id);
    return declined(before.outcome.answer);
  }
  const asking = fired(checked).filter((finding) => !isCovered(checked, session, finding));
  if (asking.length === 0) {
    return { type: 'allowed', checked, approval: { by: 'session', policies: keysOf(fired(checked)) }, onceId: null };
  }
  const confirmation =
    setup.options.inbox === undefined
      ? await askHandler(setup, input, asking)
      : await askInbox(setup, { ...input, asking, subject }, setup.options.inbox);
  if (confirmation.type === 'allowed') rememberSticky(checked, session, asking);
  // A question that ran out may be asked again, a person's no stands.
  if (confirmation.type === 'declined' && confirmation.reason.code === 'policy.declined') {
    session.settle(call.id, { subject, outcome: { type: 'declined', answer: confirmation.answer } });
  }
  return confirmation;
}

async function askHandler(
  setup: GuardSetup,
  input: ConfirmInput,
  asking: readonly PolicyFinding[],
): Promise<Confirmation> {
  const { onPolicy } = setup.options;
  const { checked, signal } = input;
  if (onPolicy === undefined) return { type: 'refused', reason: NOBODY };
  let answer: unknown;
  try {
    const verdict = deepFreeze(checked.verdict, setup.frozen);
    const given = onPolicy(deepFreeze(asking, setup.frozen), { call: verdict.call, verdict, signal });
    answer = isThenable(given) ? await untilAborted(setup, given, signal) : given;
  } catch (error) {
    if (signal?.aborted === true) throw aborted(signal);
    return { type: 'refused', reason: handlerFailed(error) };
  }
  // A promise of a promise, a text or a number is no yes.
  if (answer !== true) return declined(null);
  const unchanged = await sameGround(setup, checked, signal);
  if (!unchanged) return { type: 'refused', reason: movedReason('moved') };
  return { type: 'allowed', checked, approval: { by: 'handler', policies: keysOf(asking) }, onceId: null };
}

/** People take their time: only the signal ends the waiting. */
function untilAborted<T>(setup: GuardSetup, work: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  const never = { after: () => () => undefined };
  return bounded(work, 'onPolicy', { ...setup.bounds, timer: never, signal });
}

async function sameGround(setup: GuardSetup, checked: CheckedCall, signal: AbortSignal | undefined): Promise<boolean> {
  const { inputs } = checked.verdict;
  const { minDepth, grounder } = setup.options;
  const { actor } = checked.verdict.call;
  const query = {
    concepts: checked.concepts,
    ...(minDepth === undefined ? {} : { minDepth }),
    ...(actor === undefined ? {} : { actor }),
  };
  const [grounding, policies] = await Promise.all([
    bounded(grounder.check(query, signal === undefined ? {} : { signal }), 'the grounder', {
      ...setup.storeBounds,
      signal,
    }),
    setup.policies(),
  ]);
  return grounding.view === inputs.view && policies.digest() === inputs.policy;
}

const NOBODY: Reason = {
  code: 'policy.no-one-to-ask',
  message: 'a confirmation is needed and the guard has neither inbox nor handler',
  data: {},
  remedy: { action: 'configure-inbox' },
};

function handlerFailed(error: unknown): Reason {
  const message = `the confirmation handler failed: ${messageOf(error).slice(0, 200)}`;
  return { code: 'policy.handler-error', message, data: {}, remedy: { action: 'call-again' } };
}
