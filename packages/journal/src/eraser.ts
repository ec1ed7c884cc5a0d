import type { Eraser } from '@warrant/core';
import { fault } from './errors.ts';
import type { ProvenJournal } from './journal.ts';

const OUTSIDE = [
  'what was read from the journal and kept elsewhere',
  'backups of the key store: they have to be erased where they lie',
];

/**
 * Erases subjects by destroying their keys. Chain and proofs stay as they are, for they cover the ciphertext.
 * @throws JOURNAL_INVALID_KEY when the journal has no key store
 */
export function createEraser(journal: ProvenJournal): Eraser {
  const { store, options } = journal;
  const { keys } = options;
  if (keys === undefined) throw fault('JOURNAL_INVALID_KEY', 'a journal without a key store can erase nobody');
  return {
    erase: async (subject) => {
      const keyDestroyed = await keys.destroy(subject);
      const counts = await store.subjectEntries(subject);
      const sum = (name: 'sealed' | 'clear' | 'archived' | 'archivedClear'): number =>
        counts.reduce((total, count) => total + count[name], 0);
      const streams = new Set(counts.map((count) => count.stream));
      const snapshots = await snapshotsWith(journal, subject, streams);
      const notCovered = [...OUTSIDE];
      if (sum('archivedClear') > 0) {
        notCovered.unshift(
          `${sum('archivedClear')} archived entries whose data is not known to be sealed in its segment`,
        );
      }
      if (sum('clear') > 0) {
        notCovered.unshift(`${sum('clear')} entries that were stored before the journal had a key store`);
      }
      return {
        subject,
        keyDestroyed,
        covered: [
          { place: 'entries', count: sum('sealed') },
          { place: 'archived entries', count: sum('archived') },
          { place: 'snapshots', count: snapshots },
        ],
        notCovered,
      };
    },
  };
}

async function snapshotsWith(journal: ProvenJournal, subject: string, streams: ReadonlySet<string>): Promise<number> {
  let count = 0;
  for (const name of await journal.store.snapshotStreams()) {
    const lineage = await journal.store.lineage(name);
    const suspects = (lineage?.segments ?? []).filter((segment) => streams.has(segment.stream));
    for (const segment of suspects) {
      if (!(await journal.store.subjects(segment)).includes(subject)) continue;
      count += 1;
      break;
    }
  }
  return count;
}
