import type { Appended } from '@warrant/core';
import type { Expected } from './decide-append.ts';
import type { Prepared, Row } from './row.ts';

/** A stretch of a stream's history: its own entries, or those it has from an ancestor. */
export type Segment = {
  /** The store's own name of the stream that the entries belong to. */
  readonly key: number;
  readonly stream: string;
  readonly from: number;
  /** Infinity for a stream's own entries. */
  readonly to: number;
};
export type StreamRow = {
  readonly key: number;
  readonly stream: string;
  /** Position and digest of the head as the store recorded them; 0 and the genesis digest for an empty root. */
  readonly position: number;
  readonly digest: string;
  readonly parent?: { readonly key: number; readonly position: number; readonly digest: string };
};
/** A stream with its history, root first. */
export type Lineage = { readonly row: StreamRow; readonly segments: readonly Segment[] };
export type PageQuery = {
  readonly key: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
};
/** Where a walk along a stream's own entries stands, and how many rows it takes next at most. */
export type FollowQuery = {
  readonly key: number;
  readonly stream: string;
  readonly position: number;
  readonly digest: string;
  /** Of the entry at `position`, where it is one of the stream's own. */
  readonly cursor: string | undefined;
  readonly limit: number;
};
/** How far the walk came: the last entry that continues its chain and lies after the one before it in the log. */
export type Followed = {
  readonly position: number;
  readonly digest: string;
  readonly cursor: string | undefined;
  /** Data that was read, in characters. */
  readonly bytes: number;
  readonly archived: number;
};
export type TreeNode = { readonly level: number; readonly index: number; readonly hash: string };
export type StoredSnapshot = {
  readonly stream: string;
  readonly program: string;
  readonly position: number;
  /** The snapshot as text, perhaps sealed. */
  readonly body: string;
  readonly digest: string;
};
/** How a subject's entries in one stream are stored. */
export type SubjectCount = {
  readonly stream: string;
  readonly sealed: number;
  readonly clear: number;
  /** Sealed when they were archived. */
  readonly archived: number;
  /** Archived, and not known to have been sealed. */
  readonly archivedClear: number;
};
/** Size of one stream: bytes are those of the data as stored, in UTF-8. */
export type StreamSize = {
  readonly stream: string;
  readonly entries: number;
  readonly bytes: number;
  readonly archived: number;
  readonly first: number;
  readonly last: number;
};

/**
 * What a backend does; everything else is shared. Rows are trusted by nobody: `verify` reads them through this port
 * as they lie on disk.
 */
export interface JournalStore {
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  /** Decides by `decideAppend` and writes, in one transaction. */
  append(
    stream: string,
    entries: readonly Prepared[],
    options: { readonly expected: Expected; readonly time: number },
  ): Promise<Appended>;
  lineage(stream: string): Promise<Lineage | undefined>;
  /** Rows of the stream, or inherited by it, that have one of the ids. */
  known(stream: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>>;
  /** Fewer rows than there are up to the limit, but at least one, where they hold much data. */
  page(query: PageQuery): Promise<readonly Row[]>;
  /** Walks rows that continue their chain by `continues` with rising cursors, where a store can do so faster than by `page`. */
  follow?(query: FollowQuery): Promise<Followed>;
  /** Rows of the whole log in their settled order, fewer where they hold much data. @throws JOURNAL_INVALID_CURSOR */
  pageAll(after: string | undefined, limit: number): Promise<readonly Row[]>;
  /** How many of a stream's own entries are not after the cursor, as the position of the last of them; 0 for none. */
  positionAt(key: number, cursor: string): Promise<number>;
  streams(after: string | undefined, limit: number): Promise<readonly string[]>;
  fork(
    stream: string,
    position: number,
    target: string,
  ): Promise<{ readonly type: 'forked' | 'exists' } | { readonly type: 'no-such-position'; readonly head: number }>;
  /** Writes entries as they are, each with its place and digest. One transaction; the caller has checked the chain. */
  restore(rows: readonly Omit<Row, 'cursor'>[]): Promise<void>;
  /** A number that moves when something was appended, as far as this process knows. */
  version(): number;
  /** Resolves when the version is not `seen` any more, when aborted, or after the store's polling time. */
  changed(seen: number, signal: AbortSignal | undefined): Promise<void>;

  /** Fixes the order of settled entries and gives the number of leaves that the tree can have now. */
  settle(): Promise<number>;
  /** Digests in the order of the tree, from leaf `from` (0 is the first). */
  leaves(from: number, limit: number): Promise<readonly string[]>;
  /** The leaf of an entry, or undefined while its order is not fixed. */
  leafOf(key: number, position: number): Promise<number | undefined>;
  sealed(): Promise<number>;
  node(level: number, index: number): Promise<string | undefined>;
  /** Adds nodes and moves the sealed size from `from` to `to`; false when another sealer was there first. */
  saveSealed(from: number, to: number, nodes: readonly TreeNode[]): Promise<boolean>;
  checkpoints(): Promise<readonly string[]>;
  saveCheckpoint(size: number, note: string): Promise<void>;

  loadSnapshot(stream: string, program: string): Promise<StoredSnapshot | undefined>;
  saveSnapshot(snapshot: StoredSnapshot): Promise<void>;
  /** The stream of each stored snapshot, in order of name. */
  snapshotStreams(): Promise<readonly string[]>;
  /** Subjects of the stream's own entries in the stretch, in order of name. */
  subjects(segment: Segment): Promise<readonly string[]>;
  /** Entries of a subject, by how they are stored and by stream. */
  subjectEntries(subject: string): Promise<readonly SubjectCount[]>;

  /** Takes the data out of the rows of these leaves, which the named segment now holds; notes which of it was sealed. */
  detach(from: number, to: number, segment: string): Promise<void>;
  /** Rows by leaf, from leaf `from`; fewer where they hold much data, like `page`. */
  pageLeaves(from: number, limit: number): Promise<readonly Row[]>;
  sizes(after: string | undefined, limit: number): Promise<readonly StreamSize[]>;
  /** Bytes on disk, indexes and free space included; undefined in memory. */
  bytes(): Promise<number | undefined>;
  /** Entries whose stream is not in the list of streams, the first few. */
  orphans(limit: number): Promise<readonly Row[]>;
  /** Entries in the log. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** The history of a stream from the rows of itself and its ancestors. */
export function lineageOf(row: StreamRow, ancestor: (key: number) => StreamRow | undefined): Lineage {
  const segments: Segment[] = [];
  let current: StreamRow | undefined = row;
  let to = Number.POSITIVE_INFINITY;
  const seen = new Set<number>();
  while (current !== undefined && !seen.has(current.key)) {
    seen.add(current.key);
    const from: number = (current.parent?.position ?? 0) + 1;
    if (to >= from) segments.unshift({ key: current.key, stream: current.stream, from, to });
    to = Math.min(to, from - 1);
    current = current.parent === undefined ? undefined : ancestor(current.parent.key);
  }
  return { row, segments };
}
