export type { OpenedMemory, OpenMemoryOptions } from './open-memory.ts';
export { openMemory } from './open-memory.ts';
export { createSqliteMemoryStore } from './store.ts';
