import type { Entry, Journal, Outbox } from '@warrant/core';

/** The store's outbox, and the journal that takes its entries over. */
export type AuditTrail = { readonly outbox: Outbox; readonly journal: Pick<Journal, 'append'> };

const BATCH = 500;

/** Hands the entries that wait to the journal. What it does not take stays for the next time: nothing is lost, nothing is told twice. */
export async function drainAudit({ outbox, journal }: AuditTrail): Promise<void> {
  for (;;) {
    const pending = await outbox.pending(BATCH);
    const stream = pending[0]?.stream;
    if (stream === undefined) return;
    const entries = pending.filter((one) => one.stream === stream).map(({ entry }) => entry);
    const taken = await takenBy(journal, stream, entries);
    if (taken.length === 0) return;
    await outbox.remove(taken);
  }
}

/** Ids of the entries that the journal has now. One that it refuses keeps nobody from the others. */
async function takenBy(
  journal: AuditTrail['journal'],
  stream: string,
  entries: readonly Entry[],
): Promise<readonly string[]> {
  try {
    await journal.append(stream, entries, { expected: 'any' });
    return entries.map(({ id }) => id);
  } catch {
    const half = entries.length >> 1;
    if (half === 0) return [];
    const first = await takenBy(journal, stream, entries.slice(0, half));
    // A journal that takes nothing of so many is not there.
    if (first.length === 0 && half > 1) return [];
    return [...first, ...(await takenBy(journal, stream, entries.slice(half)))];
  }
}
