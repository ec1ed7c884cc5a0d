import type { ActorKey, Label, MemoryOrigin, Trust } from '@warrant/core';

/** Who a handle acts for. Given by whoever made the handle, never by what is written. */
export type Actor = {
  readonly type: 'agent' | 'provider' | 'human';
  readonly key: ActorKey;
  /** Whose records a person's writes become; the person's own by default. */
  readonly onBehalfOf?: ActorKey;
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

/** The most trust that this actor's writes can have. */
export function labelOf(actor: Actor): Label {
  return { trust: GRANTED[actor.type].trust, sources: [`${actor.type}:${actor.key}`] };
}
