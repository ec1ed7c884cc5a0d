import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { WarrantError } from '../error.ts';
import { type DriverDatabase, driverMissing, loadDriver, nativeBinding, type SqliteDriver } from './driver.ts';
import { mapSqliteError } from './errors.ts';

export type ConnectOptions = {
  readonly readOnly: boolean;
  readonly synchronous: 'full' | 'normal';
  readonly busyTimeoutMs: number;
  readonly driver: SqliteDriver | undefined;
};

const RETRY_MS = 5;

/** An open connection with every setting made. */
export function connect(path: string, options: ConnectOptions): DriverDatabase {
  const Driver = options.driver ?? loadDriver();
  const connection = open(Driver, path, options);
  try {
    return configured(connection, path, options);
  } catch (error) {
    connection.close();
    if (options.readOnly && isCode(error, 'SQLITE_CANTOPEN') && !existsSync(`${path}-wal`))
      return openCopy(Driver, path);
    throw mapSqliteError(error, path);
  }
}

function open(Driver: SqliteDriver, path: string, options: ConnectOptions): DriverDatabase {
  if (path !== ':memory:' && !existsSync(dirname(path))) {
    throw new WarrantError('SQLITE_CANNOT_OPEN', `the folder does not exist: ${path}`, { data: { path } });
  }
  if (path === ':memory:' && options.readOnly) {
    throw new WarrantError('SQLITE_CANNOT_OPEN', 'a database in memory cannot be opened read-only', { data: { path } });
  }
  const binding = options.driver === undefined ? nativeBinding() : undefined;
  try {
    return new Driver(path, {
      readonly: options.readOnly,
      fileMustExist: options.readOnly,
      timeout: options.busyTimeoutMs,
      ...(binding === undefined ? {} : { nativeBinding: binding }),
    });
  } catch (error) {
    const mapped = mapSqliteError(error, path);
    throw mapped === error ? driverMissing(error) : mapped;
  }
}

function configured(connection: DriverDatabase, path: string, options: ConnectOptions): DriverDatabase {
  connection.exec('PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY');
  if (!options.readOnly) {
    if (path !== ':memory:') retried(options.busyTimeoutMs, () => enterWal(connection));
    connection.exec(
      options.synchronous === 'full'
        ? // fullfsync matters on macOS alone, where fsync leaves data in the drive's cache.
          'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON'
        : 'PRAGMA synchronous = NORMAL',
    );
  }
  // Touches the file, so that a damaged, foreign or unreadable one is found when opening.
  connection.prepare('SELECT count(*) FROM sqlite_schema').get();
  return connection;
}

function enterWal(connection: DriverDatabase): void {
  const mode = connection.prepare('PRAGMA journal_mode').pluck().get();
  if (mode !== 'wal') connection.prepare('PRAGMA journal_mode = WAL').get();
}

/** Changing the journal mode does not wait for locks as other statements do. */
function retried(timeoutMs: number, work: () => void): void {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      work();
      return;
    } catch (error) {
      if (!isCode(error, 'SQLITE_BUSY') || waited >= timeoutMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** A file with a write-ahead log cannot be opened in a folder that nobody may write: it is read into memory. */
function openCopy(Driver: SqliteDriver, path: string): DriverDatabase {
  const bytes = readFileSync(path);
  // Bytes 18 and 19 of the header say "write-ahead log", which a database in memory cannot have (fileformat2, 1.3.3).
  bytes[18] = 1;
  bytes[19] = 1;
  return new Driver(bytes, { readonly: true });
}

function isCode(error: unknown, prefix: string): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith(prefix);
}
