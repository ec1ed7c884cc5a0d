import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Damage, report } from '../damage.ts';
import type { ProvenJournal } from '../journal.ts';
import { splitLines } from '../json-lines.ts';
import { parseLine } from '../jsonl-form.ts';
import { nextPageSize } from '../read-pages.ts';
import { headOf, type Row } from '../row.ts';

export type VerifyArchiveOptions = {
  /** Folder of the segments. */
  readonly folder: string;
  readonly onProgress?: (progress: { readonly entries: number }) => void;
  readonly signal?: AbortSignal;
};
export type ArchiveVerified = {
  readonly type: 'intact' | 'damaged';
  /** Archived entries that were held against their segments. */
  readonly entries: number;
  readonly segments: number;
  /** The first damage found. */
  readonly damage?: Damage;
};

const FIRST_PAGE = 64;

/**
 * Holds every archived entry against the line of its segment: with `verifyJournal`, which takes their digests as they
 * stand, this shows that nothing of the archive was changed either.
 */
export async function verifyArchive(journal: ProvenJournal, options: VerifyArchiveOptions): Promise<ArchiveVerified> {
  let entries = 0;
  let segments = 0;
  let open: Segment | undefined;
  try {
    for await (const row of archivedRows(journal, options.signal)) {
      if (open?.name !== row.segment) {
        await open?.close();
        open = await openSegment(options.folder, row.segment);
        segments += 1;
      }
      const damage = open === undefined ? gone(row) : await open.compare(row);
      if (damage !== undefined) return { type: 'damaged', entries, segments, damage };
      entries += 1;
      if (entries % 10_000 === 0) options.onProgress?.({ entries });
    }
    return { type: 'intact', entries, segments };
  } finally {
    await open?.close();
  }
}

type ArchivedRow = Row & { readonly segment: string };

async function* archivedRows({ store }: ProvenJournal, signal: AbortSignal | undefined): AsyncGenerator<ArchivedRow> {
  const settled = await store.settle();
  let size = FIRST_PAGE;
  for (let from = 0; from < settled; ) {
    signal?.throwIfAborted();
    const rows = await store.pageLeaves(from, Math.min(size, settled - from));
    if (rows.length === 0) return;
    for (const row of rows) if (row.segment !== undefined) yield { ...row, segment: row.segment };
    from += rows.length;
    size = nextPageSize(rows);
  }
}

type Segment = {
  readonly name: string;
  readonly compare: (row: ArchivedRow) => Promise<Damage | undefined>;
  readonly close: () => Promise<void>;
};

/** `undefined` where there is no such file. A name leads nowhere out of the folder. */
async function openSegment(folder: string, name: string): Promise<Segment | undefined> {
  if (name === '' || basename(name) !== name) return undefined;
  const path = join(folder, name);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return undefined;
  const lines = splitLines(createReadStream(path));
  return {
    name,
    compare: async (row) => {
      for (;;) {
        const next = await lines.next();
        const parsed = next.done === true || next.value.text === undefined ? undefined : parseLine(next.value.text);
        if (parsed?.type === 'fork') continue;
        if (parsed?.type === 'entry' && textOf(parsed.row) === textOf(row)) return undefined;
        const where = next.done === true ? `${name} ends before it` : `line ${next.value.number} of ${name} is another`;
        return report('changed', row.stream, row.position, row.id, where, { segment: name });
      }
    },
    close: async () => void (await lines.return()),
  };
}

/** All of an entry but its data, which the digest of its line covers. */
function textOf(row: Omit<Row, 'cursor'>): string {
  const { stream, position, time, previous, digest } = row;
  return JSON.stringify([headOf(row), stream, position, time, previous, digest]);
}

function gone(row: ArchivedRow): Damage {
  const message = `the segment that it names is not there: ${row.segment}`;
  return report('removed', row.stream, row.position, row.id, message, { segment: row.segment });
}
