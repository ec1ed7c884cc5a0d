import { encodeText } from '@warrant/core/kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Row } from '../row.ts';
import type { Tables } from './rows.ts';
import type { Db } from './schema.ts';

type NewRow = Omit<Row, 'cursor'>;
/** Where a stream ends, for all that the writer knows. */
export type KnownHead = { readonly stream: string; readonly position: number; readonly digest: string };
/** Number of the transaction and key of the stream. */
export type Advanced = { readonly tx: string; readonly stream: string };

/**
 * Moves a stream's head and puts the entries behind it, in one statement and only if the head is still where it was.
 * @internal
 */
export interface Advance {
  /** As part of a transaction. Undefined when the head is not there. */
  within(transaction: Db, head: KnownHead, rows: readonly NewRow[]): Promise<Advanced | undefined>;
  /** As a transaction of its own, by a statement that each connection parses and plans but once. */
  alone(head: KnownHead, rows: readonly NewRow[]): Promise<Advanced | undefined>;
}

/** @internal */
export function createAdvance(db: Db, pool: Pool, tables: Tables): Advance {
  const prepared = (kind: Kind): { readonly name: string; readonly text: string } => {
    const { sql: text } = STATEMENTS[kind](tables, []).compile(db);
    return { name: `warrant journal ${kind}`, text };
  };
  const texts = { one: prepared('one'), first: prepared('first'), next: prepared('next') };
  return {
    within: async (transaction, head, rows) => {
      const { kind, values } = statementFor(head, rows);
      return (await STATEMENTS[kind](tables, values).execute(transaction)).rows[0];
    },
    alone: async (head, rows) => {
      const { kind, values } = statementFor(head, rows);
      return (await pool.query<Advanced>({ ...texts[kind], values: [...values] })).rows[0];
    },
  };
}

type Kind = 'one' | 'first' | 'next';
type Values = readonly unknown[];

const COLUMNS = sql.raw(
  'tx, stream, position, id, type, version, time, previous, digest, data, sealed, causation, correlation, agent, subject',
);
const TX = sql.raw('b.base + pg_current_xact_id()::text::bigint');
const PUT = sql.raw('tx::text AS tx, stream::text AS stream');
const TYPES = 'bigint text text bigint bigint text text text text text text text text'.split(' ');

/** Each over the values that {@link statementFor} gives, in which order the text must name them. */
const STATEMENTS: { readonly [K in Kind]: (tables: Tables, values: Values) => RawBuilder<Advanced> } = {
  one: (tables, values) => sql`WITH head AS (${move(tables, values)})
    INSERT INTO ${tables('journal_entries')} (${COLUMNS})
    SELECT ${TX}, head.key, ${list(values, 5, '')} FROM head, ${tables('journal_base')} b RETURNING ${PUT}`,
  next: (tables, values) => many(tables, move(tables, values), values, 5),
  first: (tables, values) =>
    many(
      tables,
      sql`INSERT INTO ${tables('journal_streams')} (position, digest, name)
        VALUES (${values[0]}, ${values[1]}, ${values[2]}) ON CONFLICT (name) DO NOTHING RETURNING key`,
      values,
      3,
    ),
};

function move(tables: Tables, values: Values): RawBuilder<unknown> {
  return sql`UPDATE ${tables('journal_streams')} SET position = ${values[0]}, digest = ${values[1]}
    WHERE name = ${values[2]} AND position = ${values[3]} AND digest = ${values[4]} RETURNING key`;
}

function many(tables: Tables, head: RawBuilder<unknown>, values: Values, from: number): RawBuilder<Advanced> {
  return sql`WITH head AS (${head}), put AS (
      INSERT INTO ${tables('journal_entries')} (${COLUMNS})
      SELECT ${TX}, head.key, r.* FROM head, ${tables('journal_base')} b, unnest(${list(values, from, '[]')}) AS r
      RETURNING tx, stream
    ) SELECT ${PUT} FROM put LIMIT 1`;
}

function list(values: Values, from: number, suffix: '' | '[]'): RawBuilder<unknown> {
  return sql.join(TYPES.map((type, index) => sql`${values[from + index]}::${sql.raw(type + suffix)}`));
}

function statementFor(head: KnownHead, rows: readonly NewRow[]): { readonly kind: Kind; readonly values: Values } {
  const last = rows[rows.length - 1] as NewRow;
  const to = [last.position, last.digest, encodeText(head.stream)];
  if (head.position === 0) return { kind: 'first', values: [...to, ...columnsOf(rows)] };
  const from = [head.position, head.digest];
  if (rows.length === 1) return { kind: 'one', values: [...to, ...from, ...rowValues(last)] };
  return { kind: 'next', values: [...to, ...from, ...columnsOf(rows)] };
}

function columnsOf(rows: readonly NewRow[]): Values {
  const each = rows.map(rowValues);
  return TYPES.map((_, index) => each.map((row) => row[index]));
}

function rowValues(row: NewRow): Values {
  const text = (value: string | undefined): string | null => (value === undefined ? null : encodeText(value));
  return [
    row.position,
    encodeText(row.id),
    encodeText(row.type),
    row.schemaVersion,
    row.time,
    row.previous,
    row.digest,
    row.data ?? null,
    row.sealed ?? null,
    text(row.causationId),
    text(row.correlationId),
    text(row.agentId),
    text(row.subject),
  ];
}
