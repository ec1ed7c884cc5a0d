import { WarrantError } from '../error.ts';
import { type Connection, createDb, guarded, type SqliteDb } from './database.ts';
import { closedError, mapSqliteError } from './errors.ts';

/** The synchronous transactions of one connection. */
export interface Transactions {
  readonly db: SqliteDb;
  read<T>(work: (db: SqliteDb) => T): T;
  write<T>(work: (db: SqliteDb) => T): T;
  /** Does not wait until the disk has it. */
  writeRelaxed<T>(work: (db: SqliteDb) => T): T;
  /** All works in one transaction, each in its own savepoint: one that throws takes back only itself. */
  writeAll(works: readonly ((db: SqliteDb) => unknown)[]): readonly Settled[];
  /** Moves with every commit of this connection that changed something. */
  commits(): number;
}
type Settled = { readonly type: 'done'; readonly value: unknown } | { readonly type: 'failed'; error: unknown };

/** @param beforeWrite runs before each writing transaction begins and may refuse it by throwing. */
export function createTransactions(connection: Connection, beforeWrite: () => void): Transactions {
  const db = createDb(connection);
  const { driver } = connection;
  const statement = (sql: string): (() => void) => {
    const prepared = guarded(connection, () => driver.prepare(sql));
    // Without a closure a call: these run around every write.
    return () => {
      try {
        prepared.run();
      } catch (error) {
        throw mapSqliteError(error, connection.path);
      }
    };
  };
  const begin = statement('BEGIN');
  const beginImmediate = statement('BEGIN IMMEDIATE');
  const commit = statement('COMMIT');
  const rollback = statement('ROLLBACK');
  const savepoint = statement('SAVEPOINT work');
  const release = statement('RELEASE work');
  const rollbackWork = statement('ROLLBACK TO work');
  let commits = 0;

  const transaction = <T>(mode: 'read' | 'write', work: () => T): T => {
    enter(connection, mode);
    (mode === 'read' ? begin : beginImmediate)();
    connection.mode = mode;
    try {
      const value = settled(work(), connection.path);
      commit();
      if (mode === 'write') commits += 1;
      return value;
    } catch (error) {
      // Some faults (a full disk, a failed read) end the transaction by themselves.
      if (driver.open && driver.inTransaction) rollback();
      throw error;
    } finally {
      connection.mode = 'none';
    }
  };
  const one = (work: (db: SqliteDb) => unknown): Settled => {
    savepoint();
    try {
      const value = settled(work(db), connection.path);
      release();
      return { type: 'done', value };
    } catch (error) {
      if (!driver.inTransaction) throw error;
      rollbackWork();
      release();
      return { type: 'failed', error };
    }
  };
  return {
    db,
    read: (work) =>
      connection.mode === 'none' ? transaction('read', () => work(db)) : settled(work(db), connection.path),
    write: (work) => {
      beforeWrite();
      return transaction('write', () => work(db));
    },
    writeRelaxed: (work) => {
      beforeWrite();
      if (connection.synchronous !== 'full') return transaction('write', () => work(db));
      // Cannot be changed inside a transaction, which is refused here as well.
      enter(connection, 'write');
      driver.exec('PRAGMA synchronous = NORMAL');
      try {
        return transaction('write', () => work(db));
      } finally {
        if (driver.open) driver.exec('PRAGMA synchronous = FULL');
      }
    },
    writeAll: (works) => {
      beforeWrite();
      // What a lone work takes back is all there is.
      const [lone] = works;
      if (lone !== undefined && works.length === 1) {
        return transaction('write', () => [{ type: 'done', value: settled(lone(db), connection.path) }]);
      }
      return transaction('write', () => works.map(one));
    },
    commits: () => commits,
  };
}

function enter(connection: Connection, mode: 'read' | 'write'): void {
  if (!connection.driver.open) throw closedError(connection.path);
  if (connection.mode === 'none') return;
  throw new WarrantError('SQLITE_NESTED', `a ${mode} was begun inside a ${connection.mode}`, {
    data: { path: connection.path, outer: connection.mode, inner: mode },
  });
}

/** What an asynchronous work would do after its first await lies outside the transaction: refused, and rolled back. */
function settled<T>(value: T, path: string): T {
  const then = typeof value === 'object' && value !== null ? (value as { then?: unknown }).then : undefined;
  if (typeof then !== 'function') return value;
  // Its rejection, if one comes, is no news: the caller learns of the broken contract instead.
  then.call(value, undefined, () => undefined);
  throw new WarrantError('SQLITE_PROMISE', 'the work of a transaction returned a promise; it has to be synchronous', {
    data: { path },
  });
}
