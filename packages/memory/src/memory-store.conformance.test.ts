import { describeMemoryStoreConformance } from '@warrant/conformance';
import { createInMemoryStore } from './memory-store.ts';

describeMemoryStoreConformance({
  name: 'the store in memory',
  open: async () => {
    const store = createInMemoryStore();
    return { store, outbox: store.outbox, dispose: () => store.close() };
  },
});
