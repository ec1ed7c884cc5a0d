import { createIdSource, createVirtualClock, type MemoryStore, type VirtualClock } from '@warrant/core';
import { createMemory, type Memory } from '../memory.ts';
import { createInMemoryStore, type InMemoryStore } from '../memory-store.ts';
import type { MemoryOptions } from '../setup.ts';

const START = '2026-01-01T00:00:00.000Z';

/** A memory whose time stands still until it is moved. */
export function memoryFor(options: Partial<MemoryOptions> = {}): {
  readonly memory: Memory;
  readonly clock: VirtualClock;
  readonly store: InMemoryStore & MemoryStore;
} {
  const clock = createVirtualClock(START);
  const store = createInMemoryStore();
  const memory = createMemory({ store, clock, ids: createIdSource({ clock }), ...options });
  return { memory, clock, store };
}
