export type { SqliteFailureCounts } from './failure-counts.ts';
export { createSqliteFailureCounts } from './failure-counts.ts';
