import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fault } from '../errors.ts';
import { ownerFork } from '../export-jsonl.ts';
import type { ProvenJournal } from '../journal.ts';
import { splitLines } from '../json-lines.ts';
import { entryLine, forkLine, parseLine } from '../jsonl-form.ts';
import { nextPageSize } from '../read-pages.ts';
import type { Row } from '../row.ts';
import { writeLines } from './jsonl-file.ts';

export type ArchiveOptions = {
  /** Folder of the segments. */
  readonly folder: string;
  /** Entries with a time before this are moved, as ISO-8601 text. Moving ends at the first later one. */
  readonly before: string;
  /** Entries of a segment file. @default 100000 */
  readonly segmentEntries?: number;
  readonly onProgress?: (progress: { readonly entries: number }) => void;
  readonly signal?: AbortSignal;
};
export type Archived = {
  readonly entries: number;
  readonly segments: readonly {
    readonly path: string;
    readonly from: number;
    readonly to: number;
    readonly bytes: number;
  }[];
};

/**
 * Moves the data of sealed entries out of the journal, in the order of the tree. Each segment is written, read back and
 * checked before anything is taken out. Ids, links and digests stay: proofs are still made, redeliveries still known;
 * reading such an entry throws JOURNAL_ARCHIVED. Segments are imported by `importJsonl`, oldest first.
 * @throws JOURNAL_DAMAGED when a segment is not read back as it was written; the journal is as before then
 */
export async function archiveJournal(journal: ProvenJournal, options: ArchiveOptions): Promise<Archived> {
  const { store } = journal;
  const before = Date.parse(options.before);
  if (Number.isNaN(before)) throw fault('JOURNAL_INVALID_ENTRY', 'before must be a time of ISO-8601');
  await mkdir(options.folder, { recursive: true });
  const sealed = await store.sealed();
  const segments: Archived['segments'][number][] = [];
  let from = await firstKept(journal, sealed);
  let entries = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const to = await endOf(journal, from, Math.min(sealed, from + (options.segmentEntries ?? 100_000)), before);
    if (to === from) return { entries, segments };
    const path = join(
      options.folder,
      `journal-${String(from).padStart(12, '0')}-${String(to).padStart(12, '0')}.jsonl`,
    );
    const bytes = await writeLines(path, segmentLines(journal, from, to));
    await checkSegment(path, await store.leaves(from, to - from));
    await store.detach(from, to, basename(path));
    segments.push({ path, from, to, bytes });
    entries += to - from;
    options.onProgress?.({ entries });
    from = to;
  }
}

/** The first leaf that still has its data: what was archived before lies in front of it. */
async function firstKept(journal: ProvenJournal, sealed: number): Promise<number> {
  let low = 0;
  let high = sealed;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await journal.store.pageLeaves(middle, 1);
    if (row?.segment === undefined) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function endOf(journal: ProvenJournal, from: number, limit: number, before: number): Promise<number> {
  let to = from;
  for await (const rows of leafPages(journal, from, limit)) {
    for (const row of rows) {
      if (row.time >= before) return to;
      to += 1;
    }
  }
  return to;
}

async function* leafPages(journal: ProvenJournal, from: number, to: number): AsyncGenerator<readonly Row[]> {
  let at = from;
  let size = 64;
  while (at < to) {
    const rows = await journal.store.pageLeaves(at, Math.min(size, to - at));
    if (rows.length === 0) return;
    yield rows;
    at += rows.length;
    size = nextPageSize(rows);
  }
}

async function* segmentLines(journal: ProvenJournal, from: number, to: number): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const rows of leafPages(journal, from, to)) {
    for (const row of rows) {
      if (!seen.has(row.stream)) {
        seen.add(row.stream);
        yield* forkBefore(journal, row);
      }
      const line = entryLine(row);
      if (line === undefined)
        throw fault('JOURNAL_ARCHIVED', `entry ${row.position} of ${row.stream} is archived already`);
      yield `${line}\n`;
    }
  }
}

/** The line that makes a fork, before its first own entry. */
async function* forkBefore(journal: ProvenJournal, row: Row): AsyncGenerator<string> {
  if (row.position === 1) return;
  const lineage = await journal.store.lineage(row.stream);
  const fork = lineage && ownerFork(lineage, lineage.row);
  if (fork !== undefined && fork.position + 1 === row.position) yield `${forkLine(fork)}\n`;
}

async function checkSegment(path: string, digests: readonly string[]): Promise<void> {
  let index = 0;
  for await (const line of splitLines(createReadStream(path))) {
    const parsed = line.text === undefined ? undefined : parseLine(line.text);
    if (parsed?.type === 'fork') continue;
    if (parsed?.type !== 'entry' || parsed.row.digest !== digests[index]) {
      throw fault('JOURNAL_DAMAGED', `line ${line.number} of ${path} is not the entry that was written`, { path });
    }
    index += 1;
  }
  if (index !== digests.length) throw fault('JOURNAL_DAMAGED', `${path} has ${index} entries`, { path });
}
