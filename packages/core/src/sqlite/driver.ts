import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { WarrantError } from '../error.ts';

/** What SQLite stores: bigint for integers beyond 2^53 when asked for, Uint8Array for blobs. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

/** The part of a better-sqlite3 statement that is used here. */
export interface DriverStatement {
  readonly readonly: boolean;
  readonly reader: boolean;
  run(...parameters: unknown[]): { changes: number; lastInsertRowid: number | bigint };
  get(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown[];
  iterate(...parameters: unknown[]): Iterable<unknown>;
  pluck(): DriverStatement;
  raw(): DriverStatement;
}

/** The part of a better-sqlite3 database that is used here. */
export interface DriverDatabase {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string): DriverStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

/** The constructor that better-sqlite3 exports. */
export type SqliteDriver = new (
  path: string | Buffer,
  options?: { readonly?: boolean; fileMustExist?: boolean; timeout?: number; nativeBinding?: string },
) => DriverDatabase;

/**
 * Loads better-sqlite3 when the first file is opened, so that importing this module costs nothing.
 * @throws SQLITE_DRIVER_MISSING when it is not installed or its binary does not load.
 */
export function loadDriver(load: (name: string) => unknown = createRequire(import.meta.url)): SqliteDriver {
  try {
    return load('better-sqlite3') as SqliteDriver;
  } catch (cause) {
    throw driverMissing(cause);
  }
}

/**
 * The driver's native part where its installer puts it: the driver itself looks through a dozen places, which costs more
 * than the loading. Undefined lets it look.
 */
export function nativeBinding(require: NodeJS.Require = createRequire(import.meta.url)): string | undefined {
  try {
    const file = join(dirname(require.resolve('better-sqlite3')), '../build/Release/better_sqlite3.node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The binary loads with the first database only: its absence shows there. */
export function driverMissing(cause: unknown): WarrantError<'SQLITE_DRIVER_MISSING'> {
  return new WarrantError(
    'SQLITE_DRIVER_MISSING',
    'SQLite needs the package better-sqlite3 with its native part: add it to this project, for example with `npm install better-sqlite3`',
    { cause },
  );
}
