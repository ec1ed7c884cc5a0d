import type { GuardOutcome, JsonObject, ToolFailure } from '@warrant/core';
import { aborted, bounded } from './bounded.ts';
import type { CheckedCall } from './check-call.ts';
import type { CallContext } from './guard-options.ts';
import type { GuardSetup } from './guard-setup.ts';
import { recordableError, recordableResult } from './recordable.ts';
import type { Recorder } from './recorder.ts';

export type DispatchInput = {
  readonly checked: CheckedCall;
  readonly approval: JsonObject | null;
  readonly onceId: string | null;
  readonly context: CallContext;
};

/** Records, then acts, then records what came of it: the one place that runs the tool. Never throws. */
export async function dispatch(
  setup: GuardSetup,
  recorder: Recorder,
  input: DispatchInput,
): Promise<GuardOutcome<unknown>> {
  const { checked, approval, onceId, context } = input;
  const { verdict } = checked;
  const { call } = verdict;
  let verdictId: string | null = null;
  let args: readonly unknown[];
  try {
    args = toolArguments(setup, call.arguments, context.passThrough);
    if (setup.options.journal !== undefined) {
      const startSeq = setup.sessionOf(call).next();
      verdictId = await recorder.decision({ checked, outcome: 'run', approval, startSeq, onceId });
    }
  } catch (error) {
    return { type: 'failed', stage: 'before', error, call, verdict, recorded: 'no' };
  }
  if (context.signal?.aborted === true) {
    const error = aborted(context.signal);
    const kept = verdictId !== null && (await recorder.observation(call, verdictId, 'not-run', { result: null }));
    return { type: 'failed', stage: 'before', error, call, verdict, recorded: recordedAs(verdictId, kept) };
  }
  return runTool(setup, recorder, { checked, verdictId, args });
}

/** Runs the tool and records what came of it. Never throws. */
export async function runTool(
  setup: GuardSetup,
  recorder: Recorder,
  input: { readonly checked: CheckedCall; readonly verdictId: string | null; readonly args: readonly unknown[] },
): Promise<GuardOutcome<unknown>> {
  const { verdictId, args } = input;
  const { verdict } = input.checked;
  const { call } = verdict;
  const { secrets } = setup.options;
  let value: unknown;
  try {
    value = await setup.tool(...args);
  } catch (error) {
    const result = recordableError(error, secrets);
    const kept = verdictId !== null && (await recorder.observation(call, verdictId, 'error', result));
    await tellFailure(setup, input.checked, { outcome: 'error', ...result });
    return { type: 'failed', stage: 'during', error, call, verdict, recorded: recordedAs(verdictId, kept) };
  }
  if (verdictId === null && setup.options.onFailure === undefined)
    return { type: 'executed', value, call, verdict, recorded: 'no' };
  const result = recordableResult(value, secrets);
  const kept = verdictId !== null && (await recorder.observation(call, verdictId, 'ok', result));
  await tellFailure(setup, input.checked, { outcome: 'ok', ...result });
  return { type: 'executed', value, call, verdict, recorded: recordedAs(verdictId, kept) };
}

/** Shows a result to whoever learns from failures; whatever they do, the outcome stands. */
async function tellFailure(
  setup: GuardSetup,
  { verdict: { call }, concepts }: CheckedCall,
  observation: ToolFailure['observation'],
): Promise<void> {
  const { onFailure } = setup.options;
  if (onFailure === undefined) return;
  try {
    await bounded(Promise.resolve(onFailure({ call, observation, concepts })), 'the failure listener', setup.bounds);
  } catch (error) {
    setup.report({ type: 'listener-failed', callId: call.id, error });
  }
}

function recordedAs(verdictId: string | null, observed: boolean): 'no' | 'decision' | 'all' {
  if (verdictId === null) return 'no';
  return observed ? 'all' : 'decision';
}

/** What goes to the tool after its own arguments has to stand behind every parameter, also those left out. */
export function toolArguments(
  setup: GuardSetup,
  bound: JsonObject,
  passThrough: readonly unknown[] | undefined,
): readonly unknown[] {
  const args = setup.binding.unbind(bound);
  if (passThrough === undefined) return args;
  const padding = Array.from({ length: Math.max(0, setup.binding.size - args.length) }, () => undefined);
  return [...args, ...padding, ...passThrough];
}
