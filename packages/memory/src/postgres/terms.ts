import type { MemoryRecord } from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { sql } from 'kysely';
import { CONTEXT_RECORDS } from '../neighbours.ts';
import { termOf, textOf, wordsOf } from '../words.ts';
import { ROW, type Row, toRecord } from './rows.ts';
import type { Db, Tables } from './schema.ts';

/** How often each term stands in a record's own text and in what it borrows. */
export type Counts = ReadonlyMap<string, { readonly own: number; readonly context: number }>;
export type Entry = { readonly own: readonly string[]; readonly context: readonly string[] };

export function termsOf(text: string): readonly string[] {
  return wordsOf(text).map((word) => encodeText(termOf(word)));
}

export function countsOf({ own, context }: Entry): Counts {
  const counts = new Map<string, { own: number; context: number }>();
  for (const [side, terms] of [
    ['own', own],
    ['context', context],
  ] as const)
    for (const term of terms) {
      const known = counts.get(term) ?? { own: 0, context: 0 };
      known[side] += 1;
      counts.set(term, known);
    }
  return counts;
}

/** Texts of the records before a row that lend it their words, oldest first. */
export async function lentTerms(
  db: Db,
  tables: Tables,
  row: Pick<Row, 'seq' | 'grouping'>,
): Promise<readonly string[]> {
  if (row.grouping === null) return [];
  const before = await sql<Row>`SELECT ${ROW} FROM ${tables('memory_records')} r
    WHERE r.grouping = ${row.grouping} AND r.seq < ${row.seq} AND NOT r.archived AND r.closed_at IS NULL
    ORDER BY r.seq DESC LIMIT ${CONTEXT_RECORDS}`.execute(db);
  return [...before.rows].reverse().flatMap((one) => termsOf(textOf(toRecord(one, []))));
}

/** Writes a row's terms anew. */
export async function putTerms(db: Db, tables: Tables, seq: number, entry: Entry): Promise<void> {
  const counts = [...countsOf(entry)];
  await sql`DELETE FROM ${tables('memory_terms')} WHERE record = ${seq}`.execute(db);
  if (counts.length > 0)
    await sql`INSERT INTO ${tables('memory_terms')} (term, record, own, context)
      SELECT t.term, ${seq}::bigint, t.own, t.context FROM unnest(${counts.map(([term]) => term)}::text[],
        ${counts.map(([, { own }]) => own)}::int[], ${counts.map(([, { context }]) => context)}::int[])
        AS t (term, own, context)`.execute(db);
  await sql`UPDATE ${tables('memory_records')} SET own_length = ${entry.own.length}, context_length = ${entry.context.length}
    WHERE seq = ${seq}`.execute(db);
}

/** Rows of a grouping after one that borrow from it, or would if it lent. */
export async function borrowersOf(db: Db, tables: Tables, row: Pick<Row, 'seq' | 'grouping'>): Promise<readonly Row[]> {
  if (row.grouping === null) return [];
  const after = await sql<Row & { readonly before: number }>`
    SELECT * FROM (
      SELECT ${ROW}, count(*) FILTER (WHERE NOT r.archived AND r.closed_at IS NULL)
        OVER (ORDER BY r.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)::float8 AS before
      FROM ${tables('memory_records')} r WHERE r.grouping = ${row.grouping} AND r.seq > ${row.seq}
    ) AS later WHERE before < ${CONTEXT_RECORDS} ORDER BY seq`.execute(db);
  return after.rows;
}

/** Gives rows the words again that they borrow now. */
export async function borrowAnew(db: Db, tables: Tables, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    const own = termsOf(textOf(toRecord(row, [])));
    await putTerms(db, tables, row.seq, { own, context: await lentTerms(db, tables, row) });
  }
}

/** The records whose words stand in the context of others; those that cannot be read lend none. */
export async function lendersOf(
  db: Db,
  tables: Tables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly MemoryRecord[]>> {
  const found = await sql<Row & { readonly borrower: string }>`SELECT l.*, b.id AS borrower
    FROM ${tables('memory_records')} b CROSS JOIN LATERAL (
      SELECT ${ROW} FROM ${tables('memory_records')} r WHERE r.grouping = b.grouping AND r.seq < b.seq
      AND NOT r.archived AND r.closed_at IS NULL ORDER BY r.seq DESC LIMIT ${CONTEXT_RECORDS}
    ) AS l WHERE b.id = ANY (${ids.map(encodeText)}::text[])`.execute(db);
  const lenders = new Map<string, MemoryRecord[]>();
  for (const row of found.rows) {
    const borrower = decodeText(row.borrower);
    lenders.set(borrower, [...(lenders.get(borrower) ?? []), toRecord(row, [])]);
  }
  return lenders;
}
