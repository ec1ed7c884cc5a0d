export type {
  GraphStoreCapabilities,
  GraphStoreCase,
  GraphStoreConformance,
  GraphStoreHarness,
} from './graph-store.ts';
export {
  describeGraphStoreConformance,
  graphStoreCases,
  runGraphStoreCase,
  runGraphStoreModel,
} from './graph-store.ts';
export type { InboxCase, InboxConformance, InboxHarness } from './inbox.ts';
export { describeInboxConformance, inboxCases, runInboxCase, runInboxModel } from './inbox.ts';
export type { JournalCase, JournalConformance, JournalHarness } from './journal.ts';
export { describeJournalConformance, journalCases, runJournalCase, runJournalModel } from './journal.ts';
export type { MemoryStoreCase, MemoryStoreConformance, MemoryStoreHarness } from './memory-store.ts';
export {
  describeMemoryStoreConformance,
  memoryStoreCases,
  runMemoryStoreCase,
  runMemoryStoreModel,
} from './memory-store.ts';
export type { ReviewStoreCase, ReviewStoreConformance, ReviewStoreHarness } from './review-store.ts';
export {
  describeReviewStoreConformance,
  reviewStoreCases,
  runReviewStoreCase,
  runReviewStoreModel,
} from './review-store.ts';
