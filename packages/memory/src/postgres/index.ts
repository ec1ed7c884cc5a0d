export type { PostgresMemoryConnection } from './connect.ts';
export { createPostgresMemoryStore } from './connect.ts';
export type { PostgresMemoryStore } from './store.ts';
