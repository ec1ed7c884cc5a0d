export type { GraphDamage } from './damage.ts';
export { findGraphDamage } from './damage.ts';
export { renewEpoch } from './renew-epoch.ts';
export type { SqliteGraphStoreOptions } from './sqlite-graph-store.ts';
export { createSqliteGraphStore } from './sqlite-graph-store.ts';
