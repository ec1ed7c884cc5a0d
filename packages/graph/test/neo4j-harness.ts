import type { GraphStoreHarness } from '@warrant/conformance';
import type { LocalGraphStore } from '../src/index.ts';
import { createNeo4jGraphStore, type Neo4jGraphStoreOptions } from '../src/neo4j/index.ts';
import { openServer } from './neo4j-server.ts';

/** A probe may take long where many tests share two processors. */
export const PATIENT_MS = 60_000;

let count = 0;

/** The name of a graph that no other test of this run has. */
export function freshGraph(): string {
  count += 1;
  return `test-${process.pid}-${count}`;
}

/** A store on a new graph of the server that the environment names; every handle has its own connections. */
export async function neo4jHarness(options: Neo4jGraphStoreOptions = {}): Promise<GraphStoreHarness> {
  const graph = freshGraph();
  const stores: LocalGraphStore[] = [];
  const open = async (): Promise<LocalGraphStore> => {
    const store = await createNeo4jGraphStore({ connectMs: PATIENT_MS, ...options, graph });
    stores.push(store);
    return store;
  };
  const store = await open();
  return {
    store,
    another: open,
    reopen: async () => {
      await Promise.all(stores.splice(0).map((one) => one.close()));
      return open();
    },
    dispose: async () => {
      await Promise.all(stores.map((one) => one.close()));
      await removeGraph(graph);
    },
  };
}

/** Takes a graph out of the database again. */
export async function removeGraph(graph: string): Promise<void> {
  const server = openServer();
  await server.run('MATCH (n) WHERE n.graph = $graph OR n.name = $graph DETACH DELETE n', { graph });
  await server.close();
}
