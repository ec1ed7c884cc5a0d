import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isWarrantError } from '@warrant/core';
import { type OpenedSqlite, openSqlite } from '@warrant/core/sqlite';
import { findGraphDamage } from '@warrant/graph/sqlite';
import { readConfig, type WorkspacePaths } from '@warrant/workspace';
import { damageOf } from './damage.ts';
import { Ailment, type Finding, findingOf } from './finding.ts';

/** What the files of a workspace show by themselves, each looked at whatever the others are like. */
export async function filesFindings(paths: WorkspacePaths): Promise<readonly Finding[]> {
  return [
    await findingOf('settings', () => checkSettings(paths)),
    await findingOf('key', () => checkKey(paths)),
    await findingOf('git', () => checkIgnored(paths)),
    await findingOf('database', () => checkDatabase(paths)),
    await findingOf('graph', () => checkGraph(paths)),
  ];
}

async function checkSettings(paths: WorkspacePaths): Promise<string> {
  const { enforce } = await readConfig(paths);
  return enforce ? 'read; refusals are enforced' : 'read; observe only, nothing is refused';
}

function checkKey({ secretKey }: WorkspacePaths): string {
  const mode = statSync(secretKey, { throwIfNoEntry: false })?.mode;
  const advice =
    "restore it from a backup; 'warrant init' makes a new one, under which old secrets compare as different";
  if (mode === undefined) throw new Ailment(`${secretKey} is missing: ${advice}`);
  if (!/^[0-9a-f]{64}\s*$/.test(readFileSync(secretKey, 'utf8'))) {
    throw new Ailment(`${secretKey} is damaged: remove it and ${advice}`);
  }
  if ((mode & 0o077) !== 0) throw new Ailment(`${secretKey} can be read by others: chmod 600`);
  return 'readable by its owner only';
}

function checkIgnored({ folder }: WorkspacePaths): string {
  const file = join(folder, '.gitignore');
  const ignored = existsSync(file) && readFileSync(file, 'utf8').includes('secret.key');
  if (!ignored) throw new Ailment(`${file} does not keep secret.key out of version control`);
  return 'key and database are kept out of version control';
}

function checkDatabase({ database, backups }: WorkspacePaths): string {
  if (!existsSync(database)) {
    throw new Ailment(`${database} is missing: ${adviceFor(backups)}; 'warrant init' makes an empty one`);
  }
  try {
    const damage = reading(database, damageOf);
    if (damage !== undefined) throw new Ailment(`${database} is damaged: ${damage}; ${adviceFor(backups)}`);
  } catch (error) {
    throw isWarrantError(error, 'SQLITE_CORRUPT') ? new Ailment(`${error.message}; ${adviceFor(backups)}`) : error;
  }
  return `sound, ${(statSync(database).size / 1024).toFixed(0)} KiB`;
}

/** SQLite finds a row sound that is no concept any more. */
function checkGraph({ database, backups }: WorkspacePaths): string {
  if (!existsSync(database)) return NOT_READ;
  try {
    const damages = reading(database, findGraphDamage).map(({ primitive, problem }) =>
      primitive === '' ? problem : `the concept ${primitive} ${problem}`,
    );
    if (damages.length > 0) throw new Ailment(`damaged: ${damages.join('; ')}; ${adviceFor(backups)}`);
  } catch (error) {
    // What the database is like was said before.
    if (error instanceof Ailment || !isWarrantError(error)) throw error;
    return NOT_READ;
  }
  return 'every concept is what its digest says';
}

const NOT_READ = 'not looked at, since the database cannot be read';

function adviceFor(backups: string): string {
  return `'warrant restore FILE' puts a sound copy in its place (${backups} holds those of 'warrant backup')`;
}

function reading<T>(database: string, look: (file: OpenedSqlite) => T): T {
  const file = openSqlite(database, { readOnly: true });
  try {
    return look(file);
  } finally {
    file.close();
  }
}
