import { type GuardOutcome, type JsonObject, type ToolCall, type Verdict, WarrantError } from '@warrant/core';
import { aborted } from './bounded.ts';
import { type CheckedCall, checkCall } from './check-call.ts';
import { confirmCall } from './confirm-call.ts';
import type { Confirmation } from './confirmation.ts';
import { confirmationSubject } from './confirmation.ts';
import { dispatch } from './dispatch.ts';
import type { CallContext, Guarded, GuardOptions } from './guard-options.ts';
import { createSetup, type GuardSetup, settingsOf } from './guard-setup.ts';
import { identifyCall, NO_ARGUMENTS, withArguments } from './identify-call.ts';
import { observe } from './observe.ts';
import type { RecordedOutcome } from './record-types.ts';
import { approvalUsed, createRecorder, type Recorder } from './recorder.ts';

const GUARDED = Symbol.for('warrant.guarded');

/**
 * Puts a tool behind grounding, policies and confirmation. The guarded tool never throws for a refusal: what became of
 * the call is a value, and the function runs only for `executed` and `failed` during. It gets copies of its arguments,
 * so that what was checked is what runs.
 * @throws POLICY_ALREADY_GUARDED for a tool that is guarded; POLICY_GUARD_OPTIONS, POLICY_CONCEPTS_INVALID.
 */
export function guard<Args extends readonly unknown[], Result>(
  tool: (...args: Args) => Result,
  options: GuardOptions<Args>,
): Guarded<Args, Result> {
  if (isGuarded(tool)) {
    throw new WarrantError('POLICY_ALREADY_GUARDED', 'the tool is guarded already: one guard, one record');
  }
  const setup = createSetup(
    tool as (...args: readonly unknown[]) => unknown,
    options as unknown as GuardOptions<readonly unknown[]>,
  );
  const recorder = createRecorder(setup);
  const run = (args: Args, context: CallContext = {}): Promise<GuardOutcome<Awaited<Result>>> =>
    runCall(setup, recorder, args, context) as Promise<GuardOutcome<Awaited<Result>>>;
  const guarded = (...args: Args): Promise<GuardOutcome<Awaited<Result>>> => run(args);
  return Object.freeze(
    Object.defineProperties(guarded, {
      [GUARDED]: { value: true },
      run: { value: run, enumerable: true },
      toolName: { value: setup.toolName, enumerable: true },
      name: { value: `guarded ${setup.toolName}` },
    }),
  ) as Guarded<Args, Result>;
}

/** True for what {@link guard} made, also by another copy of this package. */
export function isGuarded(tool: unknown): boolean {
  return typeof tool === 'function' && (tool as unknown as Record<symbol, unknown>)[GUARDED] === true;
}

async function runCall(
  setup: GuardSetup,
  recorder: Recorder,
  args: readonly unknown[],
  context: CallContext,
): Promise<GuardOutcome<unknown>> {
  const { signal } = context;
  const { session, wait } = settingsOf(setup, context);
  let call: ToolCall = { id: '', tool: setup.toolName, arguments: NO_ARGUMENTS };
  try {
    call = identifyCall(setup, context);
    if (session !== setup.session) setup.sessions.set(call, session);
    if (signal?.aborted === true) throw aborted(signal);
    if (!setup.enforce) return await observe(setup, recorder, { call, args, context });
    call = withArguments(setup, call, args);
    const checked = await checkCall(setup, call, signal);
    return await settle(setup, recorder, { checked, args, context, wait });
  } catch (error) {
    // Whatever went wrong, the tool did not run: only `dispatch` runs it, and that never throws.
    const recorded = (await recorder.failure(call, error)) ? 'decision' : 'no';
    return { type: 'failed', stage: 'before', error, call, recorded };
  }
}

type Settling = {
  readonly checked: CheckedCall;
  readonly args: readonly unknown[];
  readonly context: CallContext;
  readonly wait: boolean;
};

async function settle(setup: GuardSetup, recorder: Recorder, input: Settling): Promise<GuardOutcome<unknown>> {
  const { checked, context, wait } = input;
  const { verdict } = checked;
  const { signal } = context;
  switch (verdict.decision) {
    case 'ungrounded':
      return refuse(setup, recorder, checked, 'ungrounded');
    case 'block':
      return refuse(setup, recorder, checked, 'blocked');
    case 'allow':
      return dispatch(setup, recorder, { checked, approval: null, onceId: null, context });
    case 'confirm': {
      const session = setup.sessionOf(verdict.call);
      const confirmation = await confirmCall(setup, { checked, session, wait, signal });
      return confirmed(setup, recorder, input, confirmation);
    }
  }
}

async function confirmed(
  setup: GuardSetup,
  recorder: Recorder,
  input: Settling,
  confirmation: Confirmation,
): Promise<GuardOutcome<unknown>> {
  const { checked, context } = input;
  const { call } = checked.verdict;
  switch (confirmation.type) {
    case 'pending': {
      const { question } = confirmation;
      const recorded = await record(setup, recorder, checked, 'pending', { question: question.id });
      return { type: 'pending', question, verdict: checked.verdict, call, recorded };
    }
    case 'declined': {
      const { answer, reason } = confirmation;
      const verdict = withReason(checked.verdict, reason);
      const approval = answer === null ? null : { question: answer.questionId, by: answer.answeredBy };
      const recorded = await record(setup, recorder, { ...checked, verdict }, 'declined', approval);
      return { type: 'declined', answer, verdict, call, recorded };
    }
    case 'refused': {
      const verdict = withReason(checked.verdict, confirmation.reason);
      return refuse(setup, recorder, { ...checked, verdict }, 'blocked');
    }
    case 'allowed': {
      const { approval, onceId } = confirmation;
      return runApproved(setup, recorder, { checked: confirmation.checked, approval, onceId, context });
    }
  }
}

/** A call that a person let through runs once, whoever repeats it. */
async function runApproved(
  setup: GuardSetup,
  recorder: Recorder,
  input: Parameters<typeof dispatch>[2],
): Promise<GuardOutcome<unknown>> {
  const { call } = input.checked.verdict;
  const session = setup.sessionOf(call);
  const subject = confirmationSubject(setup, input.checked);
  const before = session.settled(call.id);
  if (before?.outcome.type === 'ran' && before.subject === subject) throw approvalUsed(call.id);
  session.settle(call.id, { subject, outcome: { type: 'ran' } });
  const outcome = await dispatch(setup, recorder, input);
  if (outcome.type === 'failed' && outcome.stage === 'before') session.reopen(call.id);
  return outcome;
}

async function refuse(
  setup: GuardSetup,
  recorder: Recorder,
  checked: CheckedCall,
  type: 'ungrounded' | 'blocked',
): Promise<GuardOutcome<unknown>> {
  const recorded = await record(setup, recorder, checked, type, null);
  return { type, verdict: checked.verdict, call: checked.verdict.call, recorded };
}

/** A refusal stands whether or not it can be written down. */
async function record(
  setup: GuardSetup,
  recorder: Recorder,
  checked: CheckedCall,
  outcome: RecordedOutcome,
  approval: JsonObject | null,
): Promise<'no' | 'decision'> {
  try {
    const id = await recorder.decision({ checked, outcome, approval, startSeq: null, onceId: null });
    return id === null ? 'no' : 'decision';
  } catch (error) {
    setup.report({ type: 'record-failed', callId: checked.verdict.call.id, error });
    return 'no';
  }
}

function withReason(verdict: Verdict, reason: Verdict['reasons'][number]): Verdict {
  return Object.freeze({ ...verdict, reasons: Object.freeze([...verdict.reasons, Object.freeze(reason)]) });
}
