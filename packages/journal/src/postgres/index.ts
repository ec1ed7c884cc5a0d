import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createJournal, type JournalOptions, type ProvenJournal } from '../journal.ts';
import { mapPostgresError } from './errors.ts';
import { PostgresListener } from './listener.ts';
import { migrateSchema } from './schema.ts';
import { PostgresStore } from './store.ts';

export type PostgresConnection = {
  /** Such as `postgres://user@host:5432/database`. */
  readonly url: string;
  /** Where the tables lie; made when it is not there. @default 'warrant' */
  readonly schema?: string;
  /** Connections at most, one of them for subscribers. @default 10 */
  readonly maxConnections?: number;
  /** Longest wait for a connection. @default 10000 */
  readonly connectTimeoutMs?: number;
};

/**
 * Opens a journal in PostgreSQL 13 or newer and brings its tables up to date.
 * @throws JOURNAL_UNAVAILABLE when the server cannot be reached or takes no changes, JOURNAL_SCHEMA_NEWER, JOURNAL_SCHEMA_WRONG
 */
export async function createPostgresJournal(
  connection: PostgresConnection,
  options: JournalOptions = {},
): Promise<ProvenJournal> {
  const schema = connection.schema ?? 'warrant';
  const pool = new pg.Pool({
    connectionString: connection.url,
    max: Math.max(2, connection.maxConnections ?? 10),
    connectionTimeoutMillis: connection.connectTimeoutMs ?? 10_000,
  });
  // A connection that breaks fails its query and is replaced; without listeners, its event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrateSchema(db, schema);
  } catch (error) {
    await db.destroy();
    throw mapPostgresError(error, false);
  }
  const channel = `journal_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`;
  const listener = new PostgresListener(pool, channel);
  return createJournal(new PostgresStore(db, { pool, schema, listener, close: () => db.destroy() }), options);
}
