import { type Chart, type ChartState, enabledEvents, matchesDescriptor } from '@warrant/chart';
import { type Digest, digest, type JsonObject } from '@warrant/core';
import type { DecideBinding } from './binding.ts';
import type { SlotCandidate } from './state.ts';

/** What a decide state may offer now: events in document order with the transitions that each would take. Nothing is changed. */
export function candidatesOf(
  chart: Chart,
  state: ChartState,
  binding: DecideBinding,
  variables: JsonObject,
): readonly SlotCandidate[] {
  const wanted = binding.candidates;
  const concrete = (wanted ?? []).filter((descriptor) => !/[*.]$/.test(descriptor));
  const events = enabledEvents(chart, state, {
    state: binding.state,
    candidates: concrete,
    variables,
    transitions: true,
  });
  return events
    .filter(({ event }) => wanted === null || wanted.some((descriptor) => matchesDescriptor(descriptor, event)))
    .map(({ event, conditional, schema = ANYTHING, transitions = [] }) => ({
      event,
      conditional,
      schema,
      transitions,
    }));
}

/** One object, so that its digest is made once. */
const ANYTHING: JsonObject = {};
const digests = new WeakMap<JsonObject, Digest>();

/** Equal for offers of the same events with the same payloads. */
export function fingerprintOf(candidates: readonly SlotCandidate[]): Digest {
  return digest(candidates.map(({ event, schema }) => [event, schemaDigest(schema)]));
}

function schemaDigest(schema: JsonObject): Digest {
  const known = digests.get(schema);
  if (known !== undefined) return known;
  const made = digest(schema);
  digests.set(schema, made);
  return made;
}
