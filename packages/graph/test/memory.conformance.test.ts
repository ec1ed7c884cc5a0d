import { describeGraphStoreConformance } from '@warrant/conformance';
import { createMemoryGraphStore } from '../src/index.ts';

describeGraphStoreConformance({
  name: 'the store in memory',
  createStore: async () => ({ store: createMemoryGraphStore(), dispose: async () => undefined }),
  capabilities: { restart: false, sharing: false },
});
