import { CASE_FOLDING_VERSION, type GraphVersion, type IdSource, isWarrantError } from '@warrant/core';
import type { Connection, Rows } from './connection.ts';
import { neo4jError } from './errors.ts';
import { AWAIT_INDEXES, ENSURE_GRAPH, HEAD, SCHEMA } from './statements.ts';

const VERSION = 1;
/** Hosts that migrate at once get into each other's way now and then; whoever comes second finds the work done. */
const RACED: ReadonlySet<string> = new Set([
  'Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists',
  'Neo.ClientError.Schema.ConstraintAlreadyExists',
  'Neo.ClientError.Schema.IndexAlreadyExists',
  'Neo.ClientError.Schema.ConstraintValidationFailed',
]);

/** The version of a graph, and the last revision that is known to be visible as a whole. */
export type Head = GraphVersion & { readonly settled: number };

/** @throws GRAPH_SCHEMA_NEWER, GRAPH_SCHEMA_MISSING */
export function headOf(rows: Rows, graph: string): Head {
  const row = rows[0];
  if (row === undefined) throw missing(graph);
  const schema = row.get(3) as number;
  if (schema > VERSION) {
    const message = `the graph '${graph}' has format ${schema}; this version of the package knows ${VERSION}`;
    throw neo4jError('GRAPH_SCHEMA_NEWER', message, { data: { graph, schema, known: VERSION } });
  }
  return { epoch: row.get(0) as string, revision: row.get(1) as number, settled: row.get(2) as number };
}

/** The error for a graph that is not in the database. */
export function missing(graph: string): Error {
  const message = `there is no graph '${graph}' in this database: opening it for writing makes it`;
  return neo4jError('GRAPH_SCHEMA_MISSING', message, { data: { graph } });
}

/** Sees to it that constraints, indexes and the graph are there. Several hosts may do so at once. */
export async function migrate(
  connection: Connection,
  how: { readonly graph: string; readonly ids: IdSource; readonly connectMs: number },
): Promise<void> {
  const { graph, ids, connectMs } = how;
  const found = await connection.read(HEAD, { graph }, { ms: connectMs });
  if (found.length > 0) {
    headOf(found, graph);
    return;
  }
  for (const statement of SCHEMA) await unlessRaced(() => connection.execute(statement));
  await connection.execute(AWAIT_INDEXES);
  const parameters = { graph, epoch: ids.next(), schema: VERSION, folding: CASE_FOLDING_VERSION };
  await unlessRaced(() => connection.execute(ENSURE_GRAPH, parameters));
  headOf(await connection.read(HEAD, { graph }, { ms: connectMs }), graph);
}

async function unlessRaced(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const status = isWarrantError(error) ? error.data['status'] : undefined;
    if (typeof status !== 'string' || !RACED.has(status)) throw error;
  }
}
