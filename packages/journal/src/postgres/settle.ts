import { type RawBuilder, sql } from 'kysely';
import type { TreeNode } from '../store.ts';
import type { Tables } from './rows.ts';
import type { Db } from './schema.ts';

/** Entries that get their leaf numbers in one transaction at most. @internal */
export const SETTLE_AT_ONCE = 50_000;

/** No transaction with a smaller number can commit any more. @internal */
export function settledBelow(tables: Tables): RawBuilder<unknown> {
  return sql`(SELECT base FROM ${tables('journal_base')}) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;
}

/**
 * Gives settled entries that have none yet their leaf numbers, in the order of the log: how many it gave, behind how
 * many.
 * @internal
 */
export function settleSome(
  db: Db,
  tables: Tables,
  schema: string,
): Promise<{ readonly added: number; readonly size: number }> {
  const lock = JSON.stringify([schema, 'leaves']);
  return db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 1))`.execute(transaction);
    const { rows } = await sql<{ added: number; size: number }>`
      WITH last AS (
        SELECT leaf + 1 AS size, tx, stream, position FROM ${tables('journal_leaves')} ORDER BY leaf DESC LIMIT 1
      ), start AS (
        SELECT * FROM last UNION ALL SELECT 0, -1, 0, 0 WHERE NOT EXISTS (SELECT FROM last)
      ), put AS (
        INSERT INTO ${tables('journal_leaves')} (leaf, tx, stream, position)
        SELECT start.size + row_number() OVER (ORDER BY e.tx, e.stream, e.position) - 1, e.tx, e.stream, e.position
        FROM start, LATERAL (
          SELECT * FROM ${tables('journal_entries')} f
          WHERE (f.tx, f.stream, f.position) > (start.tx, start.stream, start.position) AND f.tx < ${settledBelow(tables)}
          ORDER BY f.tx, f.stream, f.position LIMIT ${SETTLE_AT_ONCE}
        ) e RETURNING leaf
      ) SELECT (SELECT count(*) FROM put)::float8 AS added, (SELECT size FROM start)::float8 AS size`.execute(
      transaction,
    );
    return rows[0] as { added: number; size: number };
  });
}

/** Adds nodes and moves the sealed size, unless another sealer did. @internal */
export function moveSealed(tables: Tables, from: number, to: number, nodes: readonly TreeNode[]): RawBuilder<unknown> {
  return sql`WITH moved AS (UPDATE ${tables('journal_base')} SET sealed = ${to} WHERE sealed = ${from} RETURNING 1 AS done),
    put AS (INSERT INTO ${tables('journal_nodes')} (level, place, hash)
      SELECT n.* FROM moved, unnest(${nodes.map((node) => node.level)}::int[],
        ${nodes.map((node) => node.index)}::bigint[], ${nodes.map((node) => node.hash)}::text[]) AS n
      ON CONFLICT (level, place) DO UPDATE SET hash = excluded.hash)
    SELECT done FROM moved`;
}
