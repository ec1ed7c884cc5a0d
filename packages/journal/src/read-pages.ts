import type { Journal, Recorded } from '@warrant/core';
import type { Reveal } from './reveal.ts';
import type { Row } from './row.ts';
import type { JournalStore, Segment } from './store.ts';

/** A page holds about this much data, whatever the size of its entries. @internal */
export const PAGE_BYTES = 4 * 1024 * 1024;
const FIRST_PAGE = 64;
const LONGEST_PAGE = 1000;

/** Size of the next page by the average of the last. @internal */
export function nextPageSize(rows: readonly Row[]): number {
  let bytes = 0;
  for (const row of rows) bytes += (row.data ?? row.sealed ?? '').length;
  return pageSizeAfter(rows.length, bytes);
}

/** Size of the next page after one of so many rows with so much data. @internal */
export function pageSizeAfter(rows: number, bytes: number): number {
  const average = bytes / Math.max(rows, 1) + 200;
  return Math.max(1, Math.min(LONGEST_PAGE, Math.floor(PAGE_BYTES / average)));
}

type ReadOptions = NonNullable<Parameters<Journal['read']>[1]>;

/** @internal */
export async function* readPages(
  store: JournalStore,
  reveal: Reveal,
  stream: string,
  options: ReadOptions,
): AsyncGenerator<Recorded, void, undefined> {
  options.signal?.throwIfAborted();
  const lineage = await store.lineage(stream);
  if (lineage === undefined) return;
  const direction = options.direction ?? 'forward';
  const from = Math.max(options.from ?? 1, 1);
  const to = Math.min(options.to ?? Number.POSITIVE_INFINITY, lineage.row.position);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const segments = direction === 'forward' ? lineage.segments : [...lineage.segments].reverse();
  for (const segment of segments) {
    const part = { ...segment, from: Math.max(from, segment.from), to: Math.min(to, segment.to) };
    for await (const rows of segmentPages(store, part, { direction, limit: left, signal: options.signal })) {
      left -= rows.length;
      yield* each(await reveal(rows), options.signal);
    }
  }
}

/** A signal ends a page in its middle too. */
function* each(entries: readonly Recorded[], signal: AbortSignal | undefined): Generator<Recorded, void, undefined> {
  for (const entry of entries) {
    signal?.throwIfAborted();
    yield entry;
  }
}

/** Rows of a stretch, page by page. @internal */
export async function* segmentPages(
  store: JournalStore,
  segment: Segment,
  options: {
    readonly direction: 'forward' | 'backward';
    readonly limit: number;
    readonly signal: AbortSignal | undefined;
  },
): AsyncGenerator<readonly Row[], void, undefined> {
  const { direction, signal } = options;
  let { from, to } = segment;
  let left = options.limit;
  let size = FIRST_PAGE;
  while (left > 0 && from <= to) {
    signal?.throwIfAborted();
    const limit = Math.min(size, left);
    const rows = await store.page({ key: segment.key, from, to, limit, direction });
    if (rows.length === 0) return;
    yield rows;
    left -= rows.length;
    const last = (rows[rows.length - 1] as Row).position;
    if (direction === 'forward') from = last + 1;
    else to = last - 1;
    size = nextPageSize(rows);
  }
}

/** @internal */
export async function* readAllPages(
  store: JournalStore,
  reveal: Reveal,
  options: { readonly after?: string; readonly signal?: AbortSignal },
): AsyncGenerator<Recorded, void, undefined> {
  let after = options.after;
  let size = FIRST_PAGE;
  for (;;) {
    options.signal?.throwIfAborted();
    const rows = await store.pageAll(after, size);
    if (rows.length === 0) return;
    yield* each(await reveal(rows), options.signal);
    after = (rows[rows.length - 1] as Row).cursor;
    size = nextPageSize(rows);
  }
}

type SubscribeOptions = Parameters<Journal['subscribe']>[0];

/** @internal */
export async function* subscribePages(
  store: JournalStore,
  reveal: Reveal,
  options: SubscribeOptions,
  isClosed: () => boolean,
): AsyncGenerator<Recorded, void, undefined> {
  const next = options.stream === undefined ? allAfter(store, reveal, options) : streamAfter(store, reveal, options);
  while (!isClosed()) {
    options.signal?.throwIfAborted();
    // Taken before the look, so that an append between look and wait is not slept over.
    const seen = store.version();
    let any = false;
    for await (const entry of next()) {
      any = true;
      yield entry;
    }
    if (!any) await store.changed(seen, options.signal);
  }
}

function allAfter(store: JournalStore, reveal: Reveal, options: SubscribeOptions): () => AsyncIterable<Recorded> {
  let after = options.after;
  return async function* () {
    const from = after === undefined ? {} : { after };
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    for await (const entry of readAllPages(store, reveal, { ...from, ...signal })) {
      after = entry.cursor;
      yield entry;
    }
  };
}

/** Within a stream positions are the order of commits, so that reading on from the last one misses nothing. */
function streamAfter(store: JournalStore, reveal: Reveal, options: SubscribeOptions): () => AsyncIterable<Recorded> {
  const stream = options.stream as string;
  let position: number | undefined = options.after === undefined ? 0 : undefined;
  return async function* () {
    if (position === undefined) position = await startAfter(store, stream, options.after as string);
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    for await (const entry of readPages(store, reveal, stream, { from: position + 1, ...signal })) {
      position = entry.position;
      yield entry;
    }
  };
}

async function startAfter(store: JournalStore, stream: string, cursor: string): Promise<number> {
  const lineage = await store.lineage(stream);
  let position = 0;
  for (const segment of lineage?.segments ?? []) {
    position = Math.max(position, Math.min(segment.to, await store.positionAt(segment.key, cursor)));
  }
  return position;
}
