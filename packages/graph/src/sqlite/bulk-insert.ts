import type { SqliteDb, SqliteValue } from '@warrant/core/sqlite';

/** Inserts many rows with few statements: calling the driver costs more than a small row. */
export type BulkInsert = {
  readonly add: (row: readonly SqliteValue[]) => void;
  /** Writes what is left. */
  readonly flush: () => void;
};

/** @param rowsPerStatement times the number of columns at most 32,766, SQLite's limit of parameters */
export function createBulkInsert(
  db: SqliteDb,
  insert: {
    readonly into: string;
    /** The values of one row, a `?` for each column. */
    readonly values: string;
    readonly columns: number;
    readonly rowsPerStatement: number;
  },
): BulkInsert {
  const { into, columns, rowsPerStatement } = insert;
  const sql = (rows: number): string =>
    `INSERT INTO ${into} VALUES ${Array(rows).fill(`(${insert.values})`).join(',')}`;
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
