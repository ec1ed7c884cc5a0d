import { type IdSource, type Json, type JsonObject, type Label, WarrantError } from '@warrant/core';
import type { ReviewData } from '../input.ts';
import type { DeciderAnswer } from '../kit.ts';
import { isLabel, type Outcome } from './calls.ts';
import type { AgentEvent, Injected } from './host-types.ts';
import { withinRun } from './names.ts';
import { type Message, messageOf, NO_MESSAGE } from './turns.ts';

/** What callers give may come from anywhere: nothing of it but what belongs there becomes an input. */
function refuse(message: string): never {
  throw new WarrantError('DECIDE_INPUT', message);
}

function membersOf(given: unknown): JsonObject {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as JsonObject) : {};
}

/** An event as an input. @throws DECIDE_INPUT for what is no event */
export function eventOutcome(event: AgentEvent): Outcome {
  const { name, data = null, origin, id, label } = membersOf(event);
  if (typeof name !== 'string' || name === '') refuse('an event has a name');
  if (origin !== undefined && typeof origin !== 'string') refuse('the origin of an event is text');
  if (id !== undefined && typeof id !== 'string') refuse('the id of an event is text');
  const labelled = label === undefined ? {} : { label: givenLabel(label) };
  return { type: 'event', data: { name, data, ...(origin === undefined ? {} : { origin }), ...labelled } };
}

/** Somebody's answer to an offer as an input. @throws DECIDE_INPUT for what is no answer */
export function answerOutcome(correlation: string, answer: DeciderAnswer): Outcome {
  const { type, event, payload = null, reason, annotations } = membersOf(answer);
  const said = annotations === undefined ? {} : { annotations };
  if (type === 'decision' && typeof event === 'string')
    return { type, data: { correlation, event, payload, ...said } } as Outcome;
  if (type === 'refusal' && typeof reason === 'string')
    return { type, data: { correlation, reason, ...said } } as Outcome;
  return refuse('an answer is a decision with an event, or a refusal with a reason');
}

type Given = { readonly outcome: Outcome; readonly message: Message };

/** What a fork begins with. @param actors the first run and the fork, whose offers are the same @throws DECIDE_INPUT before there is a fork */
export function injectedInput(one: Injected, ids: IdSource, actors: readonly string[]): Given {
  const { correlation, answer } = membersOf(one);
  if (answer === undefined)
    return { outcome: eventOutcome(one as AgentEvent), message: messageOf(one as AgentEvent, ids) };
  if (typeof correlation !== 'string') refuse('an answer names its offer');
  return { outcome: answerOutcome(withinRun(correlation, actors), answer as DeciderAnswer), message: NO_MESSAGE };
}

/** What a review came to as an input. @throws DECIDE_INPUT */
export function reviewOutcome(review: ReviewData): Outcome {
  const { proposal, decision, reason } = membersOf(review);
  if (typeof proposal !== 'string' || (decision !== 'approved' && decision !== 'rejected'))
    refuse('a review names a proposal and is approved or rejected');
  if (reason !== undefined && typeof reason !== 'string') refuse('the reason of a review is text');
  return { type: 'review', data: review };
}

/** What a run is started with. @throws DECIDE_INPUT */
export function givenInput(input: JsonObject, label: Label | undefined): { input: JsonObject; label?: Label } {
  const given: unknown = input;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) refuse('the input of a run is an object');
  return label === undefined ? { input } : { input, label: givenLabel(label) };
}

/** @throws DECIDE_INPUT for what says nothing about trust */
function givenLabel(label: Json | Label): Label {
  return isLabel(label) ? (label as Label) : refuse('a label has a trust and a list of sources');
}
