import { describeJournalConformance } from '@warrant/conformance';
import { createMemoryJournal } from './journal.ts';

describeJournalConformance({
  name: 'the memory journal',
  open: async () => {
    const journal = createMemoryJournal();
    return { journal, dispose: () => journal.close() };
  },
});
