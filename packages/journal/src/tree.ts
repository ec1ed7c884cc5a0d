import { fault } from './errors.ts';
import { leafHash, type NodeReader, nodeHash, peakLevels, rootOf, TreeBuilder } from './merkle.ts';
import type { JournalStore, TreeNode } from './store.ts';

/** Nodes are kept at every eighth level only: the rest is hashed again from at most 256 of them. */
export const STEP = 8;
const PAGE = 4096;

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** Reads complete subtrees from kept nodes and leaves. @internal */
export function createNodeReader(store: JournalStore): NodeReader {
  const read = async (level: number, index: number): Promise<Uint8Array> => {
    if (level > 0 && level % STEP === 0) {
      const hash = await store.node(level, index);
      if (hash === undefined) throw fault('JOURNAL_DAMAGED', `the tree's node ${level}/${index} is gone`);
      return bytesOf(hash);
    }
    const base = level - (level % STEP);
    const count = 2 ** (level - base);
    return combine(
      base === 0 ? await leaves(store, index * count, count) : await siblings(read, base, index * count, count),
    );
  };
  return read;
}

async function leaves(store: JournalStore, from: number, count: number): Promise<Uint8Array[]> {
  const digests = await store.leaves(from, count);
  if (digests.length !== count) throw fault('JOURNAL_DAMAGED', `leaves from ${from} on are gone`);
  return digests.map((digest) => leafHash(bytesOf(digest)));
}

async function siblings(read: NodeReader, level: number, from: number, count: number): Promise<Uint8Array[]> {
  const hashes: Uint8Array[] = [];
  for (let index = from; index < from + count; index += 1) hashes.push(await read(level, index));
  return hashes;
}

function combine(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const next: Uint8Array[] = [];
    for (let index = 0; index < row.length; index += 2) {
      next.push(nodeHash(row[index] as Uint8Array, row[index + 1] as Uint8Array));
    }
    row = next;
  }
  return row[0] as Uint8Array;
}

export type SealOptions = {
  /** Told how many of the settled entries the tree has, now and then. */
  readonly onProgress?: (progress: { readonly entries: number; readonly total: number }) => void;
};

/** Takes settled entries into the tree and gives its size and root. Racing sealers do no harm. @internal */
export async function sealTree(
  store: JournalStore,
  onProgress?: SealOptions['onProgress'],
): Promise<{ readonly size: number; readonly root: Uint8Array }> {
  const read = createNodeReader(store);
  for (;;) {
    const size = await store.sealed();
    const settled = await store.settle();
    if (size > settled) throw fault('JOURNAL_DAMAGED', 'entries that were sealed are gone', { sealed: size, settled });
    if (size < 0) throw fault('JOURNAL_DAMAGED', 'the size of the tree is none', { sealed: size, settled });
    onProgress?.({ entries: size, total: settled });
    if (size === settled) return { size, root: await rootOf(read, size) };
    const isSaved = await sealStretch(store, read, size, Math.min(settled, size + 16 * PAGE));
    // Another sealer was faster, or the size is not where it could be moved.
    if (!isSaved && (await store.sealed()) === size)
      throw fault('JOURNAL_DAMAGED', 'the size of the tree cannot be moved', { sealed: size, settled });
  }
}

async function sealStretch(store: JournalStore, read: NodeReader, from: number, to: number): Promise<boolean> {
  const nodes: TreeNode[] = [];
  const builder = new TreeBuilder((level, index, hash) => {
    if (level > 0 && level % STEP === 0) nodes.push({ level, index, hash: Buffer.from(hash).toString('hex') });
  });
  builder.restore(from, await peaksOf(read, from));
  while (builder.size < to) {
    const digests = await store.leaves(builder.size, Math.min(PAGE, to - builder.size));
    if (digests.length === 0) throw fault('JOURNAL_DAMAGED', `leaves from ${builder.size} on are gone`);
    for (const digest of digests) builder.add(leafHash(bytesOf(digest)));
  }
  return store.saveSealed(from, to, nodes);
}

async function peaksOf(read: NodeReader, size: number): Promise<readonly Uint8Array[]> {
  const peaks: Uint8Array[] = [];
  let start = 0;
  for (const level of peakLevels(size)) {
    peaks.push(await read(level, start / 2 ** level));
    start += 2 ** level;
  }
  return peaks;
}
