import { WarrantError } from '../error.ts';
import type { DriverDatabase, DriverStatement, SqliteValue } from './driver.ts';
import { mapSqliteError } from './errors.ts';

/** What a changing statement did. */
export type SqliteChange = { readonly changes: number; readonly lastInsertRowid: number | bigint };

/** A prepared statement. Parameters are positional, in the order of their `?`. */
export interface SqliteStatement {
  /** @throws SQLITE_OUTSIDE_TRANSACTION for a changing statement outside `write`. */
  run(...parameters: readonly SqliteValue[]): SqliteChange;
  get<Row = unknown>(...parameters: readonly SqliteValue[]): Row | undefined;
  all<Row = unknown>(...parameters: readonly SqliteValue[]): Row[];
  /** Like `all`, each row as the array of its columns: about half the price for many rows. */
  arrays<Row extends readonly unknown[]>(...parameters: readonly SqliteValue[]): Row[];
  /** Like `arrays`, but ends with the first row that is enough, so that long rows do not fill the memory. */
  arraysUntil<Row extends readonly unknown[]>(
    isEnough: (row: Row) => boolean,
    ...parameters: readonly SqliteValue[]
  ): Row[];
}

/** The handle inside one `read` or `write`. It is of no use after the work has returned. */
export interface SqliteDb {
  /** The statement of this SQL text, prepared once per open file and kept: the text should be a constant. */
  prepare(sql: string): SqliteStatement;
  run(sql: string, ...parameters: readonly SqliteValue[]): SqliteChange;
  get<Row = unknown>(sql: string, ...parameters: readonly SqliteValue[]): Row | undefined;
  all<Row = unknown>(sql: string, ...parameters: readonly SqliteValue[]): Row[];
  arrays<Row extends readonly unknown[]>(sql: string, ...parameters: readonly SqliteValue[]): Row[];
  /** Several statements without parameters, for migrations. Nothing is kept. */
  exec(sql: string): void;
}

/** Which kind of transaction is open on the connection. */
type Mode = 'none' | 'read' | 'write';
export type Connection = {
  readonly driver: DriverDatabase;
  readonly path: string;
  readonly synchronous: 'full' | 'normal';
  mode: Mode;
};

/** Statements kept at most: texts built at run time must not fill the memory. */
const MAX_STATEMENTS = 1000;

/** A handle that answers only inside a transaction, and changes data only inside a writing one. */
export function createDb(connection: Connection): SqliteDb {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = createStatement(connection, sql);
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statements.set(sql, statement);
    return statement;
  };
  return {
    prepare,
    run: (sql, ...parameters) => prepare(sql).run(...parameters),
    get: <Row>(sql: string, ...parameters: readonly SqliteValue[]) => prepare(sql).get<Row>(...parameters),
    all: <Row>(sql: string, ...parameters: readonly SqliteValue[]) => prepare(sql).all<Row>(...parameters),
    arrays: <Row extends readonly unknown[]>(sql: string, ...parameters: readonly SqliteValue[]) =>
      prepare(sql).arrays<Row>(...parameters),
    exec: (sql) => {
      permit(connection, false);
      guarded(connection, () => connection.driver.exec(sql));
    },
  };
}

function createStatement(connection: Connection, sql: string): SqliteStatement {
  const prepare = (): DriverStatement => connection.driver.prepare(sql);
  const first = guarded(connection, prepare);
  const reads = first.readonly;
  const { path } = connection;
  // Switching a statement between objects and arrays at every use costs more than a second one of the same text.
  let plain: DriverStatement | undefined;
  let raw: DriverStatement | undefined;
  const inObjects = (): DriverStatement => {
    plain ??= raw === undefined ? first : prepare();
    return plain;
  };
  const inArrays = (): DriverStatement => {
    raw ??= (plain === undefined ? first : prepare()).raw();
    return raw;
  };
  return {
    run: (...parameters) => {
      permit(connection, reads);
      try {
        return inObjects().run(...parameters);
      } catch (error) {
        throw mapSqliteError(error, path);
      }
    },
    get: <Row>(...parameters: readonly SqliteValue[]) => {
      permit(connection, reads);
      try {
        return inObjects().get(...parameters) as Row | undefined;
      } catch (error) {
        throw mapSqliteError(error, path);
      }
    },
    all: <Row>(...parameters: readonly SqliteValue[]) => {
      permit(connection, reads);
      try {
        return inObjects().all(...parameters) as Row[];
      } catch (error) {
        throw mapSqliteError(error, path);
      }
    },
    arrays: <Row extends readonly unknown[]>(...parameters: readonly SqliteValue[]) => {
      permit(connection, reads);
      try {
        return inArrays().all(...parameters) as Row[];
      } catch (error) {
        throw mapSqliteError(error, path);
      }
    },
    arraysUntil: <Row extends readonly unknown[]>(
      isEnough: (row: Row) => boolean,
      ...parameters: readonly SqliteValue[]
    ) => {
      permit(connection, reads);
      try {
        const rows: Row[] = [];
        for (const row of inArrays().iterate(...parameters) as Iterable<Row>) {
          rows.push(row);
          if (isEnough(row)) break;
        }
        return rows;
      } catch (error) {
        throw mapSqliteError(error, path);
      }
    },
  };
}

/** A handle that escaped its work (a timer, an await) must not write outside any transaction. */
function permit(connection: Connection, reads: boolean): void {
  if (connection.mode === 'write' || (reads && connection.mode === 'read')) return;
  throw new WarrantError(
    'SQLITE_OUTSIDE_TRANSACTION',
    reads ? 'a statement ran outside read and write' : 'a changing statement ran outside write',
    { data: { path: connection.path, mode: connection.mode } },
  );
}

export function guarded<T>(connection: Connection, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw mapSqliteError(error, connection.path);
  }
}
