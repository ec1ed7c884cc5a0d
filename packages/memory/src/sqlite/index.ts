export type { OpenedMemory, OpenMemoryOptions } from './open-memory.ts';
export { openMemory } from './open-memory.ts';
export { readAgentdb } from './read-agentdb.ts';
export { createSqliteMemoryStore } from './store.ts';
