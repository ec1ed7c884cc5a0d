export { renewEpoch } from './renew-epoch.ts';
export type { SqliteGraphStoreOptions } from './sqlite-graph-store.ts';
export { createSqliteGraphStore } from './sqlite-graph-store.ts';
