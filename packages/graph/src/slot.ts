import type { Digest, Primitive } from '@warrant/core';

/**
 * A stored primitive's place in the closure walk. It stays the same object while its content changes,
 * so that neighbours can point at it. `primitive` is null when the content is not loaded or gone.
 */
export type Slot = {
  primitive: Primitive | null;
  digest: Digest | null;
  prerequisites: readonly Slot[] | null;
  /** True once the content was frozen for a view: asking the object itself costs more. */
  isFrozen: boolean;
  /** The walk that met it last. */
  mark: number;
};

/** The parts of a loaded slot. */
export type LoadedSlot = Slot & { primitive: Primitive; digest: Digest; prerequisites: readonly Slot[] };

/** A slot without content. */
export function createSlot(): Slot {
  return { primitive: null, digest: null, prerequisites: null, isFrozen: false, mark: 0 };
}

/**
 * Walks closures; one walker a store, since the marks in the slots are its own. `load` fills the slot without content at
 * the index, and may fill those behind it, or answers false, which ends the walk with null.
 */
export function createWalker<S extends Slot>(
  load: (order: readonly S[], index: number) => boolean,
): (roots: readonly S[]) => readonly S[] | null {
  let walk = 0;
  return (roots) => {
    walk += 1;
    const order: S[] = [];
    for (const root of roots) reach(root, walk, order);
    for (let index = 0; index < order.length; index += 1) {
      const slot = order[index] as S;
      if (slot.prerequisites === null && !load(order, index)) return null;
      for (const next of slot.prerequisites as readonly S[]) reach(next, walk, order);
    }
    return order;
  };
}

function reach<S extends Slot>(slot: S, walk: number, order: S[]): void {
  if (slot.mark === walk) return;
  slot.mark = walk;
  order.push(slot);
}
