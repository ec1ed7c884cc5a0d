import { type Chart, type ChartState, enabledEvents, matchesDescriptor, type OfferedEvent } from '@warrant/chart';
import { type Digest, digest, type Json, type JsonObject } from '@warrant/core';
import type { DecideBinding } from './binding.ts';
import type { SlotCandidate } from './state.ts';

/** What a decide state may offer. */
export type Offer = {
  /** In document order, with the transitions that each would take. */
  readonly candidates: readonly SlotCandidate[];
  /** Equal for offers of the same events with the same payloads. */
  readonly fingerprint: Digest;
};

/** What a decide state may offer now. Nothing is changed. */
export function offerOf(chart: Chart, state: ChartState, binding: DecideBinding, variables: JsonObject): Offer {
  const wanted = binding.candidates;
  const candidates = wanted === null ? NONE : namesIn(wanted);
  const events = enabledEvents(chart, state, { state: binding.state, candidates, variables, transitions: true });
  const offered =
    wanted === null
      ? events
      : events.filter(({ event }) => wanted.some((descriptor) => matchesDescriptor(descriptor, event)));
  const known = latest.get(binding);
  const offer = known !== undefined && isSame(known.candidates, offered) ? known : makeOffer(offered);
  latest.set(binding, offer);
  origins.set(offer.candidates, { state, usage: variables['vt_usage'] });
  return offer;
}

const NONE: readonly string[] = [];
const names = new WeakMap<readonly string[], readonly string[]>();

/** Descriptors that are names as they stand. */
function namesIn(wanted: readonly string[]): readonly string[] {
  const known = names.get(wanted);
  if (known !== undefined) return known;
  const made = wanted.filter((descriptor) => !/[*.]$/.test(descriptor));
  names.set(wanted, made);
  return made;
}

/** A state mostly offers what it offered the last time: then the same lists serve again, and no digest is made. */
const latest = new WeakMap<DecideBinding, Offer>();
const origins = new WeakMap<
  readonly SlotCandidate[],
  { readonly state: ChartState; readonly usage: Json | undefined }
>();

/** Whether candidates were found in this very state, so that looking again would find the same: values are never changed in place. */
export function isOfferedBy(candidates: readonly SlotCandidate[], state: ChartState, variables: JsonObject): boolean {
  const origin = origins.get(candidates);
  return origin !== undefined && origin.state === state && origin.usage === variables['vt_usage'];
}

/** The payload of an event is of the same schema in all of a chart. */
function isSame(known: readonly SlotCandidate[], offered: readonly OfferedEvent[]): boolean {
  if (known.length !== offered.length) return false;
  return known.every(({ event, conditional, transitions }, index) => {
    const now = offered[index] as OfferedEvent;
    return (
      event === now.event &&
      conditional === now.conditional &&
      sameNames(transitions, now.transitions as readonly string[])
    );
  });
}

export function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}

function makeOffer(offered: readonly OfferedEvent[]): Offer {
  const candidates = offered.map(({ event, conditional, schema = ANYTHING, transitions }) => ({
    event,
    conditional,
    schema,
    // They were asked for.
    transitions: transitions as readonly string[],
  }));
  return { candidates, fingerprint: digest(candidates.map(({ event, schema }) => [event, schemaDigest(schema)])) };
}

/** One object, so that its digest is made once. */
const ANYTHING: JsonObject = {};
const digests = new WeakMap<JsonObject, Digest>();

function schemaDigest(schema: JsonObject): Digest {
  const known = digests.get(schema);
  if (known !== undefined) return known;
  const made = digest(schema);
  digests.set(schema, made);
  return made;
}
