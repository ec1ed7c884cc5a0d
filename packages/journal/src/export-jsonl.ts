import { fault } from './errors.ts';
import type { ProvenJournal } from './journal.ts';
import { entryLine, type ForkLine, forkLine } from './jsonl-form.ts';
import { nextPageSize, segmentPages } from './read-pages.ts';
import type { Row } from './row.ts';
import type { JournalStore, Lineage, Segment, StreamRow } from './store.ts';

export type ExportOptions = {
  /** Only these streams, with what they inherited. @default the whole log, in its order */
  readonly streams?: readonly string[];
  readonly onProgress?: (progress: { readonly entries: number }) => void;
  readonly signal?: AbortSignal;
};

/**
 * The journal as JSONL, one canonical JSON text a line, each line with its newline. Data of subjects stays sealed.
 * @throws JOURNAL_ARCHIVED at an entry whose data was moved out
 */
export async function* exportJsonl(
  journal: ProvenJournal,
  options: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { store } = journal;
  let entries = 0;
  const lines = options.streams === undefined ? wholeLog(store, options) : someStreams(store, options.streams, options);
  for await (const part of lines) {
    if (typeof part !== 'string') {
      entries += 1;
      if (entries % 10_000 === 0) options.onProgress?.({ entries });
    }
    yield `${typeof part === 'string' ? part : lineOf(part)}\n`;
  }
  options.onProgress?.({ entries });
}

function lineOf(row: Row): string {
  const line = entryLine(row);
  if (line !== undefined) return line;
  const { stream, position, segment } = row;
  throw fault('JOURNAL_ARCHIVED', `entry ${position} of ${stream} was moved to the archive ${segment}`, {
    stream,
    position,
    segment: segment ?? '',
  });
}

/** Rows and fork lines in the order of the log; a fork that has no entry yet comes at the end. */
async function* wholeLog(store: JournalStore, options: ExportOptions): AsyncGenerator<Row | string, void, undefined> {
  const forks = await allForks(store);
  let after: string | undefined;
  let size = 64;
  for (;;) {
    options.signal?.throwIfAborted();
    const rows = await store.pageAll(after, size);
    if (rows.length === 0) break;
    for (const row of rows) {
      yield* ancestry(forks, row.stream);
      yield row;
    }
    after = (rows[rows.length - 1] as Row).cursor;
    size = nextPageSize(rows);
  }
  for (const stream of [...forks.keys()]) yield* ancestry(forks, stream);
}

/** Lines of a fork and of the forks that it comes from, root first, each once. */
function* ancestry(forks: Map<string, ForkLine>, stream: string): Generator<string, void, undefined> {
  const fork = forks.get(stream);
  if (fork === undefined) return;
  forks.delete(stream);
  yield* ancestry(forks, fork.parent);
  yield forkLine(fork);
}

async function allForks(store: JournalStore): Promise<Map<string, ForkLine>> {
  const forks = new Map<string, ForkLine>();
  const names = new Map<number, string>();
  const open: { readonly stream: string; readonly parent: NonNullable<Lineage['row']['parent']> }[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await store.streams(after, 500);
    if (page.length === 0) break;
    for (const stream of page) {
      const row = (await store.lineage(stream))?.row;
      if (row !== undefined) names.set(row.key, stream);
      if (row?.parent !== undefined) open.push({ stream, parent: row.parent });
    }
    after = page[page.length - 1];
  }
  for (const { stream, parent } of open) {
    const name = names.get(parent.key) as string;
    forks.set(stream, { stream, parent: name, position: parent.position, digest: parent.digest });
  }
  return forks;
}

async function* someStreams(
  store: JournalStore,
  streams: readonly string[],
  options: ExportOptions,
): AsyncGenerator<Row | string, void, undefined> {
  const parts = new Map<string, { readonly segment: Segment; readonly fork: ForkLine | undefined }>();
  for (const stream of streams) {
    const lineage = await store.lineage(stream);
    if (lineage === undefined) throw fault('JOURNAL_INVALID_STREAM', `there is no stream ${stream}`, { stream });
    await addAncestry(store, parts, lineage);
  }
  for (const { segment, fork } of parts.values()) {
    if (fork !== undefined) yield forkLine(fork);
    const all = { direction: 'forward' as const, limit: Number.POSITIVE_INFINITY, signal: options.signal };
    for await (const rows of segmentPages(store, segment, all)) yield* rows;
  }
}

/** Ancestors come first, each as far as the furthest of its descendants needs it. */
async function addAncestry(
  store: JournalStore,
  parts: Map<string, { readonly segment: Segment; readonly fork: ForkLine | undefined }>,
  lineage: Lineage,
): Promise<void> {
  for (const segment of lineage.segments) {
    const known = parts.get(segment.stream);
    const { row } = (await store.lineage(segment.stream)) as Lineage;
    const own = { ...segment, from: (row.parent?.position ?? 0) + 1, to: Math.max(segment.to, known?.segment.to ?? 0) };
    const fork = ownerFork(lineage, row);
    parts.set(segment.stream, { segment: own, fork: known?.fork ?? fork });
  }
}

/**
 * The fork line of a stream, naming the stream that owns the entry it begins at: a parent that hands on only what it
 * inherited itself need not come along.
 * @internal
 */
export function ownerFork(lineage: Lineage, row: StreamRow): ForkLine | undefined {
  if (row.parent === undefined) return undefined;
  const { position, digest } = row.parent;
  const owner = lineage.segments.find((one) => position >= one.from && position <= one.to);
  return owner && { stream: row.stream, parent: owner.stream, position, digest };
}
