import { type Kysely, sql, type Transaction } from 'kysely';
import { fault } from '../errors.ts';

/** No Kysely types of tables: every statement is written out, with its own row type. @internal */
export type Db = Kysely<unknown>;

/** Any number that no other user of advisory locks on this database takes. */
const MIGRATION_LOCK = 7_203_544_198_001;

type Step = (db: Transaction<unknown>, schema: string) => Promise<void>;

/** A step, once released, never changes. */
const STEPS: readonly Step[] = [
  async (db, schema) => {
    for (const statement of firstTables(schema)) await statement.execute(db);
  },
];

function firstTables(schema: string) {
  const table = (name: string) => sql.id(schema, name);
  return [
    // Transaction numbers begin anew when a dump is loaded elsewhere: `base` is what they count from here.
    sql`CREATE TABLE ${table('journal_base')} (one int PRIMARY KEY CHECK (one = 1), base bigint NOT NULL, sealed bigint NOT NULL)`,
    sql`INSERT INTO ${table('journal_base')} (one, base, sealed) VALUES (1, 0, 0)`,
    sql`CREATE TABLE ${table('journal_streams')} (
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      position bigint NOT NULL,
      digest text COLLATE "C" NOT NULL,
      parent bigint REFERENCES ${table('journal_streams')} (key),
      parent_position bigint,
      parent_digest text COLLATE "C"
    )`,
    sql`CREATE TABLE ${table('journal_entries')} (
      tx bigint NOT NULL,
      stream bigint NOT NULL,
      position bigint NOT NULL,
      id text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      version bigint NOT NULL,
      time bigint NOT NULL,
      causation text COLLATE "C",
      correlation text COLLATE "C",
      agent text COLLATE "C",
      subject text COLLATE "C",
      segment text COLLATE "C",
      previous text COLLATE "C" NOT NULL,
      digest text COLLATE "C" NOT NULL,
      sealed text COLLATE "C",
      data text COLLATE "C",
      PRIMARY KEY (stream, position),
      UNIQUE (stream, id)
    )`,
    sql`CREATE INDEX journal_entries_log ON ${table('journal_entries')} (tx, stream, position)`,
    sql`CREATE INDEX journal_entries_subject ON ${table('journal_entries')} (stream, subject, position) WHERE subject IS NOT NULL`,
    sql`CREATE TABLE ${table('journal_leaves')} (
      leaf bigint PRIMARY KEY,
      tx bigint NOT NULL,
      stream bigint NOT NULL,
      position bigint NOT NULL,
      UNIQUE (stream, position)
    )`,
    sql`CREATE TABLE ${table('journal_nodes')} (level int, place bigint, hash text COLLATE "C" NOT NULL, PRIMARY KEY (level, place))`,
    sql`CREATE TABLE ${table('journal_checkpoints')} (size bigint PRIMARY KEY, note text NOT NULL)`,
    sql`CREATE TABLE ${table('journal_snapshots')} (
      stream text COLLATE "C",
      program text COLLATE "C",
      position bigint NOT NULL,
      digest text COLLATE "C" NOT NULL,
      body text COLLATE "C" NOT NULL,
      PRIMARY KEY (stream, program)
    )`,
  ];
}

/**
 * Brings the tables up to date; of several hosts one does the work and the others wait for it.
 * @throws JOURNAL_SCHEMA_NEWER
 * @internal
 */
export async function migrateSchema(db: Db, schema: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(schema)}`.execute(transaction);
    const layers = sql.id(schema, 'journal_layers');
    await sql`CREATE TABLE IF NOT EXISTS ${layers} (layer text PRIMARY KEY, version int NOT NULL)`.execute(transaction);
    const found = await sql<{ version: number }>`SELECT version FROM ${layers} WHERE layer = 'journal'`.execute(
      transaction,
    );
    const version = found.rows[0]?.version ?? 0;
    if (version > STEPS.length) {
      throw fault('JOURNAL_SCHEMA_NEWER', `the tables in ${schema} are newer than this version knows`, {
        version,
        known: STEPS.length,
      });
    }
    if (version === STEPS.length) return;
    for (const step of STEPS.slice(version)) await step(transaction, schema);
    await sql`INSERT INTO ${layers} (layer, version) VALUES ('journal', ${STEPS.length})
      ON CONFLICT (layer) DO UPDATE SET version = excluded.version`.execute(transaction);
  });
  await sql`UPDATE ${sql.id(schema, 'journal_base')}
    SET base = (SELECT max(tx) + 1 FROM ${sql.id(schema, 'journal_entries')})
    WHERE (SELECT max(tx) FROM ${sql.id(schema, 'journal_entries')})
      >= base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(db);
}
