import type { Digest } from '@warrant/core';
import { fault } from './errors.ts';
import { consistencyPath, inclusionPath, rootOf } from './merkle.ts';
import { asDigest, type Row } from './row.ts';
import type { JournalStore } from './store.ts';
import { createNodeReader } from './tree.ts';

/** Shows that an entry is in the tree; hashes are base64. Plain JSON, to be handed on. */
export type InclusionProof = {
  readonly type: 'inclusion';
  readonly stream: string;
  readonly position: number;
  readonly digest: Digest;
  readonly leaf: number;
  readonly size: number;
  readonly root: string;
  readonly path: readonly string[];
};
/** Shows that the tree of size `to` begins with the tree of size `from`; hashes are base64. */
export type ConsistencyProof = {
  readonly type: 'consistency';
  readonly from: number;
  readonly to: number;
  readonly fromRoot: string;
  readonly toRoot: string;
  readonly path: readonly string[];
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** @internal */
export async function proveInclusion(
  store: JournalStore,
  stream: string,
  position: number,
  size?: number,
): Promise<InclusionProof> {
  const row = await rowAt(store, stream, position);
  const sealed = await store.sealed();
  const within = size ?? sealed;
  const leaf = row && (await store.leafOf(row.key, position));
  if (row === undefined || leaf === undefined || leaf >= within || within > sealed) {
    throw fault('JOURNAL_NOT_SEALED', `entry ${position} of ${stream} is not in a tree of size ${within}`, {
      stream,
      position,
      size: within,
      sealed,
    });
  }
  const read = createNodeReader(store);
  const path = await inclusionPath(read, leaf, within);
  const root = base64(await rootOf(read, within));
  const { digest } = row.row;
  return {
    type: 'inclusion',
    stream,
    position,
    digest: asDigest(digest),
    leaf,
    size: within,
    root,
    path: path.map(base64),
  };
}

async function rowAt(
  store: JournalStore,
  stream: string,
  position: number,
): Promise<{ readonly key: number; readonly row: Row } | undefined> {
  const lineage = await store.lineage(stream);
  const segment = lineage?.segments.find((one) => position >= one.from && position <= one.to);
  if (segment === undefined) return undefined;
  const rows = await store.page({ key: segment.key, from: position, to: position, limit: 1, direction: 'forward' });
  return rows[0] && { key: segment.key, row: rows[0] };
}

/** @internal */
export async function proveConsistency(store: JournalStore, from: number, to: number): Promise<ConsistencyProof> {
  const sealed = await store.sealed();
  if (!Number.isSafeInteger(from) || from < 1 || from > to || to > sealed) {
    throw fault('JOURNAL_NOT_SEALED', `there are no trees of sizes ${from} and ${to}`, { from, to, sealed });
  }
  const read = createNodeReader(store);
  return {
    type: 'consistency',
    from,
    to,
    fromRoot: base64(await rootOf(read, from)),
    toRoot: base64(await rootOf(read, to)),
    path: (await consistencyPath(read, from, to)).map(base64),
  };
}
