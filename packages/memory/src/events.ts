import type { JsonObject } from '@warrant/core';

/** What happened, told after it was committed. */
export type MemoryEvent =
  | {
      readonly type: 'conflict-detected';
      readonly conflictId: string;
      readonly conflictType: 'temporal' | 'authority' | 'semantic';
      readonly key: string;
      readonly agent: string;
      readonly session: string | null;
    }
  | { readonly type: 'write-proposed'; readonly proposalId: string; readonly key: string; readonly agent: string }
  | {
      readonly type: 'conversation-started';
      readonly session: string;
      readonly agent: string;
      readonly directories: readonly string[];
    }
  /** Something was remembered about what a skill speaks of. */
  | {
      readonly type: 'skill-review-needed';
      readonly skillId: string;
      /** What they have in common: words of key and name, an entity, or the meaning, as an embedder sees it. */
      readonly by: 'words' | 'entities' | 'meaning';
      readonly key: string;
      readonly agent: string;
      readonly session: string | null;
    }
  | { readonly type: 'skill-stale'; readonly skillId: string; readonly version: string; readonly health: number }
  | {
      readonly type: 'skill-draft-proposed';
      readonly proposalId: string;
      readonly skillId: string;
      readonly name: string;
      readonly agent: string;
    }
  /** Records that belong together, so many that an instruction is missing. */
  | {
      readonly type: 'untracked-skill-candidate';
      readonly agent: string;
      readonly words: readonly string[];
      readonly size: number;
      readonly keys: readonly string[];
    };
export type MemoryListener = (event: MemoryEvent) => void;

/** Tells every listener of every event. One that throws is reported and stops nothing. */
export type EventHub = {
  readonly subscribe: (listener: MemoryListener) => () => void;
  readonly tell: (events: readonly MemoryEvent[]) => void;
  /** How many listen. */
  readonly size: () => number;
};

/** @param onError told of what a listener threw, as the event's type and the error */
export function createEventHub(onError: (error: unknown, data: JsonObject) => void): EventHub {
  const listeners = new Set<MemoryListener>();
  return {
    size: () => listeners.size,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (events) => {
      for (const event of events)
        for (const listener of [...listeners]) {
          try {
            listener(event);
          } catch (error) {
            onError(error, { type: event.type });
          }
        }
    },
  };
}
