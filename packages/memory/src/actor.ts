import type { ActorKey, Label, MemoryOrigin, Trust } from '@warrant/core';

/** Who a handle acts for. Given by whoever made the handle, never by what is written. */
export type Actor = {
  readonly type: 'agent' | 'provider' | 'human';
  readonly key: ActorKey;
  /** Whose records a person's writes become; the person's own by default. */
  readonly onBehalfOf?: ActorKey;
  /** Sees what the actor may see, and leaves no trace: neither writes nor notes. */
  readonly readOnly?: true;
  /** What is carried out was asked for by `onBehalfOf` and approved by this actor: the proposal's id. */
  readonly proposal?: string;
};

const GRANTED: { readonly [type in Actor['type']]: { readonly origin: MemoryOrigin; readonly trust: Trust } } = {
  human: { origin: 'human-approved', trust: 'human' },
  agent: { origin: 'agent-inferred', trust: 'agent' },
  provider: { origin: 'provider-ingested', trust: 'provider' },
};

/** The origin of whatever this actor writes. */
export function originOf(actor: Actor): MemoryOrigin {
  return GRANTED[actor.type].origin;
}

/** The label of what an origin's actor writes of its own, about itself. */
export function usualLabel(origin: MemoryOrigin, agent: ActorKey): Label {
  const type = TYPES[origin];
  return { trust: GRANTED[type].trust, sources: [`${type}:${agent}`] };
}

const TYPES: { readonly [origin in MemoryOrigin]: Actor['type'] } = {
  'human-approved': 'human',
  'agent-inferred': 'agent',
  'provider-ingested': 'provider',
};

/** The most trust that this actor's writes can have. */
export function labelOf(actor: Actor): Label {
  if (actor.proposal !== undefined)
    return { trust: 'human', sources: [`human:${actor.key}`, `agent:${actor.onBehalfOf ?? actor.key}`] };
  return { trust: GRANTED[actor.type].trust, sources: [`${actor.type}:${actor.key}`] };
}
