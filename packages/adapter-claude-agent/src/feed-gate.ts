import { type CallEffects, digestBytes, type Json, type ToolCall } from '@warrant/core';
import { type Claim, type GateEvent, type GateVerdict, recordedObservation } from '@warrant/submit-gate';
import { boundedArguments } from './bounded-arguments.ts';
import type { HookEventOf } from './hook-event.ts';
import type { SessionState } from './session-state.ts';
import type { Setup } from './settings.ts';

/** The session after some steps of its gate, and the steps for the record. */
export type Fed = { readonly state: SessionState; readonly steps: readonly GateEvent[] };

/** A call as the gate sees it, and what it touches: without secrets, since both are kept and recorded. */
export function gateCall(
  setup: Setup,
  { call, directory }: Pick<HookEventOf<'tool-starting'>, 'call' | 'directory'>,
  { id, effects }: { readonly id: string; readonly effects: CallEffects },
): { readonly call: ToolCall; readonly effects: CallEffects } {
  const args = boundedArguments(call.arguments, setup.replace);
  const where = directory === '' ? {} : { directory: setup.replace(directory) };
  return { call: { id, tool: call.tool, arguments: args, ...where }, effects: setup.replace(effects) };
}

/** A call begins. One that is running already, told twice under other names, changes nothing. */
export function startCall(
  setup: Setup,
  state: SessionState,
  input: { readonly call: ToolCall; readonly effects: CallEffects },
): Fed {
  const { id } = input.call;
  const open = state.gate.running.some((item) => item.id === id) || state.gate.open.some((item) => item.id === id);
  if (open) return { state, steps: [] };
  const sequence = state.sequence + 1;
  const event = { call: input.call, startSeq: sequence, effects: input.effects };
  const gate = setup.gate.start(state.gate, event);
  return { state: { ...state, sequence, gate }, steps: [{ type: 'started', event }] };
}

/** A call has ended, or it is known now that it never ran. */
export function endCall(
  setup: Setup,
  state: SessionState,
  input: { readonly id: string; readonly outcome: 'ok' | 'error' | 'not-run'; readonly result: Json },
): Fed {
  if (!state.gate.running.some((item) => item.id === input.id)) return { state, steps: [] };
  const sequence = state.sequence + 1;
  const { id, outcome, result } = input;
  const told = { callId: id, endSeq: sequence, outcome, result };
  const event =
    outcome === 'not-run' ? told : recordedObservation(told, setup.gate.factsOf(state.gate, told), digestBytes);
  const gate = setup.gate.observe(state.gate, event);
  return { state: { ...state, sequence, gate }, steps: [{ type: 'observed', event }] };
}

/** One after the other. */
export function andThen(fed: Fed, next: (state: SessionState) => Fed): Fed {
  const after = next(fed.state);
  return { state: after.state, steps: [...fed.steps, ...after.steps] };
}

/** What the gate says of a claim, with the session after it. */
export function submitClaim(
  setup: Setup,
  state: SessionState,
  claim: Claim,
  confidence?: number | null,
): Fed & { readonly verdict: GateVerdict } {
  const { state: gate, verdict } = setup.gate.submit(state.gate, claim, confidence);
  const { type, reasons, downgraded } = verdict;
  const step: GateEvent = {
    type: 'submitted',
    claim,
    ...(confidence === undefined ? {} : { confidence }),
    verdict: { type, reasons, downgraded },
  };
  return { state: { ...state, gate }, steps: [step], verdict };
}
