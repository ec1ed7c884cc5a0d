import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { WarrantError } from '@warrant/core';
import { writeFileAtomic } from '@warrant/core/files';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemoryGraphStore, type GraphStore } from '@warrant/graph';
import { exportGraph } from '@warrant/graph/documents';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import type { CommandCall } from '../cli/command.ts';
import { primitivesOfFile } from './load-graph.ts';

/** A graph that an address names, opened. */
export type OpenedGraph = {
  readonly store: GraphStore;
  /** Writes what the store holds to the document that the address names; absent where the store itself is the place. */
  readonly save?: () => Promise<void>;
  readonly close: () => Promise<void>;
};
type Role = 'from' | 'to';

const DOCUMENT = /\.(ya?ml|json)$/iu;
const SERVER = /^(bolt|neo4j)(\+s|\+ssc)?:\/\//u;

/**
 * Opens a document (`*.yaml`, `*.json`), a database file, or `bolt://host:port?graph=NAME&database=NAME`.
 * @throws CLI_FILE_NAME, CLI_FILE_EXISTS, GRAPH_*, SQLITE_*
 */
export async function openGraphAt(address: string, role: Role, call: CommandCall): Promise<OpenedGraph> {
  if (SERVER.test(address)) return openServer(address, role, call);
  const path = resolve(call.terminal.directory, address);
  if (role === 'from' && !existsSync(path)) {
    throw new WarrantError('CLI_FILE_NAME', `there is no file ${path}`, { data: { path } });
  }
  return DOCUMENT.test(address) ? openDocument(path, role, call.terminal.directory) : openFile(path, role);
}

async function openServer(address: string, role: Role, call: CommandCall): Promise<OpenedGraph> {
  const { createNeo4jGraphStore } = await import('@warrant/graph/neo4j');
  const parameters = new URL(address).searchParams;
  const database = parameters.get('database');
  const store = await createNeo4jGraphStore({
    url: address,
    graph: parameters.get('graph') ?? 'default',
    ...(database === null ? {} : { database }),
    readOnly: role === 'from',
    environment: call.terminal.environment,
  });
  return { store, close: () => store.close() };
}

function openFile(path: string, role: Role): OpenedGraph {
  const file = openSqlite(path, { readOnly: role === 'from' });
  const store = createSqliteGraphStore({ file });
  const close = async (): Promise<void> => {
    await store.close();
    file.close();
  };
  return { store, close };
}

async function openDocument(path: string, role: Role, directory: string): Promise<OpenedGraph> {
  if (role === 'to' && existsSync(path)) {
    throw new WarrantError('CLI_FILE_EXISTS', `${path} is there already; a copy never replaces a file`, {
      data: { path },
    });
  }
  const store = createMemoryGraphStore();
  const close = (): Promise<void> => store.close();
  if (role === 'from') {
    const primitives = await primitivesOfFile(directory, path);
    const changes = primitives.map((primitive) => ({ type: 'put-primitive', primitive }) as const);
    await store.apply(changes, { id: path.slice(-200), expected: 'any' });
    return { store, close };
  }
  const save = async (): Promise<void> => {
    const format = path.endsWith('.json') ? 'json' : 'yaml';
    await writeFileAtomic(path, await exportGraph(store.primitives(), { name: 'graph', format }));
  };
  return { store, save, close };
}
