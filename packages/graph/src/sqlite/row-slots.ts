import type { Digest, Primitive } from '@warrant/core';
import type { Slot } from '../slot.ts';

/** A slot of a stored row; `key` is known once it is loaded. */
export type RowSlot = Slot & {
  readonly row: number;
  key: string | null;
  cost: number;
  prerequisites: readonly RowSlot[] | null;
};

/** What is loaded into a slot. */
export type RowContent = {
  readonly primitive: Primitive;
  readonly key: string;
  readonly digest: Digest;
  readonly prerequisites: readonly number[];
  readonly cost: number;
};
/** The slots of rows that were met, loaded or not. */
export type RowSlots = {
  readonly of: (row: number) => RowSlot;
  readonly peek: (row: number) => RowSlot | undefined;
  readonly ofKey: (key: string) => RowSlot | undefined;
  readonly ofId: (id: string) => RowSlot | undefined;
  readonly fill: (slot: RowSlot, content: RowContent) => RowSlot;
  /** Takes the content out; whoever points at the slot finds it unloaded. */
  readonly empty: (row: number) => void;
  readonly clear: () => void;
  /** The cost of everything that is loaded. */
  readonly held: () => number;
};

/** No slots yet. */
export function createRowSlots(): RowSlots {
  const rows = new Map<number, RowSlot>();
  const byKey = new Map<string, RowSlot>();
  const byId = new Map<string, RowSlot>();
  let held = 0;
  const of = (row: number): RowSlot => {
    const known = rows.get(row);
    if (known !== undefined) return known;
    const slot: RowSlot = { primitive: null, digest: null, prerequisites: null, mark: 0, row, key: null, cost: 0 };
    rows.set(row, slot);
    return slot;
  };
  const unload = (slot: RowSlot): void => {
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
  const fill = (slot: RowSlot, content: RowContent): RowSlot => {
    unload(slot);
    slot.primitive = content.primitive;
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
    peek: (row) => rows.get(row),
    ofKey: (key) => byKey.get(key),
    ofId: (id) => byId.get(id),
    empty: (row) => {
      const slot = rows.get(row);
      if (slot !== undefined) unload(slot);
    },
    clear: () => {
      rows.clear();
      byKey.clear();
      byId.clear();
      held = 0;
    },
    held: () => held,
  };
}
