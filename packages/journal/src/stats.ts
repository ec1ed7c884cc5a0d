import type { ProvenJournal } from './journal.ts';
import { timeText } from './row.ts';
import type { StreamSize } from './store.ts';

export type StreamStats = {
  readonly stream: string;
  readonly entries: number;
  /** Data in UTF-8, as stored. */
  readonly bytes: number;
  readonly archived: number;
  /** Times of the first and last entry; null for a stream without entries of its own. */
  readonly first: string | null;
  readonly last: string | null;
  /** Data added a day between first and last entry; null below one day. */
  readonly bytesPerDay: number | null;
};
export type LayerStats = {
  readonly layer: string;
  readonly streams: number;
  readonly entries: number;
  readonly bytes: number;
  /** Data added a day between its first and last entry; null below one day. */
  readonly bytesPerDay: number | null;
};
export type JournalStats = {
  readonly entries: number;
  readonly streams: number;
  readonly bytes: number;
  readonly archived: number;
  /** Bytes on disk with indexes and free space, of all layers in the file; null in memory. */
  readonly bytesOnDisk: number | null;
  readonly sealed: number;
  readonly checkpoints: number;
  /** By layer: what a stream's name has before its first `/`, `:` or `.`. */
  readonly layers: readonly LayerStats[];
  /** The streams with the most bytes. */
  readonly largest: readonly StreamStats[];
};

const DAY_MS = 86_400_000;

/** Sizes by stream and layer. Walks the streams, not their data. @param options.top streams in `largest` @default 20 */
export async function journalStats(
  journal: ProvenJournal,
  options: {
    readonly top?: number;
    readonly onProgress?: (progress: { readonly streams: number }) => void;
    readonly signal?: AbortSignal;
  } = {},
): Promise<JournalStats> {
  const { store } = journal;
  const top = options.top ?? 20;
  const layers = new Map<string, Layer>();
  const totals = { entries: 0, streams: 0, bytes: 0, archived: 0 };
  let largest: StreamSize[] = [];
  let after: string | undefined;
  for (;;) {
    options.signal?.throwIfAborted();
    const sizes = await store.sizes(after, 500);
    if (sizes.length === 0) break;
    for (const size of sizes) {
      totals.streams += 1;
      totals.entries += size.entries;
      totals.bytes += size.bytes;
      totals.archived += size.archived;
      addTo(layers, size);
    }
    largest = [...largest, ...sizes].sort((a, b) => b.bytes - a.bytes).slice(0, top);
    after = (sizes[sizes.length - 1] as StreamSize).stream;
    options.onProgress?.({ streams: totals.streams });
  }
  return {
    ...totals,
    bytesOnDisk: (await store.bytes()) ?? null,
    sealed: await store.sealed(),
    checkpoints: (await store.checkpoints()).length,
    layers: [...layers.values()].sort((a, b) => b.bytes - a.bytes).map(layerOf),
    largest: largest.map(statsOf),
  };
}

type Layer = { layer: string; streams: number; entries: number; bytes: number; first: number; last: number };

function addTo(layers: Map<string, Layer>, size: StreamSize): void {
  const layer = size.stream.split(/[/:.]/, 1)[0] as string;
  const none = { layer, streams: 0, entries: 0, bytes: 0, first: Number.POSITIVE_INFINITY, last: 0 };
  const sum = layers.get(layer) ?? none;
  sum.streams += 1;
  sum.entries += size.entries;
  sum.bytes += size.bytes;
  if (size.entries > 0) {
    sum.first = Math.min(sum.first, size.first);
    sum.last = Math.max(sum.last, size.last);
  }
  layers.set(layer, sum);
}

function layerOf({ layer, streams, entries, bytes, first, last }: Layer): LayerStats {
  return { layer, streams, entries, bytes, bytesPerDay: perDay(bytes, last - first) };
}

function perDay(bytes: number, milliseconds: number): number | null {
  return milliseconds < DAY_MS ? null : Math.round((bytes * DAY_MS) / milliseconds);
}

function statsOf(size: StreamSize): StreamStats {
  const { stream, entries, bytes, archived } = size;
  return {
    stream,
    entries,
    bytes,
    archived,
    first: entries === 0 ? null : timeText(size.first),
    last: entries === 0 ? null : timeText(size.last),
    bytesPerDay: perDay(bytes, size.last - size.first),
  };
}
