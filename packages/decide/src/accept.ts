import { type Chart, type ChartNode, type ChartState, select } from '@warrant/chart';
import type { Annotations, JsonObject } from '@warrant/core';
import type { DecisionData, InvalidReason } from './input.ts';
import { isOfferedBy, sameNames } from './offer.ts';
import type { Slot } from './state.ts';
import { isUsage } from './usage.ts';

export type Acceptance =
  | { readonly type: 'accepted'; readonly transitions: readonly string[] }
  | { readonly type: 'invalid'; readonly reason: InvalidReason; readonly paths: readonly string[] };

/** Whether a decision may move the chart: it answers the open offer with one of its events, and the event still does what it did when it was offered. */
export function judgeDecision(
  chart: Chart,
  state: ChartState,
  slot: Slot,
  decision: DecisionData,
  variables: JsonObject,
): Acceptance {
  if (slot.status !== 'open' || slot.correlation !== decision.correlation) return invalid('stale');
  const candidate = slot.candidates.find(({ event }) => event === decision.event);
  if (candidate === undefined) return invalid('not-a-candidate');
  const violations = chart.types?.violations(decision.event, decision.payload) ?? NO_FAULTS;
  if (violations.length > 0) return invalid('payload-schema', violations);
  const annotations = annotationFaults(decision.annotations);
  if (annotations.length > 0) return invalid('annotation', annotations);
  if (!candidate.conditional && isOfferedBy(slot.candidates, state, variables))
    return { type: 'accepted', transitions: candidate.transitions };
  const event = { name: decision.event, data: decision.payload };
  const now = select(chart, state, event, variables).transitions.filter((id) => concerns(chart, id, slot.state));
  if (!sameNames(now, candidate.transitions)) return invalid('not-enabled');
  return { type: 'accepted', transitions: now };
}

function invalid(reason: InvalidReason, paths: readonly string[] = []): Acceptance {
  return { type: 'invalid', reason, paths };
}

/** Whether a transition starts in the state, below it or above it. */
function concerns(chart: Chart, transition: string, state: string): boolean {
  const source = chart.byId.get(transition.slice(0, transition.lastIndexOf('#'))) as ChartNode;
  const node = chart.byId.get(state) as ChartNode;
  return isAtOrBelow(source, node) || isAtOrBelow(node, source);
}

function isAtOrBelow(inner: ChartNode, outer: ChartNode): boolean {
  return inner.index >= outer.index && inner.index <= outer.last;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MAX_TEXT = 16_384;
const isText = (value: unknown) => typeof value === 'string' && value.length <= MAX_TEXT;
const CHECKS: { readonly [Name in keyof Required<Annotations>]: (value: unknown) => boolean } = {
  rationale: isText,
  confidence: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  kind: isText,
  binding: isText,
  model: isText,
  promptHash: (value) => typeof value === 'string' && DIGEST.test(value),
  usage: isUsage,
  fallback: (value) => typeof value === 'boolean',
};

const NO_FAULTS: readonly string[] = [];

/** JSON Pointers to what in the annotations is not as it has to be. They never influence which transition is taken. */
function annotationFaults(annotations: unknown): readonly string[] {
  if (annotations === undefined) return NO_FAULTS;
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) return [''];
  const faults: string[] = [];
  for (const name of Object.keys(annotations)) {
    const isRight = Object.hasOwn(CHECKS, name) && CHECKS[name as keyof Annotations](annotations[name as never]);
    if (!isRight) faults.push(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
  return faults;
}
