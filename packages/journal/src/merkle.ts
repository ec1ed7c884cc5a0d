import { hash } from 'node:crypto';

// Merkle tree hashing by RFC 9162, 2.1: leaves and nodes are hashed under different prefixes, so that neither can pass
// for the other.
const LEAF = 0;
const NODE = 1;
const HASH_BYTES = 32;
/** Overwritten by each call. */
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

/** Through text: the digest's own buffer costs four times as much as the hashing. */
function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary');
}

/** Hash of a leaf (RFC 9162, 2.1.1). */
export function leafHash(leaf: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + leaf.length);
  bytes[0] = LEAF;
  bytes.set(leaf, 1);
  return sha256(bytes);
}

/** Hash of a node over its two children (RFC 9162, 2.1.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return sha256(pair);
}

/** Root of the tree without leaves. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array());
}

/** Builds a tree leaf by leaf, keeping only the roots of its complete subtrees. */
export class TreeBuilder {
  /** Largest subtree first: level and root of each. */
  readonly #peaks: { level: number; hash: Uint8Array }[] = [];
  readonly #onNode: ((level: number, index: number, hash: Uint8Array) => void) | undefined;
  #size = 0;

  /** @param onNode told of every complete subtree: `index` counts those of its level. */
  constructor(onNode?: (level: number, index: number, hash: Uint8Array) => void) {
    this.#onNode = onNode;
  }

  get size(): number {
    return this.#size;
  }

  /** Starts from the complete subtrees of a tree of this size, largest first. */
  restore(size: number, peaks: readonly Uint8Array[]): void {
    this.#peaks.length = 0;
    const levels = peakLevels(size);
    levels.forEach((level, index) => {
      this.#peaks.push({ level, hash: peaks[index] as Uint8Array });
    });
    this.#size = size;
  }

  /** Adds the hash of a leaf. */
  add(hash: Uint8Array): void {
    let level = 0;
    let merged = hash;
    this.#onNode?.(0, this.#size, hash);
    this.#size += 1;
    for (;;) {
      const peak = this.#peaks.at(-1);
      if (peak === undefined || peak.level !== level) break;
      this.#peaks.pop();
      merged = nodeHash(peak.hash, merged);
      level += 1;
      this.#onNode?.(level, Math.floor((this.#size - 1) / 2 ** level), merged);
    }
    this.#peaks.push({ level, hash: merged });
  }

  root(): Uint8Array {
    const last = this.#peaks.at(-1);
    return last === undefined ? emptyRoot() : joinPeaks(this.#peaks.slice(0, -1), last.hash);
  }

  /** Root of the tree when a smaller one than its complete subtrees, with this root, follows its leaves. */
  rootBefore(rest: Uint8Array): Uint8Array {
    return joinPeaks(this.#peaks, rest);
  }
}

function joinPeaks(peaks: readonly { readonly hash: Uint8Array }[], rest: Uint8Array): Uint8Array {
  return peaks.reduceRight((root, peak) => nodeHash(peak.hash, root), rest);
}

/** Levels of the complete subtrees of a tree of this size, largest first. */
export function peakLevels(size: number): readonly number[] {
  const levels: number[] = [];
  for (let level = Math.floor(Math.log2(Math.max(size, 1))) + 1; level >= 0; level -= 1) {
    if (Math.floor(size / 2 ** level) % 2 === 1) levels.push(level);
  }
  return levels;
}

/** Reads the root of the complete subtree that covers leaves `index * 2^level` up to `(index + 1) * 2^level`. */
export type NodeReader = (level: number, index: number) => Promise<Uint8Array>;

/** Root over the leaves from `start` up to `end`, where `start` begins a subtree. */
async function rangeRoot(read: NodeReader, start: number, end: number): Promise<Uint8Array> {
  const size = end - start;
  const half = largestPowerBelow(size);
  if (size === 1 || half * 2 === size) return read(Math.log2(size), start / size);
  return nodeHash(await rangeRoot(read, start, start + half), await rangeRoot(read, start + half, end));
}

/** Root of the tree's first `size` leaves. */
export async function rootOf(read: NodeReader, size: number): Promise<Uint8Array> {
  return size === 0 ? emptyRoot() : rangeRoot(read, 0, size);
}

/** Inclusion proof of leaf `index` in the tree of the first `size` leaves (RFC 9162, 2.1.3.1). */
export async function inclusionPath(read: NodeReader, index: number, size: number): Promise<readonly Uint8Array[]> {
  const path: Uint8Array[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (index < middle) {
      path.unshift(await rangeRoot(read, middle, end));
      end = middle;
    } else {
      path.unshift(await rangeRoot(read, start, middle));
      start = middle;
    }
  }
  return path;
}

/** Consistency proof between the trees of the first `from` and the first `to` leaves (RFC 9162, 2.1.4.1). */
export async function consistencyPath(read: NodeReader, from: number, to: number): Promise<readonly Uint8Array[]> {
  if (from === to) return [];
  const path: Uint8Array[] = [];
  let start = 0;
  let end = to;
  let whole = true;
  while (from !== end) {
    const middle = start + largestPowerBelow(end - start);
    if (from <= middle) {
      path.unshift(await rangeRoot(read, middle, end));
      end = middle;
    } else {
      path.unshift(await rangeRoot(read, start, middle));
      start = middle;
      whole = false;
    }
  }
  if (!whole) path.unshift(await rangeRoot(read, start, end));
  return path;
}

/** The largest power of two below `size`, which is above 1; 1 for 1. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
