import type { GraphVersion } from '@warrant/core';
import { createKeptSlots, type KeptSlot } from '../slots.ts';
import type { ReadConcept } from './rows.ts';

export type ConceptSlot = KeptSlot<string>;

/** The loaded part of a graph, always as of one version. */
export type ConceptCache = {
  /** The same object until it moves. */
  readonly version: () => GraphVersion;
  /** The slot of a fold key; null: known to be absent; undefined: not looked up yet. */
  readonly find: (key: string) => ConceptSlot | null | undefined;
  readonly fill: (concept: ReadConcept) => void;
  /** Remembers that no concept has the key. */
  readonly absent: (key: string) => void;
  /** Goes to a version; `changed` are the ids of what changed on the way, null: anything may have. */
  readonly move: (version: GraphVersion, changed: readonly string[] | null) => void;
  /** The loaded concept with an id. */
  readonly peek: (id: string) => ConceptSlot | undefined;
  /** Starts anew, and says so, when more is held than the limit and than twice the last closure. */
  readonly trim: (closure: number) => boolean;
};

const MAX_ABSENT = 10_000;
/** What an object graph of one primitive costs beside its text, roughly. */
const CONCEPT_COST = 600;

/** @param limit how much may be kept, in characters of stored text and 600 a primitive */
export function createConceptCache(limit: number): ConceptCache {
  const slots = createKeptSlots<string>();
  const absent = new Set<string>();
  let version: GraphVersion = Object.freeze({ epoch: '', revision: -1 });
  return {
    version: () => version,
    find: (key) => slots.ofKey(key) ?? (absent.has(key) ? null : undefined),
    fill: ({ stored, length }) => {
      const { primitive, key, digest, prerequisites } = stored;
      slots.fill(slots.of(primitive.id), { primitive, key, digest, prerequisites, cost: CONCEPT_COST + length });
    },
    absent: (key) => {
      if (absent.size >= MAX_ABSENT) absent.clear();
      absent.add(key);
    },
    move: (next, changed) => {
      version = Object.freeze({ epoch: next.epoch, revision: next.revision });
      absent.clear();
      if (changed === null) slots.clear();
      else for (const id of changed) slots.empty(id);
    },
    peek: (id) => {
      const slot = slots.peek(id);
      return slot?.primitive == null ? undefined : slot;
    },
    trim: (closure) => {
      if (slots.held() <= limit || slots.held() <= 2 * closure) return false;
      slots.clear();
      absent.clear();
      return true;
    },
  };
}
