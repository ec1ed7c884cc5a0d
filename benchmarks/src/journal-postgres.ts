import { createIdSource, type Entry } from '@warrant/core';
import { createPostgresJournal } from '@warrant/journal/postgres';
import pg from 'pg';
import type { Result } from './benchmark.ts';
import { pairedRounds } from './journal-rounds.ts';

const WRITERS = 8;
const EACH = 60;
const SCHEMA = 'warrant_bench';
const DATA = { id: 'x'.repeat(24), payload: 'p'.repeat(140) };

/** Eight writers on eight streams, against the same rows by the same driver; where WARRANT_POSTGRES_URL is set. */
export async function measurePostgres(): Promise<readonly Result[]> {
  const url = process.env['WARRANT_POSTGRES_URL'];
  if (url === undefined) {
    console.log('  PostgreSQL is left out: WARRANT_POSTGRES_URL is not set');
    return [];
  }
  const pool = new pg.Pool({ connectionString: url, max: WRITERS });
  await pool.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  const journal = await createPostgresJournal({ url, schema: SCHEMA, maxConnections: WRITERS });
  await pool.query(`CREATE TABLE ${SCHEMA}.raw (tx bigint NOT NULL, stream bigint NOT NULL, position bigint NOT NULL,
    id text COLLATE "C" NOT NULL, type text NOT NULL, version bigint NOT NULL, time bigint NOT NULL,
    previous text NOT NULL, digest text NOT NULL, data text, PRIMARY KEY (stream, position), UNIQUE (stream, id));
    CREATE INDEX ON ${SCHEMA}.raw (tx, stream, position)`);
  const result = await compare(journal, pool);
  await journal.close();
  await pool.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
  await pool.end();
  return [result];
}

async function compare(journal: Awaited<ReturnType<typeof createPostgresJournal>>, pool: pg.Pool): Promise<Result> {
  const ids = createIdSource();
  const text = JSON.stringify(DATA);
  const digest = 'd'.repeat(64);
  const positions = new Array<number>(WRITERS).fill(0);
  const insert = `INSERT INTO ${SCHEMA}.raw (tx, stream, position, id, type, version, time, previous, digest, data)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
  const all = async (write: (writer: number) => Promise<unknown>): Promise<void> => {
    const run = async (writer: number): Promise<void> => {
      for (let count = 0; count < EACH; count += 1) await write(writer);
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => run(writer)));
  };
  const entry = (): Entry => ({ id: ids.next(), type: 'order.placed', data: DATA, schemaVersion: 1 });
  const { ours, theirs, ratio } = await pairedRounds({
    operations: WRITERS * EACH,
    ours: () => all((writer) => journal.append(`s${writer}`, [entry()], { expected: 'any' })),
    theirs: () =>
      all((writer) => {
        positions[writer] = (positions[writer] as number) + 1;
        return pool.query(insert, [
          1,
          writer,
          positions[writer],
          ids.next(),
          'order.placed',
          1,
          1,
          digest,
          digest,
          text,
        ]);
      }),
  });
  return {
    name: `PostgreSQL, ${WRITERS} writers on ${WRITERS} streams`,
    unit: 'entries/s',
    ours,
    against: 'raw inserts by pg',
    theirs,
    ratio,
    goal: 'at least 0.6x',
    reached: ratio >= 0.6,
  };
}
