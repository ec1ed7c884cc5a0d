import type { Candidate, DecisionRequest } from '@warrant/core';
import { copyOf } from './copy.ts';
import type { SlotCandidate } from './state.ts';

/** What candidates would take, for rules of a chart: deciders at large are told of events only. */
const taken = new WeakMap<Candidate, readonly string[]>();

/** A candidate as deciders see it. */
export function choiceOf({ event, schema, conditional, transitions }: SlotCandidate): Candidate {
  const candidate = { event, payload: schema, conditional };
  taken.set(candidate, transitions);
  return candidate;
}

/** The transitions that a candidate would take; undefined for one that no agent offered. */
export function transitionsOf(candidate: Candidate): readonly string[] | undefined {
  return taken.get(candidate);
}

/** A copy that shares nothing with the question. */
export function copyOfRequest(request: DecisionRequest): DecisionRequest {
  const copied = copyOf(request);
  for (const [index, candidate] of request.candidates.entries()) {
    const transitions = taken.get(candidate);
    if (transitions !== undefined) taken.set(copied.candidates[index] as Candidate, transitions);
  }
  return copied;
}
