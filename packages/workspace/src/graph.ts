import { type Clock, type IdSource, WarrantError } from '@warrant/core';
import type { OpenedSqlite } from '@warrant/core/sqlite';
import type { LocalGraphStore } from '@warrant/graph';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import type { WorkspaceConfig } from './config/schema.ts';

type GraphParts = {
  readonly config: WorkspaceConfig;
  readonly file: OpenedSqlite;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** The graph that `warrant.yaml` names: in the workspace's own file, or in a Neo4j database. */
export async function workspaceGraph({ config, file, clock, ids, environment }: GraphParts): Promise<LocalGraphStore> {
  const { neo4j } = config.graph;
  if (neo4j === undefined) return createSqliteGraphStore({ file, clock, ids });
  const { createNeo4jGraphStore } = await loadNeo4j();
  const { url, graph, database } = neo4j;
  return createNeo4jGraphStore({
    ...(url === undefined ? {} : { url }),
    ...(database === undefined ? {} : { database }),
    graph,
    readOnly: file.readOnly,
    environment,
    clock,
    ids,
  });
}

/** The driver is an optional peer, loaded only where the settings ask for it. */
async function loadNeo4j(): Promise<typeof import('@warrant/graph/neo4j')> {
  try {
    return await import('@warrant/graph/neo4j');
  } catch (cause) {
    const message = "warrant.yaml names a graph in Neo4j, but its driver is not there: 'npm install neo4j-driver'";
    throw new WarrantError('WORKSPACE_DRIVER_MISSING', message, { data: { driver: 'neo4j-driver' }, cause });
  }
}
