import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isWarrantError, WarrantError } from '@warrant/core';
import { openSqlite, type SqliteDriver } from '@warrant/core/sqlite';
import { initialConfig } from './config/initial-config.ts';
import { type WorkspacePaths, workspacePaths } from './paths.ts';

export type CreateWorkspaceOptions = {
  readonly directory: string;
  /** false: nothing is refused, only recorded. @default true */
  readonly enforce?: boolean;
  /** Policy files to name in the settings, relative to the folder. */
  readonly policies?: readonly string[];
  /** better-sqlite3, where it cannot be found from here. */
  readonly driver?: SqliteDriver | undefined;
};

/** What must not go into version control: everything but settings, policies and graph documents. */
const GITIGNORE = [
  '# Written by Warrant: the database, its key and what is made from them stay here.',
  '/warrant.db*',
  '/warrant.reading.json',
  '/secret.key',
  '/agents.json*',
  '/serve/',
  '/memory/',
  '/traces/',
  '/backups/',
  '',
].join('\n');

/**
 * Makes the folder, its settings, its database and its key where they are missing; what is there stays as it is. Safe to
 * run by several processes at once.
 * @throws WORKSPACE_IO, SQLITE_* of the database file
 */
export async function createWorkspace(
  options: CreateWorkspaceOptions,
): Promise<{ readonly paths: WorkspacePaths; readonly created: boolean }> {
  const paths = workspacePaths(options.directory);
  try {
    await makeFolder(paths.folder);
    const config = initialConfig({ enforce: options.enforce ?? true, policies: options.policies ?? [] });
    const created = await writeNew(paths.config, config);
    await writeNew(`${paths.folder}/.gitignore`, GITIGNORE);
    const { driver } = options;
    if (!hasDatabase(paths)) openSqlite(paths.database, driver === undefined ? {} : { driver }).close();
    // The key comes last: where it is, a database that is missing was there once.
    await writeNew(paths.secretKey, randomBytes(32).toString('hex'), 0o600);
    return { paths, created };
  } catch (cause) {
    if (isWarrantError(cause)) throw cause;
    const why = (cause as NodeJS.ErrnoException).code ?? 'no reason given';
    throw new WarrantError('WORKSPACE_IO', `the workspace at ${options.directory} cannot be made (${why})`, {
      data: { directory: options.directory },
      cause,
    });
  }
}

/** Whether there is a database with something in it: an empty file is what a full disk or a crash leaves of one. */
export function hasDatabase({ database }: WorkspacePaths): boolean {
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * The workspace's key for replacing secrets.
 * @throws WORKSPACE_KEY_MISSING where it is gone or damaged: with another key equal secrets would no longer be equal.
 */
export function readSecretKey(paths: WorkspacePaths): string {
  const text = textOf(paths.secretKey);
  const key = typeof text === 'string' ? text.trim() : '';
  if (/^[0-9a-f]{64}$/.test(key)) return key;
  const advice =
    typeof text === 'string'
      ? `is damaged: restore it from a backup, or remove it and run 'warrant init'`
      : text.code === 'ENOENT'
        ? `is missing: 'warrant init' makes one in a new copy of the project; else restore it from a backup`
        : `cannot be read (${text.code ?? text.message})`;
  throw new WarrantError('WORKSPACE_KEY_MISSING', `${paths.secretKey} ${advice}`, { data: { file: paths.secretKey } });
}

/** Read at once: for a small file that takes less than asking another thread. */
function textOf(file: string): string | NodeJS.ErrnoException {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** Node's own recursive form never ends where a file system has no such folder to give, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  const missing = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    await mkdir(one).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function writeNew(file: string, text: string, mode = 0o644): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx', mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
