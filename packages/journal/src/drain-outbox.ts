import { type Entry, isWarrantError, type Journal, type Outbox } from '@warrant/core';

import { groupBy } from './group-by.ts';

export type Drained = {
  /** Entries that are in the journal now, those that were already there included. */
  readonly drained: number;
  /** Entries that the journal refuses; they stay in the outbox. */
  readonly failed: readonly { readonly stream: string; readonly id: string; readonly code: string }[];
};

/**
 * Moves what layers left in an outbox into the journal: at least once, which the journal makes exactly once, and in
 * the outbox's order within a stream. Stops when nothing is left or the signal is aborted between two batches.
 * @param options.batch entries a turn @default 500
 * @throws what is no fault of a single entry, such as a full disk; what was moved until then is moved
 */
export async function drainOutbox(
  outbox: Outbox,
  journal: Pick<Journal, 'append'>,
  options: { readonly batch?: number; readonly signal?: AbortSignal } = {},
): Promise<Drained> {
  const batch = options.batch ?? 500;
  const failed = new Map<string, Drained['failed'][number]>();
  let drained = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    // Refused ones stay in front, so that more has to be asked for to see beyond them.
    const pending = (await outbox.pending(batch + failed.size)).filter((one) => !failed.has(one.entry.id));
    if (pending.length === 0) return { drained, failed: [...failed.values()] };
    for (const [stream, group] of groupBy(pending, (one) => one.stream)) {
      const entries = group.map((one) => one.entry);
      const moved = await moveEntries(journal, stream, entries, failed);
      await outbox.remove(moved);
      drained += moved.length;
    }
  }
}

/** All of a stream at once; where that is refused, one by one, so that only the faulty ones stay behind. */
async function moveEntries(
  journal: Pick<Journal, 'append'>,
  stream: string,
  entries: readonly Entry[],
  failed: Map<string, Drained['failed'][number]>,
): Promise<readonly string[]> {
  try {
    await journal.append(stream, entries, { expected: 'any' });
    return entries.map((entry) => entry.id);
  } catch (error) {
    if (!isEntryFault(error)) throw error;
    if (entries.length === 1) {
      const { id } = entries[0] as Entry;
      failed.set(id, { stream, id, code: error.code });
      return [];
    }
    const moved: string[] = [];
    for (const entry of entries) moved.push(...(await moveEntries(journal, stream, [entry], failed)));
    return moved;
  }
}

const ENTRY_FAULTS: readonly string[] = [
  'JOURNAL_ENTRY_TOO_LARGE',
  'JOURNAL_ID_REUSED',
  'JOURNAL_INVALID_ENTRY',
  'JOURNAL_INVALID_STREAM',
  'JOURNAL_SUBJECT_ERASED',
  'JSON_INVALID',
  'JSON_LONE_SURROGATE',
  'JSON_TOO_DEEP',
];

function isEntryFault(error: unknown): error is { readonly code: string } {
  return isWarrantError(error) && ENTRY_FAULTS.includes(error.code);
}
