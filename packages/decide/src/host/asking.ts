import type { DecisionRequest, Json, JsonObject, Labels } from '@warrant/core';
import type { DeciderAnswer } from '../kit.ts';
import type { AgentState, Slot } from '../state.ts';
import { isJson, type Outcome } from './calls.ts';
import type { AgentEvent } from './host-types.ts';
import { correlationIri } from './names.ts';

type Asking = { readonly actor: string; readonly state: AgentState };

/** What a decider is asked. `copied`: nothing in it is shared with the agent, so that a decider cannot reach it. */
export function requestOf({ actor, state }: Asking, slot: Slot, copied: boolean): DecisionRequest {
  const session = state.sessions.find(({ id }) => id === slot.session);
  const context: JsonObject = session?.chart.data ?? {};
  const request: DecisionRequest = {
    correlation: correlationIri(actor, slot.correlation),
    actor,
    state: slot.state,
    candidates: slot.candidates.map(({ event, schema, conditional }) => ({ event, payload: schema, conditional })),
    context,
    labels: labelsIn(state, slot),
    binding: slot.binding,
    fallback: slot.fallback,
    fingerprint: slot.fingerprint,
  };
  return copied ? structuredClone(request) : request;
}

/** Of the whole, and of each data item by its pointer into the context. */
function labelsIn(state: AgentState, slot: Slot): Labels {
  const items = Object.entries(state.sessions.find(({ id }) => id === slot.session)?.labels ?? {});
  return {
    ...(state.label === null ? {} : { '': state.label }),
    ...Object.fromEntries(items.map(([name, label]) => [`/${name}`, label])),
  };
}

/** The answer as an input; what is no answer at all is a refusal. */
export function answerOf(slot: Slot, answer: DeciderAnswer, kind: string): Outcome {
  const { correlation, binding, fallback } = slot;
  const given: unknown = answer;
  const isAnswer = typeof given === 'object' && given !== null && isJson(given as Json);
  const shape = (isAnswer ? given : {}) as JsonObject;
  if (shape['type'] === 'decision' && typeof shape['event'] === 'string') {
    const { annotations } = answer as { readonly annotations?: JsonObject };
    const whole = isPlain(annotations) ? { kind, binding, fallback, ...annotations } : annotations;
    return {
      type: 'decision',
      data: { correlation, event: shape['event'], payload: shape['payload'] ?? null, annotations: whole },
    } as Outcome;
  }
  const reason = shape['type'] === 'refusal' && typeof shape['reason'] === 'string' ? shape['reason'] : 'not-an-answer';
  const { annotations } = shape;
  return {
    type: 'refusal',
    data: { correlation, reason: reason.slice(0, 500), ...(annotations === undefined ? {} : { annotations }) },
  } as Outcome;
}

function isPlain(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

/** An event as an input. */
export function eventOutcome({ name, data = null, origin, label }: Omit<AgentEvent, 'id'>): Outcome {
  return {
    type: 'event',
    data: { name, data, ...(origin === undefined ? {} : { origin }), ...(label === undefined ? {} : { label }) },
  };
}

/** Somebody's answer to an offer as an input. */
export function answerOutcome(correlation: string, { type, ...rest }: DeciderAnswer): Outcome {
  return { type, data: { correlation, ...rest } } as Outcome;
}
