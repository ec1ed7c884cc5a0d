import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { WarrantError } from '../error.ts';
import type { Entry } from '../journal.ts';
import { connect } from './connect.ts';
import type { Connection, SqliteDb } from './database.ts';
import { guarded } from './database.ts';
import type { SqliteDriver } from './driver.ts';
import { closedError } from './errors.ts';
import type { NoPromise, SqliteFile } from './file.ts';
import { createGroupCommit } from './group-commit.ts';
import { layerVersions, migrateLayer } from './migrate.ts';
import { createOutbox, OUTBOX_LAYER, OUTBOX_STEPS, putOutbox } from './outbox.ts';
import { createTransactions, type Transactions } from './transactions.ts';

export type OpenSqliteOptions = {
  /** `full`: a commit is on the disk when it returns. `normal`: the last commits may be lost with the power, never with the process. @default 'full' */
  readonly synchronous?: 'full' | 'normal';
  /** Opens without ever writing; tables have to be current. @default false */
  readonly readOnly?: boolean;
  /** Stamps migrations. @default systemClock */
  readonly clock?: Clock;
  /** Longest wait for another process's lock, which blocks the event loop. @default 5000 */
  readonly busyTimeoutMs?: number;
  /** better-sqlite3, where it cannot be found from here. */
  readonly driver?: SqliteDriver;
};

/** A file of one process, shared by all its layers. */
export interface OpenedSqlite extends SqliteFile<SqliteDb> {
  /** Where the file lies, or `:memory:`. */
  readonly path: string;
  readonly readOnly: boolean;
  /** Versions of the layers' tables that the file holds now. */
  layers(): { readonly [layer: string]: number };
  /** Like `write`, without waiting for the disk: the latest may be lost with the power, never with the process. For counts. */
  writeRelaxed<T>(work: (db: SqliteDb) => NoPromise<T>): T;
  /** A consistent copy at `target`, which must not exist yet. */
  copyTo(target: string): void;
  /**
   * For a process that ends without closing: empties the write-ahead log where it has grown past 512 KiB, because whoever
   * opens the file alone reads all of it. Waits for nobody; another connection may hold it back.
   */
  shortenLog(): void;
}

const LONG_LOG_BYTES = 512 * 1024;

/** Reads look for a vanished file at most this often: asking the file system costs as much as a query. */
const PRESENCE_MS = 200;

/**
 * Opens or creates a database file: write-ahead log, foreign keys, busy timeout, typed errors.
 * @throws SQLITE_DRIVER_MISSING, SQLITE_CANNOT_OPEN, SQLITE_CORRUPT, SQLITE_BUSY, SQLITE_READ_ONLY, SQLITE_SCHEMA_NEWER
 */
export function openSqlite(path: string, options: OpenSqliteOptions = {}): OpenedSqlite {
  // The process may change its folder later; the file does not move with it.
  return openResolved(path === ':memory:' ? path : resolve(path), options);
}

function openResolved(path: string, options: OpenSqliteOptions): OpenedSqlite {
  const readOnly = options.readOnly ?? false;
  const clock = options.clock ?? systemClock;
  const synchronous = options.synchronous ?? 'full';
  const busyTimeoutMs = options.busyTimeoutMs ?? 5000;
  const connection: Connection = {
    driver: connect(path, {
      readOnly,
      synchronous,
      busyTimeoutMs,
      driver: options.driver,
    }),
    path,
    synchronous,
    mode: 'none',
  };
  try {
    return createFile(connection, { readOnly, clock, busyTimeoutMs });
  } catch (error) {
    connection.driver.close();
    throw error;
  }
}

type FileOptions = { readonly readOnly: boolean; readonly clock: Clock; readonly busyTimeoutMs: number };

function createFile(connection: Connection, file: FileOptions): OpenedSqlite {
  const { path, driver } = connection;
  const presence = createPresence(path);
  const transactions = createTransactions(connection, () => {
    if (file.readOnly) throw new WarrantError('SQLITE_READ_ONLY', `opened read-only: ${path}`, { data: { path } });
    presence.check();
  });
  const facts = { path, ...file };
  if (!file.readOnly) migrateLayer(transactions, OUTBOX_LAYER, OUTBOX_STEPS, facts);
  const group = createGroupCommit(transactions, path);
  const withOutbox =
    <T>(work: (db: SqliteDb, outbox: (stream: string, entry: Entry) => void) => NoPromise<T>) =>
    (db: SqliteDb): NoPromise<T> =>
      work(db, (stream, entry) => putOutbox(db, stream, entry));
  const read = <T>(work: (db: SqliteDb) => T): T => {
    presence.checkSometimes();
    return transactions.read(work);
  };
  return {
    path,
    readOnly: file.readOnly,
    outbox: createOutbox(transactions),
    migrate: (layer, steps) => migrateLayer(transactions, layer, steps, facts),
    layers: () => read(layerVersions),
    read: <T>(work: (db: SqliteDb) => NoPromise<T>) => read<T>(work),
    write: (work) => transactions.write(withOutbox(work)),
    writeRelaxed: <T>(work: (db: SqliteDb) => NoPromise<T>) => transactions.writeRelaxed<T>(work),
    writeSoon: (work) => group.add(withOutbox(work)),
    dataVersion: createDataVersion(connection, transactions, presence),
    truncateLog: () => truncateLog(connection),
    shortenLog: () => {
      if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < LONG_LOG_BYTES) return;
      driver.exec('PRAGMA busy_timeout = 0');
      truncateLog(connection);
      driver.exec(`PRAGMA busy_timeout = ${file.busyTimeoutMs}`);
    },
    copyTo: (target) => guarded(connection, () => void driver.prepare('VACUUM INTO ?').run(target)),
    close: () => {
      if (!driver.open) return;
      group.close();
      driver.close();
    },
  };
}

/** False while a reader holds it back. */
function truncateLog(connection: Connection): boolean {
  const result = guarded(connection, () => connection.driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get());
  return (result as { readonly busy: number }).busy === 0;
}

/** SQLite goes on writing into a deleted file without a word; what was promised durable would be lost. */
function createPresence(path: string): { check(): void; checkSometimes(): void } {
  if (path === ':memory:') return { check: () => undefined, checkSometimes: () => undefined };
  const opened = statSync(path);
  let checkedAt = systemClock.now();
  const check = (): void => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino === opened.ino && now.dev === opened.dev) return;
    throw new WarrantError('SQLITE_FILE_GONE', `the file was moved, replaced or deleted while open: ${path}`, {
      data: { path },
    });
  };
  return {
    check,
    checkSometimes: () => {
      const now = systemClock.now();
      if (Math.abs(now - checkedAt) < PRESENCE_MS) return;
      check();
      checkedAt = now;
    },
  };
}

/** One counter over the commits of this connection and those of all others. */
function createDataVersion(
  connection: Connection,
  transactions: Transactions,
  presence: { checkSometimes(): void },
): () => number {
  const probe = connection.driver.prepare('PRAGMA data_version').pluck();
  let last: unknown;
  let foreign = 0;
  return () => {
    if (!connection.driver.open) throw closedError(connection.path);
    presence.checkSometimes();
    const seen = guarded(connection, () => probe.get());
    if (seen !== last) {
      last = seen;
      foreign += 1;
    }
    return foreign + transactions.commits();
  };
}
