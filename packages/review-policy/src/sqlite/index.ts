export { createSqliteReviewStore, hasPendingReviews, type SqliteReviewStoreOptions } from './sqlite-store.ts';
