import { canonicalJson, type Entry, type Json, type MemoryChange, type MemoryStore } from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { type Kysely, sql } from 'kysely';
import { fault } from '../errors.ts';
import { applyChange, touchedBy, type Work } from './apply.ts';
import { isWorthRepeating, mapPostgresError } from './errors.ts';
import { foldOf } from './rows.ts';
import type { Db, Tables } from './schema.ts';

type Result = Awaited<ReturnType<MemoryStore['commit']>>;
type Options = Parameters<MemoryStore['commit']>[1];
type Place = { readonly schema: string; readonly tables: Tables; readonly pgvector: boolean };

const STREAM = 'memory';
const ATTEMPTS = 10;
const LEFT = [
  "the server's files until it vacuums, and its write-ahead log and backups",
  'which keys there were, in memory_keys',
];

/** Takes back a transaction that has found out that it must not happen. */
class Stale extends Error {
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super('stale');
    this.keys = keys;
  }
}

/** One transaction with its audit; begun anew where the server took it back for another's sake. */
export async function commitChanges(
  db: Kysely<unknown>,
  place: Place,
  changes: readonly MemoryChange[],
  options: Options,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db
        .transaction()
        .execute((transaction) => commitOnce({ ...place, db: transaction }, changes, options));
    } catch (error) {
      if (error instanceof Stale) return { type: 'stale', keys: error.keys };
      if (attempt < ATTEMPTS && isWorthRepeating(error)) continue;
      throw mapPostgresError(error, true);
    }
  }
}

async function commitOnce(work: Work & Place, changes: readonly MemoryChange[], options: Options): Promise<Result> {
  const { db, tables } = work;
  const erases = changes.some(({ type }) => type === 'erase');
  await lockOut(work, erases);
  const puts = changes.flatMap((change) => (change.type === 'put' ? [change.record.id] : []));
  const found = await sql<{ id: string }>`SELECT id FROM ${tables('memory_records')}
    WHERE id = ANY (${puts.map(encodeText)}::text[])`.execute(db);
  const known = found.rows.map(({ id }) => decodeText(id));
  if (known.length > 0 && known.length === puts.length) return { type: 'duplicate' };
  if (known.length > 0) throw fault('MEMORY_ID_REUSED', 'some records of the commit are there already', { ids: known });
  const { folds, groupings } = await touchedBy(work, changes);
  await lockKeys(work, folds, options.expected);
  await lockGroupings(work, groupings);
  for (const change of changes) await applyChange(work, change);
  await putAudit(db, tables, options.audit);
  return erases ? { type: 'committed', left: LEFT } : { type: 'committed' };
}

/** Erasing touches what it finds, hence alone; all else goes on side by side. */
async function lockOut({ db, schema }: Work & Place, alone: boolean): Promise<void> {
  const name = JSON.stringify([schema, 'memory']);
  await (alone
    ? sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
    : sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`
  ).execute(db);
}

/**
 * Moves the revisions of keys whose rows change, all in one order, which locks them; then looks whether those that were
 * expected had moved before. @throws Stale
 */
async function lockKeys(
  { db, tables }: Work,
  touched: readonly string[],
  expected: Options['expected'],
): Promise<void> {
  const wanted = new Map(Object.entries(expected).map(([key, revision]) => [foldOf(key), { key, revision }]));
  const steps = new Map([...wanted.keys()].map((fold) => [fold, 0]));
  for (const fold of touched) steps.set(fold, 1);
  const folds = [...steps.keys()].sort();
  if (folds.length === 0) return;
  const moved = await sql<{ fold: string; revision: number }>`
    INSERT INTO ${tables('memory_keys')} AS k (fold, revision)
    SELECT fold, step FROM unnest(${folds}::text[], ${folds.map((fold) => steps.get(fold))}::bigint[]) AS t (fold, step)
    ON CONFLICT (fold) DO UPDATE SET revision = k.revision + excluded.revision
    RETURNING fold, revision::float8 AS revision`.execute(db);
  const before = new Map(moved.rows.map(({ fold, revision }) => [fold, revision - (steps.get(fold) ?? 0)]));
  const stale = [...wanted].filter(([fold, { revision }]) => before.get(fold) !== revision).map(([, { key }]) => key);
  if (stale.length > 0) throw new Stale(stale);
}

/** What records lend each other is read and written by one at a time. */
async function lockGroupings({ db, schema }: Work & Place, groupings: readonly string[]): Promise<void> {
  for (const grouping of [...groupings].sort()) {
    const name = JSON.stringify([schema, 'memory', grouping]);
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 1))`.execute(db);
  }
}

/** Beside the change they tell of. The same entry twice is one; other content under its id is refused. */
async function putAudit(db: Db, tables: Tables, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    const text = canonicalJson(entry as Json);
    const put = await sql<{ id: string }>`INSERT INTO ${tables('memory_outbox')} (id, stream, entry)
      VALUES (${encodeText(entry.id)}, ${STREAM}, ${text}) ON CONFLICT (id) DO NOTHING RETURNING id`.execute(db);
    if (put.rows.length === 1) continue;
    const known = await sql<{ entry: string }>`SELECT entry FROM ${tables('memory_outbox')}
      WHERE id = ${encodeText(entry.id)}`.execute(db);
    if (known.rows[0]?.entry !== text)
      throw fault('MEMORY_ID_REUSED', 'the outbox holds another entry under this id', { ids: [entry.id] });
  }
}
