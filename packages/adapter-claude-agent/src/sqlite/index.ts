export type { SqliteSessionStoreOptions } from './session-store.ts';
export { createSqliteSessionStore } from './session-store.ts';
