import {
  type Appended,
  type Clock,
  type Entry,
  type Journal,
  type Recorded,
  type SnapshotStore,
  systemClock,
} from '@warrant/core';
import { checkRead, checkWhole } from './check-read.ts';
import { createCheckpoint } from './checkpoint.ts';
import type { Expected } from './decide-append.ts';
import { fault } from './errors.ts';
import type { KeyStore } from './keys.ts';
import { MemoryStore } from './memory-store.ts';
import type { Signer } from './note.ts';
import { checkStream, DEFAULT_MAX_ENTRY_BYTES, prepareEntries } from './prepare.ts';
import { type ConsistencyProof, type InclusionProof, proveConsistency, proveInclusion } from './prove.ts';
import { readAllPages, readPages, subscribePages } from './read-pages.ts';
import { createReveal, type Reveal } from './reveal.ts';
import { asDigest } from './row.ts';
import { sealEntries } from './sealing.ts';
import { createSnapshots, type IgnoredSnapshot } from './snapshots.ts';
import type { JournalStore } from './store.ts';
import { type SealOptions, sealTree } from './tree.ts';

export type JournalOptions = {
  /** Gives entries their time. @default systemClock */
  readonly clock?: Clock;
  /** Largest data of one entry as canonical JSON, in UTF-8 bytes. @default 1048576 */
  readonly maxEntryBytes?: number;
  /** Keys of subjects. With it, data of entries that name a subject is stored encrypted. @default none, stored as it is */
  readonly keys?: KeyStore;
  /** Told of each snapshot that was not used, and why. */
  readonly onIgnoredSnapshot?: (ignored: IgnoredSnapshot) => void;
};

/** Milliseconds on either side of 1970 that a date can have. */
const MAX_TIME = 8.64e15;

/** A journal that proves itself. */
export interface ProvenJournal extends Journal {
  readonly snapshots: SnapshotStore;
  /** @internal What functions of this package work on. */
  readonly store: JournalStore;
  /** @internal */
  readonly options: JournalOptions;
  /** Takes every settled entry into the tree. Writers do not wait for it. */
  seal(options?: SealOptions): Promise<{ readonly size: number; readonly root: Uint8Array }>;
  /**
   * Seals, signs the tree's size and root, keeps the note beside the log and returns it. Keep a copy elsewhere: it is
   * what later shows that nothing was taken away.
   */
  checkpoint(options: SealOptions & { readonly origin: string; readonly signer: Signer }): Promise<string>;
  /** @throws JOURNAL_NOT_SEALED while the entry is not in a tree of this size */
  prove(stream: string, position: number, options?: { readonly size?: number }): Promise<InclusionProof>;
  /** @throws JOURNAL_NOT_SEALED for a size beyond the sealed one */
  proveConsistency(from: number, to: number): Promise<ConsistencyProof>;
}

/** A journal in the memory of this process, for tests and short-lived work. */
export function createMemoryJournal(options: JournalOptions = {}): ProvenJournal {
  return createJournal(new MemoryStore(), options);
}

/** @internal The one journal over every kind of store. */
export function createJournal(store: JournalStore, options: JournalOptions = {}): ProvenJournal {
  return new StoredJournal(store, options);
}

class StoredJournal implements ProvenJournal {
  readonly store: JournalStore;
  readonly options: JournalOptions;
  readonly snapshots: SnapshotStore;
  readonly #reveal: Reveal;
  readonly #clock: Clock;
  readonly #maxEntryBytes: number;
  #closed = false;

  constructor(store: JournalStore, options: JournalOptions) {
    this.store = store;
    this.options = options;
    this.#clock = options.clock ?? systemClock;
    this.#maxEntryBytes = options.maxEntryBytes ?? DEFAULT_MAX_ENTRY_BYTES;
    this.#reveal = createReveal(options.keys);
    this.snapshots = createSnapshots(store, options.keys, options.onIgnoredSnapshot ?? (() => undefined));
  }

