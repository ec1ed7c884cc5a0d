import { createIdSource, type Primitive, systemClock } from '@warrant/core';
import { checkApply } from '../apply-options.ts';
import { graphError } from '../errors.ts';
import { deepFreeze } from '../freeze.ts';
import { createInterner, type Interner } from '../interner.ts';
import type { LocalGraphStore } from '../metrics.ts';
import { applyBatch } from './apply.ts';
import { type ConceptCache, createConceptCache } from './cache.ts';
import { type Connection, openConnection, type Rows } from './connection.ts';
import { neo4jError } from './errors.ts';
import { pause, readHead, type Session } from './head.ts';
import { createMetricsWriter } from './metrics.ts';
import { migrate } from './migrate.ts';
import { corrupt, type ReadConcept, readConcepts } from './rows.ts';
import { type Neo4jGraphStoreOptions, targetOf } from './settings.ts';
import { BY_IDS, PAGE, PAGE_OF_SOURCE } from './statements.ts';
import { createViews } from './views.ts';

type Reading = { readonly session: Session; readonly cache: ConceptCache; readonly interner: Interner };
type Listing = Parameters<LocalGraphStore['primitives']>[0];

const PAGE_SIZE = 500;

/**
 * A graph in a Neo4j database, loaded as far as views need it and kept; a check on an unchanged graph costs one version
 * probe. Several hosts may use one graph, and several graphs one database. The store owns its connections: close it.
 * @throws GRAPH_INVALID, GRAPH_UNREACHABLE, GRAPH_UNAUTHORIZED, GRAPH_SCHEMA_NEWER, GRAPH_SCHEMA_MISSING (read-only)
 */
export async function createNeo4jGraphStore(options: Neo4jGraphStoreOptions = {}): Promise<LocalGraphStore> {
  const target = targetOf(options);
  const { connectMs = 4000, statementMs = 120_000, retryMs = 3000, maxConnections = 20, timer } = options;
  const waiting = { connectMs, statementMs, ...(timer === undefined ? {} : { timer }) };
  const connection = openConnection(target, { ...waiting, retryMs, maxConnections });
  const session: Session = { ...waiting, connection, graph: target.graph, readOnly: options.readOnly ?? false };
  try {
    const ids = options.ids ?? createIdSource({ clock: options.clock ?? systemClock });
    if (session.readOnly) await readHead(session, {});
    else await migrate(connection, { graph: target.graph, ids, connectMs });
  } catch (error) {
    await connection.close();
    throw error;
  }
  return storeOf(session, options);
}

function storeOf(session: Session, options: Neo4jGraphStoreOptions): LocalGraphStore {
  const { connection } = session;
  const interner = createInterner();
  const cache = createConceptCache(options.cacheLimit ?? 50_000_000);
  const views = createViews(session, cache, interner);
  const metrics = createMetricsWriter(session, options.clock ?? systemClock);
  const reading: Reading = { session, cache, interner };
  let closed: Promise<void> | undefined;
  const open = (signal?: AbortSignal): void => {
    if (closed !== undefined) throw graphError('GRAPH_CLOSED', 'the graph store is closed');
    signal?.throwIfAborted();
  };
  return {
    version: async () => {
      open();
      return views.version({});
    },
    view: async (names, how) => {
      open(how?.signal);
      return views.view(names, { signal: how?.signal });
    },
    byId: async (id) => {
      open();
      return readById(id, reading);
    },
    primitives: (how) => iterate(reading, how, open),
    apply: async (changes, how) => {
      open(how?.signal);
      checkApply(changes, how);
      if (session.readOnly) throw neo4jError('GRAPH_READ_ONLY', 'the graph store was opened for reading only');
      return applyBatch(session, interner, changes, how);
    },
    count: (checks) => {
      if (closed === undefined) metrics.count(checks);
    },
    metrics: async () => {
      open();
      return metrics.metrics();
    },
    close: () => {
      closed ??= closeAll(metrics, connection);
      return closed;
    },
  };
}

async function closeAll(metrics: { readonly close: () => Promise<void> }, connection: Connection): Promise<void> {
  await metrics.close();
  await connection.close();
}

async function readById(id: string, reading: Reading): Promise<Primitive | undefined> {
  if (typeof id !== 'string') return undefined;
  const { connection, graph, statementMs } = reading.session;
  const found = await readWhole(reading, () => connection.read(BY_IDS, { graph, ids: [id] }, { ms: statementMs }));
  return found[0];
}

async function* iterate(
  reading: Reading,
  options: Listing,
  open: (signal?: AbortSignal) => void,
): AsyncGenerator<Primitive> {
  const { connection, graph, statementMs } = reading.session;
  const source = options?.provenance;
  const signal = options?.signal;
  open(signal);
  for (let after = options?.after ?? ''; ; ) {
    const parameters = { graph, after, source, limit: PAGE_SIZE };
    const statement = source === undefined ? PAGE : PAGE_OF_SOURCE;
    const page = await readWhole(reading, () => connection.read(statement, parameters, { ms: statementMs, signal }));
    for (const primitive of page) {
      open(signal);
      yield primitive;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last.id;
    open(signal);
  }
}

const MAX_TRIES = 5;

/**
 * The concepts of rows; what was read while it changed is read again.
 * @returns the objects that views hand out where there are any; others are not kept
 */
async function readWhole(reading: Reading, read: () => Promise<Rows>): Promise<readonly Primitive[]> {
  for (let tries = 1; ; tries += 1) {
    const concepts = readConcepts(await read(), reading.interner);
    const torn = concepts.find((concept) => 'torn' in concept);
    if (torn === undefined) return concepts.flatMap((one) => ('torn' in one ? [] : [primitiveOf(one, reading)]));
    if (tries === MAX_TRIES) throw corrupt(torn.torn);
    await pause(reading.session);
  }
}

function primitiveOf({ stored }: ReadConcept, { cache }: Reading): Primitive {
  const kept = cache.peek(stored.primitive.id);
  return deepFreeze(kept?.digest === stored.digest && kept.primitive !== null ? kept.primitive : stored.primitive);
}
