import { describeGraphStoreConformance } from '@warrant/conformance';
import { neo4jHarness } from './neo4j-harness.ts';
import { describeWithNeo4j } from './neo4j-server.ts';

describeWithNeo4j('Neo4j', () => {
  describeGraphStoreConformance({
    name: 'the store in Neo4j',
    createStore: () => neo4jHarness(),
    capabilities: { restart: true, sharing: true },
    modelRuns: 15,
  });
});
