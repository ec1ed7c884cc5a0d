import { WarrantError } from '@warrant/core';
import { isAbsoluteIri } from '../iri.ts';

/** Before the effect of a lease, in the name of the timer that tells its end. */
export const LEASE = 'lease:';
const STREAM = 'agents/';
const DECISION = '/decision/';
const MAX_ACTOR = 900;

/** The journal's stream of an actor. @throws DECIDE_ACTOR_NAME */
export function streamOf(actor: string): string {
  if (!isAbsoluteIri(actor) || Buffer.byteLength(actor) > MAX_ACTOR)
    throw new WarrantError('DECIDE_ACTOR_NAME', `an actor is named by an absolute IRI of at most ${MAX_ACTOR} bytes`);
  return STREAM + actor;
}

/** The actor whose stream it is, if it is an actor's. */
export function actorOf(stream: string): string | undefined {
  return stream.startsWith(STREAM) ? stream.slice(STREAM.length) : undefined;
}

/** What deciders and people see of a correlation: with the actor in front. */
export function correlationIri(actor: string, correlation: string): string {
  return `${actor}${DECISION}${correlation}`;
}

export function parseCorrelation(iri: string): { readonly actor: string; readonly correlation: string } | undefined {
  const at = iri.lastIndexOf(DECISION);
  return at <= 0 ? undefined : { actor: iri.slice(0, at), correlation: iri.slice(at + DECISION.length) };
}

/** An offer as entries of these actors name it, whether it was named so or as deciders see it. */
export function withinRun(correlation: string, actors: readonly string[]): string {
  const named = parseCorrelation(correlation);
  return named !== undefined && actors.includes(named.actor) ? named.correlation : correlation;
}

/** What a tool knows a call by: equal for every attempt of one call, also in a fork that inherited it. */
export function callKey(actor: string, effect: string): string {
  return `${actor}/call/${effect}`;
}
