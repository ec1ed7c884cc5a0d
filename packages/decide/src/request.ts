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

/** Which of several people of one panel a question is for. */
const seats = new WeakMap<DecisionRequest, number>();

/** A copy for one of several people who are asked the same, so that each is asked a question of their own. @param seat from 1 on */
export function seatedCopy(request: DecisionRequest, seat: number): DecisionRequest {
  const copied = copyOfRequest(request);
  seats.set(copied, seat);
  return copied;
}

/** The seat that a question is for; undefined where one decider is asked alone. */
export function seatOf(request: DecisionRequest): number | undefined {
  return seats.get(request);
}
