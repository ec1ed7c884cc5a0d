import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { fault } from '../errors.ts';

/** No Kysely types of tables: every statement is written out, with its own row type. @internal */
export type Db = Kysely<unknown> | Transaction<unknown>;
type Table =
  | 'memory_layers'
  | 'memory_records'
  | 'memory_keys'
  | 'memory_terms'
  | 'memory_entities'
  | 'memory_vectors'
  | 'memory_conflicts'
  | 'memory_handed'
  | 'memory_counters'
  | 'memory_outbox';
/** Full names of the tables in their schema. @internal */
export type Tables = (name: Table) => RawBuilder<unknown>;

/** Any number that no other user of advisory locks on this database takes. */
const MIGRATION_LOCK = 7_203_544_198_002;

type Step = (db: Db, table: Tables) => Promise<void>;

/** A step, once released, never changes. */
const STEPS: readonly Step[] = [
  async (db, table) => {
    for (const statement of firstTables(table)) await statement.execute(db);
  },
];

/** `body` holds a record as it was put; columns hold what changes afterwards and what is looked for. */
function firstTables(table: Tables): readonly RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE ${table('memory_records')} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      key text COLLATE "C" NOT NULL,
      fold text COLLATE "C" NOT NULL,
      subject text COLLATE "C",
      grouping text COLLATE "C",
      recorded_at bigint NOT NULL,
      valid_from bigint NOT NULL,
      valid_to bigint,
      closed_at bigint,
      expires_at bigint,
      archived boolean NOT NULL,
      confidence double precision NOT NULL,
      retrievals bigint NOT NULL,
      last_retrieved bigint,
      made boolean NOT NULL,
      own_length int NOT NULL,
      context_length int NOT NULL,
      body text COLLATE "C" NOT NULL
    )`,
    sql`CREATE INDEX memory_records_fold ON ${table('memory_records')} (fold)`,
    sql`CREATE INDEX memory_records_subject ON ${table('memory_records')} (subject) WHERE subject IS NOT NULL`,
    sql`CREATE INDEX memory_records_made ON ${table('memory_records')} (seq) WHERE made`,
    sql`CREATE INDEX memory_records_grouping ON ${table('memory_records')} (grouping, seq) WHERE grouping IS NOT NULL`,
    sql`CREATE TABLE ${table('memory_keys')} (fold text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL)`,
    sql`CREATE TABLE ${table('memory_terms')} (
      term text COLLATE "C",
      record bigint REFERENCES ${table('memory_records')} (seq) ON DELETE CASCADE,
      own int NOT NULL,
      context int NOT NULL,
      PRIMARY KEY (term, record)
    )`,
    sql`CREATE INDEX memory_terms_record ON ${table('memory_terms')} (record)`,
    sql`CREATE TABLE ${table('memory_entities')} (
      entity text COLLATE "C",
      record bigint REFERENCES ${table('memory_records')} (seq) ON DELETE CASCADE,
      PRIMARY KEY (entity, record)
    )`,
    sql`CREATE INDEX memory_entities_record ON ${table('memory_entities')} (record)`,
    sql`CREATE TABLE ${table('memory_vectors')} (
      record bigint PRIMARY KEY REFERENCES ${table('memory_records')} (seq) ON DELETE CASCADE,
      vector bytea NOT NULL
    )`,
    sql`CREATE TABLE ${table('memory_conflicts')} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      type text NOT NULL,
      earlier text COLLATE "C" NOT NULL,
      later text COLLATE "C" NOT NULL,
      state text NOT NULL,
      kept text COLLATE "C"
    )`,
    sql`CREATE INDEX memory_conflicts_earlier ON ${table('memory_conflicts')} (earlier)`,
    sql`CREATE INDEX memory_conflicts_later ON ${table('memory_conflicts')} (later)`,
    sql`CREATE TABLE ${table('memory_handed')} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      session text COLLATE "C" NOT NULL,
      record bigint NOT NULL REFERENCES ${table('memory_records')} (seq) ON DELETE CASCADE,
      UNIQUE (session, record)
    )`,
    sql`CREATE INDEX memory_handed_record ON ${table('memory_handed')} (record)`,
    sql`CREATE TABLE ${table('memory_counters')} (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL, at bigint NOT NULL)`,
    sql`CREATE TABLE ${table('memory_outbox')} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      stream text NOT NULL,
      entry text COLLATE "C" NOT NULL
    )`,
  ];
}

/** @internal */
export function tablesOf(schema: string): Tables {
  return (name) => sql`${sql.id(schema, name)}`;
}

/**
 * Brings the tables up to date; of several hosts one does the work and the others wait for it. Says whether vectors can
 * be compared by the server, which pgvector does where the server has it.
 * @throws MEMORY_SCHEMA_NEWER
 * @internal
 */
export async function migrateSchema(db: Kysely<unknown>, schema: string): Promise<{ readonly pgvector: boolean }> {
  const table = tablesOf(schema);
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(schema)}`.execute(transaction);
    const layers = table('memory_layers');
    await sql`CREATE TABLE IF NOT EXISTS ${layers} (layer text PRIMARY KEY, version int NOT NULL)`.execute(transaction);
    const found = await sql<{ version: number }>`SELECT version FROM ${layers} WHERE layer = 'memory'`.execute(
      transaction,
    );
    const version = found.rows[0]?.version ?? 0;
    if (version > STEPS.length)
      throw fault('MEMORY_SCHEMA_NEWER', `the tables in ${schema} are newer than this version knows`, {
        version,
        known: STEPS.length,
      });
    if (version === STEPS.length) return;
    for (const step of STEPS.slice(version)) await step(transaction, table);
    await sql`INSERT INTO ${layers} (layer, version) VALUES ('memory', ${STEPS.length})
      ON CONFLICT (layer) DO UPDATE SET version = excluded.version`.execute(transaction);
  });
  return { pgvector: await addExtension(db, table) };
}

/** A second column for the server's own comparison, next to the bytes that every server holds. */
async function addExtension(db: Kysely<unknown>, table: Tables): Promise<boolean> {
  try {
    await sql`CREATE EXTENSION IF NOT EXISTS vector`.execute(db);
    await sql`ALTER TABLE ${table('memory_vectors')} ADD COLUMN IF NOT EXISTS embedding vector`.execute(db);
    return true;
  } catch {
    // Not installed on the server, or not ours to install: vectors are compared in this process.
    return false;
  }
}
