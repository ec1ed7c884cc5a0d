import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createIdSource, isWarrantError, systemClock } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { renewEpoch } from '@warrant/graph/sqlite';
import { openWorkspace, type WorkspacePaths, workspacePaths } from '@warrant/workspace';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { fileStamp } from '../cli/file-stamp.ts';
import { inWorkspace } from '../cli/with-workspace.ts';
import { damageOf } from '../doctor/damage.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<file>', "a copy that 'warrant backup' or an upgrade made"),
  run: (call) =>
    inWorkspace(call, async (directory) => {
      const source = resolve(call.terminal.directory, call.words[0] as string);
      const fault = faultOf(source);
      if (fault !== undefined) return refuse(call, exitCodes.usage, 'CLI_NO_BACKUP', `${source} ${fault}`);
      const paths = workspacePaths(directory);
      const aside = setAside(paths);
      if (aside.type === 'in-use') {
        const message = `another process has ${paths.database} open; end it first, so that it does not go on writing into what is replaced (where none has, move away what ends in -wal and -shm).`;
        return refuse(call, exitCodes.failed, 'CLI_IN_USE', message);
      }
      const { before } = aside;
      await putInPlace(source, paths, before);
      const kept = before === undefined ? '' : `; what was there before is ${before}`;
      print(
        call,
        { database: paths.database, from: source, before: before ?? null },
        `restored the database from ${source}${kept}\nSecrets compare as equal under the key of that time: ${paths.secretKey}.`,
      );
      return exitCodes.ok;
    }),
};

/** Why the file cannot be taken for a workspace's database; nothing is changed before this is known. */
function faultOf(source: string): string | undefined {
  if (!existsSync(source)) return 'is not there';
  try {
    const file = openSqlite(source, { readOnly: true });
    try {
      if (!Object.hasOwn(file.layers(), 'journal')) return 'is not the database of a workspace';
      const damage = damageOf(file);
      return damage === undefined ? undefined : `is damaged: ${damage}`;
    } finally {
      file.close();
    }
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return `cannot be opened: ${error.message}`;
  }
}

/** Moves the present database into the backups, whatever state it is in, and tells where it is now, if there was one. */
function setAside({ database, backups }: WorkspacePaths): SetAside {
  if (!existsSync(database)) {
    for (const end of LOGS) rmSync(`${database}${end}`, { force: true });
    return { type: 'aside', before: undefined };
  }
  if (isSound(database) && LOGS.some((end) => existsSync(`${database}${end}`))) return { type: 'in-use' };
  mkdirSync(backups, { recursive: true });
  const kept = join(backups, `before-restore-${fileStamp(systemClock)}.db`);
  renameSync(database, kept);
  for (const end of LOGS) if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${kept}${end}`);
  return { type: 'aside', before: kept };
}

type SetAside = { readonly type: 'aside'; readonly before: string | undefined } | { readonly type: 'in-use' };

/** What a database has beside itself while it is open. */
const LOGS = ['-wal', '-shm'] as const;

/** Opens and closes the database: the last to close it leaves it whole, with nothing beside it. */
function isSound(database: string): boolean {
  try {
    openSqlite(database).close();
    return true;
  } catch (error) {
    if (isWarrantError(error, 'SQLITE_CORRUPT') || isWarrantError(error, 'SQLITE_SCHEMA_NEWER')) return false;
    throw error;
  }
}

/** The copy stands in its place whole or not at all; what does not open as a workspace is taken back. */
async function putInPlace(source: string, paths: WorkspacePaths, before: string | undefined): Promise<void> {
  const { database } = paths;
  const arriving = `${database}.restoring`;
  try {
    copyFileSync(source, arriving);
    const file = openSync(arriving, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(arriving, database);
    await (await openWorkspace({ directory: paths.directory, create: false })).close();
    goOnFromHere(database);
  } catch (error) {
    rmSync(arriving, { force: true });
    for (const end of ['', ...LOGS]) {
      rmSync(`${database}${end}`, { force: true });
      if (before !== undefined && existsSync(`${before}${end}`)) renameSync(`${before}${end}`, `${database}${end}`);
    }
    throw error;
  }
}

/** Who remembers a version of the graph from before is not to write as if nothing had happened. */
function goOnFromHere(database: string): void {
  const file = openSqlite(database);
  try {
    renewEpoch(file, createIdSource({ clock: systemClock }));
  } finally {
    file.close();
  }
}
