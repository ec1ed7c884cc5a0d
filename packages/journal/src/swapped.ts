import type { Checkpoint } from './checkpoint.ts';
import { leafHash, nodeHash, TreeBuilder } from './merkle.ts';
import type { JournalStore } from './store.ts';
import { STEP } from './tree.ts';

const BLOCK = 2 ** STEP;

/** Leaves of one kept node, or those behind the last one. */
type Block = { readonly from: number; readonly levels: readonly (readonly Uint8Array[])[] };
type Test = (root: Uint8Array) => boolean;

/**
 * The first of two leaves that changed places, told by the nodes that were kept when the checkpoint's tree was sealed;
 * undefined when no such exchange explains the checkpoint's root.
 * @internal
 */
export async function findSwapped(store: JournalStore, checkpoint: Checkpoint): Promise<number | undefined> {
  const peaks = new TreeBuilder();
  const wrong: { readonly block: Block; readonly fits: Test }[] = [];
  const whole = checkpoint.size - (checkpoint.size % BLOCK);
  for (let from = 0; from < whole; from += BLOCK) {
    const kept = await store.node(STEP, from / BLOCK);
    if (kept === undefined || wrong.length > 2) return undefined;
    const block = await readBlock(store, from, BLOCK);
    const bytes = Buffer.from(kept, 'hex');
    const fits: Test = (root) => bytes.equals(root);
    if (!fits(rootWith(block, new Map()))) wrong.push({ block, fits });
    for (const leaf of block.levels[0] ?? []) peaks.add(leaf);
  }
  const tail = await readBlock(store, whole, checkpoint.size - whole);
  const [first, second] = wrong;
  if (first !== undefined) {
    const other = second?.block ?? tail;
    return exchanged(first.block, first.block, first.fits) ?? exchanged(first.block, other, first.fits);
  }
  return exchanged(tail, tail, (root) => Buffer.compare(peaks.rootBefore(root), checkpoint.root) === 0);
}

async function readBlock(store: JournalStore, from: number, count: number): Promise<Block> {
  const digests = count === 0 ? [] : await store.leaves(from, count);
  const levels: Uint8Array[][] = [digests.map((digest) => leafHash(Buffer.from(digest, 'hex')))];
  for (let row = levels[0] as Uint8Array[]; row.length > 1; row = levels[levels.length - 1] as Uint8Array[]) {
    const next: Uint8Array[] = [];
    for (let index = 0; index < row.length; index += 2) next.push(parentOf(row[index] as Uint8Array, row[index + 1]));
    levels.push(next);
  }
  return { from, levels };
}

/** A node without a sibling stands for itself one level up (RFC 9162, 2.1.1). */
function parentOf(left: Uint8Array, right: Uint8Array | undefined): Uint8Array {
  return right === undefined ? left : nodeHash(left, right);
}

/** Tries every leaf of the block with every leaf of the other in its place. */
function exchanged(block: Block, other: Block, fits: Test): number | undefined {
  const mine = block.levels[0] ?? [];
  const theirs = other.levels[0] ?? [];
  for (const [index, leaf] of mine.entries()) {
    for (let place = block === other ? index + 1 : 0; place < theirs.length; place += 1) {
      const changes = new Map([[index, theirs[place] as Uint8Array]]);
      if (block === other) changes.set(place, leaf);
      if (fits(rootWith(block, changes))) return Math.min(block.from + index, other.from + place);
    }
  }
  return undefined;
}

/** Root over the block's leaves with some of them changed. */
function rootWith({ levels }: Block, changes: ReadonlyMap<number, Uint8Array>): Uint8Array {
  let changed = changes;
  for (const row of levels.slice(0, -1)) {
    const at = (index: number): Uint8Array | undefined => changed.get(index) ?? row[index];
    const next = new Map<number, Uint8Array>();
    for (const index of changed.keys()) {
      const left = index - (index % 2);
      next.set(left / 2, parentOf(at(left) as Uint8Array, at(left + 1)));
    }
    changed = next;
  }
  return changed.get(0) ?? (levels[levels.length - 1]?.[0] as Uint8Array);
}
