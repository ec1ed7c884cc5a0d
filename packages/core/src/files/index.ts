export type { WriteFileAtomicOptions } from './atomic.ts';
export { writeFileAtomic } from './atomic.ts';
export type { FileLockOptions } from './lock.ts';
export { withFileLock } from './lock.ts';
export type { LockOwner } from './owner.ts';
export type { FileAgentRegistryOptions } from './registry.ts';
export { createFileAgentRegistry } from './registry.ts';
