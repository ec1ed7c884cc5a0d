import { isWarrantError } from '@warrant/core';
import { type Checkpoint, openCheckpoint, readCheckpoint } from './checkpoint.ts';
import { isAfter } from './cursor.ts';
import { type Damage, nameDamage, report } from './damage.ts';
import type { ProvenJournal } from './journal.ts';
import type { Verifier } from './note.ts';
import { pageSizeAfter, segmentPages } from './read-pages.ts';
import { continues, GENESIS, type Row } from './row.ts';
import type { JournalStore, Lineage, Segment } from './store.ts';
import { findSwapped } from './swapped.ts';
import { TreeWalk } from './tree-walk.ts';

export type VerifyOptions = {
  /** Checkpoints kept elsewhere, as signed notes. Those kept beside the log are always looked at. */
  readonly checkpoints?: readonly string[];
  /** Keys that checkpoints have to be signed by. Without any, signatures are not looked at. */
  readonly verifiers?: readonly Verifier[];
  /** Only these streams, and no tree. @default all */
  readonly streams?: readonly string[];
  readonly onProgress?: (progress: { readonly entries: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
};
export type Verified = {
  readonly type: 'intact' | 'damaged';
  readonly entries: number;
  readonly streams: number;
  /** Archived entries: their digests chain, their data was not there to be looked at. */
  readonly archived: number;
  /** Size of the largest checkpoint that the log was held against; 0 without any. */
  readonly checkpoint: number;
  /** The first damage found. */
  readonly damage?: Damage;
};
const PROGRESS_EVERY = 10_000;
const FIRST_PAGE = 64;

/**
 * Walks every entry of the journal, in memory that does not grow with it: digests, chains, heads, forks, then the tree
 * against every checkpoint.
 * @throws JOURNAL_INVALID_CHECKPOINT for a checkpoint that no key in `verifiers` signed
 */
export async function verifyJournal(journal: ProvenJournal, options: VerifyOptions = {}): Promise<Verified> {
  return new Verification(journal.store, options).run();
}

/** An entry as the next one builds on it. */
type Link = { readonly position: number; readonly digest: string };

class Verification {
  readonly #store: JournalStore;
  readonly #options: VerifyOptions;
  #entries = 0;
  #streams = 0;
  #archived = 0;
  #total = 0;
  #checkpoint = 0;

  constructor(store: JournalStore, options: VerifyOptions) {
    this.#store = store;
    this.#options = options;
  }

  async run(): Promise<Verified> {
    this.#total = await this.#store.count();
    const whole = this.#options.streams === undefined;
    const kept = whole ? await this.#store.checkpoints() : [];
    const garbled = kept.filter((note) => !isCheckpoint(note));
    const checkpoints = whole ? this.#checkpoints(kept.filter(isCheckpoint)) : [];
    const damage =
      (await this.#allStreams()) ??
      (whole ? ((await this.#orphans()) ?? (await this.#tree(checkpoints)) ?? keptDamage(garbled)) : undefined);
    const counts = {
      entries: this.#entries,
      streams: this.#streams,
      archived: this.#archived,
      checkpoint: this.#checkpoint,
    };
    this.#options.onProgress?.({ entries: this.#entries, total: this.#total });
    return damage === undefined ? { type: 'intact', ...counts } : { type: 'damaged', ...counts, damage };
  }

  #checkpoints(kept: readonly string[]): readonly Checkpoint[] {
    const notes = [...kept, ...(this.#options.checkpoints ?? [])];
    const { verifiers } = this.#options;
    const opened = notes.map((note) =>
      verifiers === undefined ? readCheckpoint(note) : openCheckpoint(note, verifiers),
    );
    return opened.sort((a, b) => a.size - b.size);
  }

  async #allStreams(): Promise<Damage | undefined> {
    if (this.#options.streams !== undefined) return this.#someStreams(this.#options.streams);
    let after: string | undefined;
    for (;;) {
      const names = await this.#store.streams(after, 500);
      if (names.length === 0) return undefined;
      const damage = await this.#someStreams(names);
      if (damage !== undefined) return damage;
      after = names[names.length - 1];
    }
  }

  async #someStreams(names: readonly string[]): Promise<Damage | undefined> {
    for (const name of names) {
      const lineage = await this.#store.lineage(name);
      if (lineage === undefined) return report('removed', name, 1, undefined, 'there is no such stream');
      this.#streams += 1;
      const damage = await this.#stream(lineage);
      if (damage !== undefined) return damage;
    }
    return undefined;
  }

  /** Own entries of one stream; what it inherited is its ancestors'. */
  async #stream(lineage: Lineage): Promise<Damage | undefined> {
    const { row } = lineage;
    const { parent } = row;
    if (parent !== undefined) {
      const damage = await this.#parent(lineage);
      if (damage !== undefined) return damage;
    }
    const own = { key: row.key, stream: row.stream, from: 1, to: Number.POSITIVE_INFINITY };
    const walk = await this.#walk(own, parent ?? { position: 0, digest: GENESIS }, row.position);
    if (walk.damage !== undefined) return walk.damage;
    if (walk.position < row.position) {
      return report('truncated', row.stream, walk.position + 1, undefined, `the recorded head is ${row.position}`, {
        head: row.position,
        last: walk.position,
      });
    }
    if (walk.position > row.position) {
      return report('inserted', row.stream, row.position + 1, undefined, `the recorded head is ${row.position}`);
    }
    if (walk.digest === row.digest) return undefined;
    return report('forked-head', row.stream, row.position, undefined, 'the last entry is not the recorded head');
  }

  async #parent(lineage: Lineage): Promise<Damage | undefined> {
    const { row } = lineage;
    const { position, digest } = row.parent as NonNullable<typeof row.parent>;
    const segment = lineage.segments.find((one) => position >= one.from && position <= one.to);
    const rows =
      segment === undefined
        ? []
        : await this.#store.page({ key: segment.key, from: position, to: position, limit: 1, direction: 'forward' });
    const [at] = rows;
    if (at === undefined)
      return report('removed', row.stream, position, undefined, 'the entry it was forked at is gone');
    if (at.digest === digest) return undefined;
    return report('forked-head', row.stream, position, at.id, 'its parent has another entry where it was forked');
  }

  async #walk(segment: Segment, start: Link, head: number): Promise<Link & { readonly damage?: Damage }> {
    let { position, digest } = await this.#follow(segment, start);
    let before = position > start.position ? await this.#first(segment, position, position) : undefined;
    const { signal } = this.#options;
    const rest = position > start.position ? { ...segment, from: position + 1 } : segment;
    const pages = segmentPages(this.#store, rest, { direction: 'forward', limit: Number.POSITIVE_INFINITY, signal });
    for await (const rows of pages) {
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as Row;
        if (!continues(row, position, digest)) {
          const after = rows[index + 1] ?? (await this.#first(segment, Number.POSITIVE_INFINITY, row.position + 1));
          const find = (wanted: string): Promise<number | undefined> => this.#find(segment, wanted);
          const misfit = { stream: segment.stream, position, digest, before, row, after, find, head };
          return { position, digest, damage: await nameDamage(misfit) };
        }
        if (!isAfter(row.cursor, before?.cursor ?? '0')) {
          return { position, digest, damage: logOrder(segment.stream, row) };
        }
        if (row.segment !== undefined) this.#archived += 1;
        position = row.position;
        digest = row.digest;
        before = row;
        this.#count(1);
      }
    }
    return { position, digest };
  }

  /** The quick way up to the first row that does not continue its chain, where the store has one. */
  async #follow(segment: Segment, start: Link): Promise<Link> {
    const { key, stream } = segment;
    let { position, digest } = start;
    let cursor: string | undefined;
    // An own entry where those of the parent lie would be behind the walk.
    if (position > 0 && (await this.#first(segment, position)) !== undefined) return start;
    let limit = FIRST_PAGE;
    while (this.#store.follow !== undefined) {
      this.#options.signal?.throwIfAborted();
      const next = await this.#store.follow({ key, stream, position, digest, cursor, limit });
      const count = next.position - position;
      if (count === 0) break;
      this.#archived += next.archived;
      this.#count(count);
      limit = pageSizeAfter(count, next.bytes);
      position = next.position;
      digest = next.digest;
      cursor = next.cursor;
    }
    return { position, digest };
  }

  #count(entries: number): void {
    const before = this.#entries;
    this.#entries += entries;
    if (Math.floor(before / PROGRESS_EVERY) === Math.floor(this.#entries / PROGRESS_EVERY)) return;
    this.#options.onProgress?.({ entries: this.#entries, total: this.#total });
  }

  async #first(segment: Segment, to: number, from = 1): Promise<Row | undefined> {
    return (await this.#store.page({ key: segment.key, from, to, limit: 1, direction: 'forward' }))[0];
  }

  async #find(segment: Segment, digest: string): Promise<number | undefined> {
    const all = { direction: 'forward' as const, limit: Number.POSITIVE_INFINITY, signal: this.#options.signal };
    for await (const rows of segmentPages(this.#store, segment, all)) {
      const found = rows.find((row) => row.digest === digest);
      if (found !== undefined) return found.position;
    }
    return undefined;
  }

  async #orphans(): Promise<Damage | undefined> {
    const [row] = await this.#store.orphans(1);
    if (row === undefined) return undefined;
    return report('inserted', row.stream, row.position, row.id, 'it belongs to no stream');
  }

  async #tree(checkpoints: readonly Checkpoint[]): Promise<Damage | undefined> {
    const settled = await this.#store.settle();
    const sealed = await this.#store.sealed();
    const tree = new TreeWalk(this.#store, sealed, this.#options.signal);
    for (const checkpoint of checkpoints) {
      if (checkpoint.size > settled) return treeDamage('truncated', checkpoint, settled);
      if (!(await tree.walk(checkpoint.size))) return treeDamage('removed', checkpoint, tree.size);
      if (Buffer.compare(tree.root(), checkpoint.root) !== 0) return this.#otherTree(checkpoint, settled);
      this.#checkpoint = checkpoint.size;
    }
    if (sealed > settled || sealed < 0 || !(await tree.walk(sealed))) return sizeDamage(sealed, settled);
    return tree.damage;
  }

  /** The entries are each as they were written, and their tree is another. */
  async #otherTree(checkpoint: Checkpoint, settled: number): Promise<Damage> {
    const leaf = await findSwapped(this.#store, checkpoint);
    const [row] = leaf === undefined ? [] : await this.#store.pageLeaves(leaf, 1);
    if (row === undefined) return treeDamage('forked-head', checkpoint, settled);
    const { origin, size } = checkpoint;
    const message = 'it changed places in the log with an entry of another stream';
    return report('reordered', row.stream, row.position, row.id, message, { origin, size });
  }
}

function isCheckpoint(note: string): boolean {
  try {
    readCheckpoint(note);
    return true;
  } catch (error) {
    if (isWarrantError(error, 'JOURNAL_INVALID_CHECKPOINT')) return false;
    throw error;
  }
}

function keptDamage(garbled: readonly string[]): Damage | undefined {
  if (garbled.length === 0) return undefined;
  return { kind: 'changed', message: 'a checkpoint that was kept is none any more', data: { notes: [...garbled] } };
}

function sizeDamage(sealed: number, settled: number): Damage {
  const message = `the tree is said to cover ${sealed} entries, the log has ${settled}`;
  return { kind: 'truncated', message, data: { sealed, entries: settled } };
}

/** In the log an entry of a stream lies after the one before it. */
function logOrder(stream: string, row: Row): Damage {
  return report('reordered', stream, row.position, row.id, 'it lies before its predecessor in the log');
}

function treeDamage(kind: 'truncated' | 'removed' | 'forked-head', checkpoint: Checkpoint, entries: number): Damage {
  const said = `the checkpoint of ${checkpoint.origin} covers ${checkpoint.size} entries`;
  const messages = {
    truncated: `${said}, the log has ${entries}`,
    removed: `${said}, entry ${entries + 1} of them is gone`,
    'forked-head': `${said}, and its root is not that of the log's first ${checkpoint.size}`,
  };
  return { kind, message: messages[kind], data: { origin: checkpoint.origin, size: checkpoint.size, entries } };
}
