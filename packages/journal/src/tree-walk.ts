import type { Damage } from './damage.ts';
import { leafHash, TreeBuilder } from './merkle.ts';
import type { JournalStore } from './store.ts';
import { STEP } from './tree.ts';

const PAGE = 4096;

/** The tree of a log's entries, built anew, with the nodes that were kept of it held against it. @internal */
export class TreeWalk {
  readonly #store: JournalStore;
  readonly #sealed: number;
  readonly #signal: AbortSignal | undefined;
  readonly #builder: TreeBuilder;
  #nodes: { readonly level: number; readonly index: number; readonly hash: string }[] = [];
  #damage: Damage | undefined;

  constructor(store: JournalStore, sealed: number, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#sealed = sealed;
    this.#signal = signal;
    this.#builder = new TreeBuilder((level, index, hash) => {
      if (level > 0 && level % STEP === 0) this.#nodes.push({ level, index, hash: Buffer.from(hash).toString('hex') });
    });
  }

  get size(): number {
    return this.#builder.size;
  }

  /** The first kept node that is not that of the entries: proofs and checkpoints are made from them. */
  get damage(): Damage | undefined {
    return this.#damage;
  }

  root(): Uint8Array {
    return this.#builder.root();
  }

  /** Goes on to a size. False when entries are missing before it. */
  async walk(size: number): Promise<boolean> {
    while (this.#builder.size < size) {
      this.#signal?.throwIfAborted();
      const limit = Math.min(PAGE, size - this.#builder.size);
      const digests = await this.#store.leaves(this.#builder.size, limit);
      for (const digest of digests) this.#builder.add(leafHash(Buffer.from(digest, 'hex')));
      await this.#compare();
      if (digests.length < limit) return false;
    }
    return true;
  }

  async #compare(): Promise<void> {
    for (const { level, index, hash } of this.#nodes) {
      const isKept = (index + 1) * 2 ** level <= this.#sealed;
      if (!isKept || this.#damage !== undefined) continue;
      const kept = await this.#store.node(level, index);
      if (kept === hash) continue;
      const message = `the node ${level}/${index} that was kept of the tree is ${kept === undefined ? 'gone' : 'another'}`;
      this.#damage = { kind: kept === undefined ? 'removed' : 'changed', message, data: { level, index } };
    }
    this.#nodes = [];
  }
}
