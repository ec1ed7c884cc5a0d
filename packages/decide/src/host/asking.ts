import type { DecisionRequest, JsonObject } from '@warrant/core';
import type { Slot } from '../state.ts';
import type { Memory } from './memory.ts';
import { correlationIri } from './names.ts';

/** What a decider is asked. `copied`: nothing in it is shared with the agent, so that a decider cannot reach it. */
export function requestOf(memory: Memory, slot: Slot, copied: boolean): DecisionRequest {
  const session = memory.state.sessions.find(({ id }) => id === slot.session);
  const context: JsonObject = session?.chart.data ?? {};
  const request: DecisionRequest = {
    correlation: correlationIri(memory.actor, slot.correlation),
    actor: memory.actor,
    state: slot.state,
    candidates: slot.candidates.map(({ event, schema, conditional }) => ({ event, payload: schema, conditional })),
    context,
    labels: memory.state.label === null ? {} : { '': memory.state.label },
    binding: slot.binding,
    fallback: slot.fallback,
    fingerprint: slot.fingerprint,
  };
  return copied ? structuredClone(request) : request;
}