  async append(
    stream: string,
    entries: readonly Entry[],
    options: { readonly expected: Expected; readonly signal?: AbortSignal },
  ): Promise<Appended> {
    this.#check(options.signal);
    checkStream(stream);
    checkExpected(options.expected);
    let prepared = prepareEntries(entries, this.#maxEntryBytes);
    const { keys } = this.options;
    if (keys !== undefined && prepared.some((entry) => entry.subject !== undefined)) {
      prepared = await sealEntries(prepared, keys);
      this.#check(options.signal);
    }
    return this.store.append(stream, prepared, { expected: options.expected, time: this.#now() });
  }

  /** Appends at the same time share a transaction: none of them may fail for what another's clock says. */
  #now(): number {
    const time = Math.trunc(this.#clock.now());
    if (Math.abs(time) <= MAX_TIME) return time;
    throw fault('JOURNAL_INVALID_ENTRY', 'the clock gives no time');
  }

  read(stream: string, options: Parameters<Journal['read']>[1] = {}): AsyncIterable<Recorded> {
    this.#check(undefined);
    checkStream(stream);
    checkRead(options);
    return readPages(this.store, this.#reveal, stream, options);
  }

  readAll(options: Parameters<Journal['readAll']>[0] = {}): AsyncIterable<Recorded> {
    this.#check(undefined);
    return readAllPages(this.store, this.#reveal, options);
  }

  subscribe(options: Parameters<Journal['subscribe']>[0]): AsyncIterable<Recorded> {
    this.#check(undefined);
    return subscribePages(this.store, this.#reveal, options, () => this.#closed);
  }

  async streams(options: Parameters<Journal['streams']>[0] = {}): Promise<readonly string[]> {
    this.#check(options.signal);
    checkWhole('limit', options.limit);
    return this.store.streams(options.after, options.limit ?? 1000);
  }

  async head(stream: string): ReturnType<Journal['head']> {
    this.#check(undefined);
    checkStream(stream);
    const lineage = await this.store.lineage(stream);
    if (lineage === undefined || lineage.row.position === 0) return undefined;
    const { position, digest } = lineage.row;
    const segment = lineage.segments.find((one) => position >= one.from && position <= one.to);
    const page = segment && { key: segment.key, from: position, to: position, limit: 1 };
    const row = page && (await this.store.page({ ...page, direction: 'forward' }))[0];
    if (row === undefined) {
      throw fault('JOURNAL_DAMAGED', `stream ${stream}: the entry at its head is gone`, { stream, position });
    }
    return { position, cursor: row.cursor, digest: asDigest(digest) };
  }

  async fork(stream: string, position: number, target: string): ReturnType<Journal['fork']> {
    this.#check(undefined);
    checkStream(stream);
    checkStream(target);
    return this.store.fork(stream, position, target);
  }

  async seal(options: SealOptions = {}): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    this.#check(undefined);
    return sealTree(this.store, options.onProgress);
  }

  async checkpoint(options: SealOptions & { readonly origin: string; readonly signer: Signer }): Promise<string> {
    const { size, root } = await this.seal(options);
    const note = createCheckpoint({ origin: options.origin, size, root }, [options.signer]);
    await this.store.saveCheckpoint(size, note);
    return note;
  }

  async prove(stream: string, position: number, options: { readonly size?: number } = {}): Promise<InclusionProof> {
    this.#check(undefined);
    checkStream(stream);
    return proveInclusion(this.store, stream, position, options.size);
  }

  async proveConsistency(from: number, to: number): Promise<ConsistencyProof> {
    this.#check(undefined);
    return proveConsistency(this.store, from, to);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.store.close();
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closed) throw fault('JOURNAL_CLOSED', 'the journal was closed');
    signal?.throwIfAborted();
  }
}

function checkExpected(expected: unknown): void {
  if (expected === 'any' || expected === 'none') return;
  if (Number.isSafeInteger(expected) && (expected as number) >= 0) return;
  throw fault('JOURNAL_INVALID_ENTRY', "expected must be 'any', 'none' or a position");
}
