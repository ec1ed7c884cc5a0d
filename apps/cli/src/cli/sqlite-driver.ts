import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqliteDriver } from '@warrant/core/sqlite';
import Database from 'better-sqlite3';

/** The version whose code is in the bundle; unset when run from source. */
declare const SQLITE_DRIVER_VERSION: string | undefined;

/**
 * The driver with its code taken from the bundle: finding and reading its dozen files takes longer than opening a
 * database. Undefined where it is not bundled, or where what is installed is another version or lies elsewhere: then
 * it is looked for as ever.
 */
export function bundledDriver(): SqliteDriver | undefined {
  if (typeof SQLITE_DRIVER_VERSION === 'undefined') return undefined;
  try {
    const folder = installedFolder();
    if (folder === undefined || versionOf(folder) !== SQLITE_DRIVER_VERSION) return undefined;
    const addon = { exports: {} };
    process.dlopen(addon, join(folder, 'build/Release/better_sqlite3.node'));
    return driverOver(addon.exports);
  } catch {
    return undefined;
  }
}

/** The nearest installation above the program, as Node would find it. */
function installedFolder(): string | undefined {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'node_modules/better-sqlite3');
    if (existsSync(folder)) return folder;
    if (at === dirname(at)) return undefined;
  }
}

function versionOf(folder: string): unknown {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version?: unknown }).version;
}

function driverOver(addon: object): SqliteDriver {
  const Driver = Database as unknown as SqliteDriver;
  return class extends Driver {
    constructor(path: string | Buffer, options?: ConstructorParameters<SqliteDriver>[1]) {
      // The driver takes the native part itself as well as its path.
      super(path, { ...options, nativeBinding: addon as unknown as string });
    }
  };
}
