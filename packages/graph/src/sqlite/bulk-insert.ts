import type { SqliteDb, SqliteValue } from '@warrant/core/sqlite';

/** Inserts many rows with few statements: calling the driver costs more than a small row. */
export type BulkInsert = {
  readonly add: (row: readonly SqliteValue[]) => void;
  /** Writes what is left. */
  readonly flush: () => void;
};

/**
 * @param values what stands for each column: `?`, or an expression of one
 * @param rowsPerStatement times the number of columns at most 32,766, SQLite's limit of parameters
 */
export function createBulkInsert(
  db: SqliteDb,
  insert: { readonly into: string; readonly values: readonly string[]; readonly rowsPerStatement: number },
): BulkInsert {
  const { into, rowsPerStatement } = insert;
  const columns = insert.values.length;
  const sql = (rows: number): string =>
    `INSERT INTO ${into} VALUES ${Array(rows)
      .fill(`(${insert.values.join(',')})`)
      .join(',')}`;
  const many = sql(rowsPerStatement);
  const one = sql(1);
  let values: SqliteValue[] = [];
  return {
    add: (row) => {
      values.push(...row);
      if (values.length < rowsPerStatement * columns) return;
      db.run(many, ...values);
      values = [];
    },
    flush: () => {
      for (let start = 0; start < values.length; start += columns) {
        db.run(one, ...values.slice(start, start + columns));
      }
      values = [];
    },
  };
}
