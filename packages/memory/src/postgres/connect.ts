import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { mapPostgresError } from './errors.ts';
import { migrateSchema } from './schema.ts';
import { type PostgresMemoryStore, PostgresStore } from './store.ts';

export type PostgresMemoryConnection = {
  /** Such as `postgres://user@host:5432/database`; or a pool that is there, of `pg` or of anything that answers like it. */
  readonly url: string | PostgresPool;
  /** Where the tables lie; made when it is not there. @default 'warrant' */
  readonly schema?: string;
  /** Connections at most. @default 10 */
  readonly maxConnections?: number;
  /** Longest wait for a connection. @default 10000 */
  readonly connectTimeoutMs?: number;
};

/**
 * Memory in PostgreSQL 13 or newer; brings its tables up to date. Closing it ends its connections, those of a given pool
 * too. Vectors are compared by pgvector where the server has it, else in this process.
 * @throws MEMORY_UNAVAILABLE when the server cannot be reached, MEMORY_SCHEMA_NEWER
 */
export async function createPostgresMemoryStore(connection: PostgresMemoryConnection): Promise<PostgresMemoryStore> {
  const schema = connection.schema ?? 'warrant';
  const pool = typeof connection.url === 'string' ? createPool(connection.url, connection) : connection.url;
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return new PostgresStore(db, { schema, ...(await migrateSchema(db, schema)) });
  } catch (error) {
    await db.destroy();
    throw mapPostgresError(error, false);
  }
}

function createPool(url: string, options: PostgresMemoryConnection): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
  });
  // A connection that breaks fails its query and is replaced; without listeners, its event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool as unknown as PostgresPool;
}
