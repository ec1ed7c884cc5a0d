import type { Clock } from '../clock.ts';
import { isoTime } from '../clock.ts';
import { WarrantError } from '../error.ts';
import type { SqliteDb } from './database.ts';
import type { Transactions } from './transactions.ts';

const TABLE = `CREATE TABLE IF NOT EXISTS warrant_layers (
  layer TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  migrated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID`;

/** The version of each layer's tables in this file. */
export function layerVersions(db: SqliteDb): { readonly [layer: string]: number } {
  const table = db.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'warrant_layers'`);
  if (table === undefined) return {};
  const rows = db.all<{ layer: string; version: number }>('SELECT layer, version FROM warrant_layers ORDER BY layer');
  return Object.fromEntries(rows.map((row) => [row.layer, row.version]));
}

/**
 * Brings one layer's tables to version `steps.length`. Steps run in one transaction that holds the write lock, so that
 * of several processes one does the work and the others find it done. A step, once released, never changes.
 */
export function migrateLayer(
  transactions: Transactions,
  layer: string,
  steps: readonly ((db: SqliteDb) => void)[],
  file: { readonly path: string; readonly readOnly: boolean; readonly clock: Clock },
): void {
  if (isCurrent(transactions.read(layerVersions), layer, steps.length, file.path)) return;
  if (file.readOnly) {
    throw new WarrantError(
      'SQLITE_SCHEMA_OLDER',
      `the tables of ${layer} need an upgrade, and the file is opened read-only`,
      {
        data: { path: file.path, layer, known: steps.length },
      },
    );
  }
  transactions.write((db) => {
    db.exec(TABLE);
    const versions = layerVersions(db);
    if (isCurrent(versions, layer, steps.length, file.path)) return;
    for (const step of steps.slice(versions[layer] ?? 0)) step(db);
    db.run(
      `INSERT INTO warrant_layers (layer, version, migrated_at) VALUES (?, ?, ?)
       ON CONFLICT (layer) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at`,
      layer,
      steps.length,
      isoTime(file.clock),
    );
  });
}

function isCurrent(
  versions: { readonly [layer: string]: number },
  layer: string,
  known: number,
  path: string,
): boolean {
  const version = Object.hasOwn(versions, layer) ? (versions[layer] as number) : 0;
  if (version > known) {
    throw new WarrantError(
      'SQLITE_SCHEMA_NEWER',
      `the file's tables of ${layer} are newer than this version knows: ${path}`,
      {
        data: { path, layer, version, known },
      },
    );
  }
  return version === known;
}
