export type { JournalCase, JournalConformance, JournalHarness } from './journal.ts';
export { describeJournalConformance, journalCases, runJournalCase, runJournalModel } from './journal.ts';
