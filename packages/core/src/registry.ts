import type { Cancel } from './cancel.ts';
import { type Clock, isoTime, systemClock } from './clock.ts';
import { WarrantError } from './error.ts';
import { createIdSource, type IdSource } from './ids.ts';
import type { ActorKey } from './json.ts';
import { isWellFormed } from './well-formed.ts';

/** Who acts: rules match the key, records carry key and id. */
export type Agent = {
  /** Chosen by people: `agent:writer`. */
  readonly key: ActorKey;
  /** Made once, when the key was first seen. */
  readonly id: string;
  readonly registeredAt: string;
};

/** The same key gives the same agent in every process, also when several register it at once. */
export interface AgentRegistry {
  /** The agent of this key, made when there is none. @throws AGENT_KEY_INVALID */
  register(key: ActorKey, options?: Cancel): Promise<Agent>;
  find(key: ActorKey): Promise<Agent | undefined>;
  /** In the order of registration. */
  list(): Promise<readonly Agent[]>;
}

/** Longest key, in UTF-16 units. */
export const MAX_AGENT_KEY_LENGTH = 512;

/** @throws AGENT_KEY_INVALID for a key that is empty, too long, or holds control characters or lone surrogates. */
export function checkAgentKey(key: ActorKey): void {
  if (key !== '' && key.length <= MAX_AGENT_KEY_LENGTH && isWellFormed(key) && !/\p{Cc}/u.test(key)) return;
  throw new WarrantError('AGENT_KEY_INVALID', 'the key of an agent is empty, too long, or not printable text', {
    data: { length: key.length, limit: MAX_AGENT_KEY_LENGTH },
  });
}

/** A registry that lives and ends with the process. */
export function createMemoryAgentRegistry(
  options: { readonly clock?: Clock; readonly ids?: IdSource } = {},
): AgentRegistry {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIdSource({ clock });
  const agents = new Map<ActorKey, Agent>();
  return {
    register: async (key, cancel) => {
      cancel?.signal?.throwIfAborted();
      checkAgentKey(key);
      const agent = agents.get(key) ?? { key, id: ids.next(), registeredAt: isoTime(clock) };
      agents.set(key, agent);
      return agent;
    },
    find: async (key) => agents.get(key),
    list: async () => [...agents.values()],
  };
}
