import { describeGraphStoreConformance } from '@warrant/conformance';
import { sqliteHarness } from './sqlite-harness.ts';

describeGraphStoreConformance({
  name: 'the store in a SQLite file',
  createStore: sqliteHarness,
  capabilities: { restart: true, sharing: true },
});
