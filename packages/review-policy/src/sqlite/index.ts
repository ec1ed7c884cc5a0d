export { createSqliteReviewStore, type SqliteReviewStoreOptions } from './sqlite-store.ts';
