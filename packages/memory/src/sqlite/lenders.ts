import type { MemoryStore } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { CONTEXT_RECORDS } from '../neighbours.ts';
import { PACKED_IDS, type PackedId, packedLists, unpackId } from './packed-id.ts';
import { originOfRow } from './rows.ts';

type Lenders = Awaited<ReturnType<NonNullable<MemoryStore['lenders']>>>;
type Lender = NonNullable<ReturnType<Lenders['get']>>[number];

const LENDERS = `SELECT r.id AS borrower, l.id, l.key, l.agent, l.origin FROM memory_records r
  JOIN memory_records l ON l.seq IN (SELECT o.seq FROM memory_records o WHERE o.grouping = r.grouping AND o.seq < r.seq
    AND o.archived = 0 AND o.closed_at IS NULL ORDER BY o.seq DESC LIMIT ${CONTEXT_RECORDS})
  WHERE r.id IN (${PACKED_IDS})`;

/** The records whose words stand in the context of others. */
export function lendersOf(db: SqliteDb, ids: readonly string[]): Lenders {
  const rows = db.all<{ borrower: PackedId; id: PackedId; key: string; agent: string; origin: number }>(
    LENDERS,
    ...packedLists(ids),
  );
  const lenders = new Map<string, Lender[]>();
  for (const { borrower, id, key, agent, origin } of rows) {
    const name = unpackId(borrower);
    const known = lenders.get(name) ?? [];
    known.push({ id: unpackId(id), key, agent, origin: originOfRow(origin) });
    lenders.set(name, known);
  }
  return lenders;
}
