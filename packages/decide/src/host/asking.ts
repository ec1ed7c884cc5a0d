import type { DecisionRequest, Json, JsonObject, Label, Labels } from '@warrant/core';
import { cut } from '../cut.ts';
import type { DeciderAnswer } from '../kit.ts';
import { choiceOf, copyOfRequest } from '../request.ts';
import type { AgentState, Slot } from '../state.ts';
import { isJson, type Outcome } from './calls.ts';
import { correlationIri } from './names.ts';

type Asking = { readonly actor: string; readonly state: AgentState };

/** What a decider is asked. `copied`: nothing in it is shared with the agent, so that a decider cannot reach it. */
export function requestOf({ actor, state }: Asking, slot: Slot, copied: boolean): DecisionRequest {
  const session = state.sessions.find(({ id }) => id === slot.session);
  const request: DecisionRequest = {
    correlation: correlationIri(actor, slot.correlation),
    actor,
    state: slot.state,
    candidates: choicesOf(slot.candidates),
    context: session?.chart.data ?? {},
    labels: labelsIn(state.label, session?.labels ?? NO_LABELS),
    binding: slot.binding,
    fallback: slot.fallback,
    fingerprint: slot.fingerprint,
  };
  return copied ? copyOfRequest(request) : request;
}

type Choices = DecisionRequest['candidates'];
const choices = new WeakMap<Slot['candidates'], Choices>();

/** Offers mostly share their candidates, and values are never changed in place. */
function choicesOf(candidates: Slot['candidates']): Choices {
  const known = choices.get(candidates);
  if (known !== undefined) return known;
  const made = candidates.map(choiceOf);
  choices.set(candidates, made);
  return made;
}

type ItemLabels = Readonly<Record<string, Label>>;
const NO_LABELS: ItemLabels = {};
const views = new WeakMap<ItemLabels, { readonly whole: Label | null; readonly view: Labels }>();

/** Of the whole, and of each data item by its pointer into the context. */
function labelsIn(whole: Label | null, items: ItemLabels): Labels {
  const known = views.get(items);
  if (known !== undefined && known.whole === whole) return known.view;
  const view: Record<string, Label> = whole === null ? {} : { '': whole };
  for (const name of Object.keys(items)) view[`/${name}`] = items[name] as Label;
  views.set(items, { whole, view });
  return view;
}

/** The answer as an input; what is no answer at all is a refusal. */
export function answerOf(slot: Slot, answer: DeciderAnswer | undefined, kind: string): Outcome {
  const { correlation, binding, fallback } = slot;
  const given: unknown = answer;
  const isAnswer = typeof given === 'object' && given !== null && isJson(given as Json);
  const shape = (isAnswer ? given : {}) as JsonObject;
  if (shape['type'] === 'decision' && typeof shape['event'] === 'string') {
    const { annotations } = answer as { readonly annotations?: JsonObject };
    const told = cut(binding, MAX_BINDING);
    const whole = isPlain(annotations) ? { kind, binding: told, fallback, ...annotations } : annotations;
    return {
      type: 'decision',
      data: { correlation, event: shape['event'], payload: shape['payload'] ?? null, annotations: whole },
    } as Outcome;
  }
  const reason = shape['type'] === 'refusal' && typeof shape['reason'] === 'string' ? shape['reason'] : 'not-an-answer';
  const { annotations } = shape;
  return {
    type: 'refusal',
    data: { correlation, reason: cut(reason, 500), ...(annotations === undefined ? {} : { annotations }) },
  } as Outcome;
}

/** Of the name of a decider, in each of its answers. */
export const MAX_BINDING = 200;

function isPlain(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}
