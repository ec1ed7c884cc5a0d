import type { Digest, GuardOutcome, ToolCall, Verdict } from '@warrant/core';
import { messageOf } from './ask-conditions.ts';
import { aborted } from './bounded.ts';
import { type CheckedCall, checkCall } from './check-call.ts';
import { runTool, toolArguments } from './dispatch.ts';
import type { CallContext } from './guard-options.ts';
import type { GuardSetup } from './guard-setup.ts';
import { withArguments } from './identify-call.ts';
import type { RecordedOutcome } from './record-types.ts';
import type { Recorder } from './recorder.ts';

/** Lets the call run whatever the check says, and records what would have been. Asks nobody. */
export async function observe(
  setup: GuardSetup,
  recorder: Recorder,
  input: { readonly call: ToolCall; readonly args: readonly unknown[]; readonly context: CallContext },
): Promise<GuardOutcome<unknown>> {
  const { context } = input;
  const { signal, passThrough } = context;
  let { call } = input;
  let args: readonly unknown[] = [...input.args, ...(passThrough ?? [])];
  let checked: CheckedCall;
  try {
    call = withArguments(setup, call, input.args);
    args = toolArguments(setup, call.arguments, passThrough);
    checked = await checkCall(setup, call, signal);
  } catch (error) {
    setup.report({ type: 'check-failed', callId: call.id, error });
    checked = uncheckable(call, error);
  }
  const verdictId = await record(setup, recorder, checked);
  // Giving up a call is the caller's own wish, no refusal of ours.
  if (signal?.aborted === true) {
    return {
      type: 'failed',
      stage: 'before',
      error: aborted(signal),
      call,
      recorded: verdictId === null ? 'no' : 'decision',
    };
  }
  return runTool(setup, recorder, { checked, verdictId, args });
}

const OUTCOMES = {
  allow: 'run',
  ungrounded: 'ungrounded',
  block: 'blocked',
  confirm: 'pending',
} as const satisfies Record<Verdict['decision'], RecordedOutcome>;

async function record(setup: GuardSetup, recorder: Recorder, checked: CheckedCall): Promise<string | null> {
  const { call, decision } = checked.verdict;
  try {
    const startSeq = setup.options.journal === undefined ? null : setup.sessionOf(call).next();
    const outcome = OUTCOMES[decision];
    return await recorder.decision({ checked, outcome, approval: null, startSeq, onceId: null });
  } catch (error) {
    setup.report({ type: 'record-failed', callId: call.id, error });
    return null;
  }
}

/** The digest of nothing: there was no view, or no policies, to name. */
const NOTHING: Digest = `sha256:${'0'.repeat(64)}`;

/** A call that could not be checked would have been refused. */
function uncheckable(call: ToolCall, error: unknown): CheckedCall {
  const message = `the check failed: ${messageOf(error).slice(0, 400)}`;
  return {
    verdict: Object.freeze({
      decision: 'block',
      enforced: false,
      call,
      grounding: { grounded: false, resolved: [], gaps: [] },
      policies: [],
      reasons: [{ code: 'policy.check-failed', message, data: {} }],
      inputs: { graph: { epoch: '', revision: 0 }, view: NOTHING, policy: NOTHING },
    } satisfies Verdict),
    facts: { grounded: false, resolved: [], edges: [] },
    answers: [],
    concepts: [],
    cardinality: null,
    declarations: () => [],
    sticky: () => false,
  };
}
