export type { Neo4jGraphErrorCode } from './errors.ts';
export { createNeo4jGraphStore } from './neo4j-graph-store.ts';
export type { Environment, Neo4jGraphStoreOptions } from './settings.ts';
