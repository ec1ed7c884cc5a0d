import { type Appended, digest, type Entry, type Journal, WarrantError } from '@warrant/core';

/** A journal in a list, with the rules of `append` that a guard relies on. */
export function createArrayJournal(): Pick<Journal, 'append'> & { readonly entries: Entry[]; fail: boolean } {
  const entries: Entry[] = [];
  const journal = {
    entries,
    fail: false,
    append: async (_stream: string, given: readonly Entry[]): Promise<Appended> => {
      if (journal.fail) throw new WarrantError('JOURNAL_CLOSED', 'closed');
      const fresh = given.filter((entry) => {
        const known = entries.find((other) => other.id === entry.id);
        if (known !== undefined && digest(known.data) !== digest(entry.data)) {
          throw new WarrantError('JOURNAL_ID_REUSED', 'reused');
        }
        return known === undefined;
      });
      entries.push(...fresh);
      const skipped = given.filter((entry) => !fresh.includes(entry)).map(({ id }) => ({ id, position: 1 }));
      if (fresh.length === 0) return { type: 'duplicate', positions: [] };
      const place = { first: entries.length, last: entries.length, cursor: '', digest: digest(null) };
      return { type: 'appended', ...place, skipped };
    },
  };
  return journal;
}

export function verdicts(journal: { readonly entries: readonly Entry[] }): readonly Entry[] {
  return journal.entries.filter((entry) => entry.type === 'guard.verdict');
}
