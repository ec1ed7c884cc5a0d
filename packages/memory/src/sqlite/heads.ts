import { foldName, type MemoryRecord, type MemoryStore } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { COLUMNS, type Row, selectRows, toRecords } from './rows.ts';

type RowState = Pick<Row, 'seq' | 'closed_at' | 'archived'>;

const FOLD = 'coalesce(r.fold, r.key)';
const FOLDS = `${FOLD} IN (SELECT value FROM json_each(?))`;
const ROWS = `SELECT ${COLUMNS} FROM memory_records r WHERE ${FOLDS} ORDER BY r.seq`;
const ROWS_OF_ONE = `SELECT ${COLUMNS} FROM memory_records r WHERE ${FOLD} = ? ORDER BY r.seq`;
const STATES = `SELECT ${FOLD} AS fold, r.seq, r.closed_at, r.archived FROM memory_records r WHERE ${FOLDS} ORDER BY r.seq`;
const STATES_OF_ONE = `SELECT r.seq, r.closed_at, r.archived FROM memory_records r WHERE ${FOLD} = ? ORDER BY r.seq`;

/** So few keys are looked up one by one, which costs less than a list. */
export const FEW = 4;

/**
 * A number for the rows of a key as they stand, 0 for none: every change of one of them gives another. It is made from
 * the rows, so that a write need not keep a number of its own in step.
 */
function revisionOf(rows: readonly RowState[]): number {
  if (rows.length === 0) return 0;
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  const mix = (value: number): void => {
    low = Math.imul(low ^ value, 0x01000193);
    high = Math.imul(high ^ (low >>> 13) ^ value, 0x85ebca6b);
  };
  for (const { seq, closed_at: closed, archived } of rows)
    for (const value of [seq, closed ?? -1, archived]) {
      mix(value | 0);
      mix(Math.floor(value / 0x1_0000_0000));
    }
  return 1 + (high >>> 12) * 0x1_0000_0000 + (low >>> 0);
}

/** Rows of keys with their revisions. @throws MEMORY_DAMAGED */
export function headsOf(db: SqliteDb, keys: readonly string[]): Awaited<ReturnType<MemoryStore['heads']>> {
  const folds = keys.map(foldName);
  const rows =
    folds.length <= FEW ? new Map(folds.map((fold) => [fold, selectRows(db, ROWS_OF_ONE, fold)])) : rowsOf(db, folds);
  return keys.map((key, index) => {
    const own = rows.get(folds[index] as string) ?? [];
    return { key, revision: revisionOf(own), records: own.length === 0 ? NONE : toRecords(db, own) };
  });
}

const NONE: readonly MemoryRecord[] = [];

function rowsOf(db: SqliteDb, folds: readonly string[]): ReadonlyMap<string, readonly Row[]> {
  return byFold(selectRows(db, ROWS, JSON.stringify(folds)), ({ key }) => foldName(key));
}

/** Those of some keys whose rows are not as they were expected. */
export function staleKeys(db: SqliteDb, expected: { readonly [key: string]: number }): readonly string[] {
  const keys = Object.keys(expected);
  const folds = keys.map(foldName);
  if (folds.length <= FEW)
    return keys.filter(
      (key, index) => revisionOf(db.all<RowState>(STATES_OF_ONE, folds[index] as string)) !== expected[key],
    );
  const states = byFold(
    db.all<RowState & { readonly fold: string }>(STATES, JSON.stringify(folds)),
    ({ fold }) => fold,
  );
  return keys.filter((key, index) => revisionOf(states.get(folds[index] as string) ?? []) !== expected[key]);
}

function byFold<R>(rows: readonly R[], foldOf: (row: R) => string): ReadonlyMap<string, readonly R[]> {
  const found = new Map<string, R[]>();
  for (const row of rows) {
    const fold = foldOf(row);
    const known = found.get(fold);
    if (known === undefined) found.set(fold, [row]);
    else known.push(row);
  }
  return found;
}
