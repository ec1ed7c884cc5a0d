import type { Digest, Primitive } from '@warrant/core';
import type { Slot } from './slot.ts';

/** A slot of what a database holds at a place (a row, an id); `key` is known once it is loaded. */
export type KeptSlot<Place> = Slot & {
  readonly at: Place;
  key: string | null;
  cost: number;
  prerequisites: readonly KeptSlot<Place>[] | null;
};

/** What is loaded into a slot. */
export type KeptContent<Place> = {
  readonly primitive: Primitive;
  readonly key: string;
  readonly digest: Digest;
  readonly prerequisites: readonly Place[];
  readonly cost: number;
};
/** The slots of places that were met, loaded or not. */
export type KeptSlots<Place> = {
  readonly of: (at: Place) => KeptSlot<Place>;
  readonly peek: (at: Place) => KeptSlot<Place> | undefined;
  readonly ofKey: (key: string) => KeptSlot<Place> | undefined;
  readonly ofId: (id: string) => KeptSlot<Place> | undefined;
  readonly fill: (slot: KeptSlot<Place>, content: KeptContent<Place>) => KeptSlot<Place>;
  /** Takes the content out; whoever points at the slot finds it unloaded. */
  readonly empty: (at: Place) => void;
  readonly clear: () => void;
  /** The cost of everything that is loaded. */
  readonly held: () => number;
};

/** No slots yet. */
export function createKeptSlots<Place>(): KeptSlots<Place> {
  const slots = new Map<Place, KeptSlot<Place>>();
  const byKey = new Map<string, KeptSlot<Place>>();
  const byId = new Map<string, KeptSlot<Place>>();
  let held = 0;
  const of = (at: Place): KeptSlot<Place> => {
    const known = slots.get(at);
    if (known !== undefined) return known;
    const slot: KeptSlot<Place> = {
      primitive: null,
      digest: null,
      prerequisites: null,
      isFrozen: false,
      mark: 0,
      at,
      key: null,
      cost: 0,
    };
    slots.set(at, slot);
    return slot;
  };
  const unload = (slot: KeptSlot<Place>): void => {
    if (slot.primitive === null) return;
    if (slot.key !== null && byKey.get(slot.key) === slot) byKey.delete(slot.key);
    if (byId.get(slot.primitive.id) === slot) byId.delete(slot.primitive.id);
    held -= slot.cost;
    slot.primitive = null;
    slot.digest = null;
    slot.prerequisites = null;
    slot.key = null;
    slot.cost = 0;
  };
  const fill = (slot: KeptSlot<Place>, content: KeptContent<Place>): KeptSlot<Place> => {
    unload(slot);
    slot.primitive = content.primitive;
    slot.isFrozen = false;
    slot.digest = content.digest;
    slot.key = content.key;
    slot.cost = content.cost;
    slot.prerequisites = content.prerequisites.map(of);
    held += content.cost;
    byKey.set(content.key, slot);
    byId.set(content.primitive.id, slot);
    return slot;
  };
  return {
    of,
    fill,
    peek: (at) => slots.get(at),
    ofKey: (key) => byKey.get(key),
    ofId: (id) => byId.get(id),
    empty: (at) => {
      const slot = slots.get(at);
      if (slot !== undefined) unload(slot);
    },
    clear: () => {
      slots.clear();
      byKey.clear();
      byId.clear();
      held = 0;
    },
    held: () => held,
  };
}
