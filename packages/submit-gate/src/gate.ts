import type { Started, ToolCall } from '@warrant/core';
import { effectsOf } from './classify.ts';
import { resolveConfig } from './config.ts';
import type { GateConfig } from './config-types.ts';
import { gateError } from './errors.ts';
import { factsOf } from './facts.ts';
import { remember } from './memory.ts';
import { observed } from './observe.ts';
import { started } from './start.ts';
import { draftOf, initialState, nextTurn, progressOf, resumed } from './state.ts';
import { submitted, verifierQuestionOf } from './submit.ts';
import { codeHashes } from './text/tokens.ts';
import type { Claim, GateState, RecordedObservation, SubmitGate } from './types.ts';

const CODES_SAID = 500;

/**
 * A gate at the boundary where an agent says that something is true or done: pure steps over JSON state, no model, no clock, no I/O.
 * @throws SUBMIT_GATE_CONFIG_INVALID for a config that makes no sense.
 */
export function createGate(input: GateConfig = {}): SubmitGate {
  const config = resolveConfig(input);
  return {
    config,
    initial: initialState(config),
    start: (state: GateState, event: Started) => started(config, state, event),
    observe: (state: GateState, event: RecordedObservation) => observed(config, state, event),
    reason: (state: GateState) => (state.budget === 0 ? state : spent(state)),
    beginTurn: (state: GateState, message?: string) => {
      const next = nextTurn(config, state);
      if (message !== undefined) remember(config, next, codeHashes(message, CODES_SAID));
      return next;
    },
    verifierQuestion: (state: GateState, claim: Claim) => verifierQuestionOf(config, state, claim),
    submit: (state: GateState, claim: Claim, confidence?: number | null) => submitted(config, state, claim, confidence),
    effectsOf: (call: ToolCall) => effectsOf(config, call),
    factsOf: (state: GateState, event: RecordedObservation) => {
      const call = state.running.find((item) => item.id === event.callId);
      if (call === undefined)
        throw gateError('SUBMIT_GATE_SEQUENCE', `no call '${event.callId}' is running`, { callId: event.callId });
      return factsOf(config, state, call, event);
    },
    progress: (state: GateState) => progressOf(config, state),
    resume: (state: unknown) => resumed(config, state),
  };
}

function spent(state: GateState): GateState {
  const next = draftOf(state);
  next.budget -= 1;
  return next;
}
