import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspacePaths } from '@warrant/workspace';
import Database from 'better-sqlite3';

/** A way in which a workspace can break. */
export type Damage = {
  readonly what: string;
  /** When it shows: as the workspace is opened, at each event of an open one too, or where a call is judged. */
  readonly shows: 'opening' | 'event' | 'judging';
  /** It takes as long as SQLite waits for others. */
  readonly slow?: boolean;
  /** Breaks the workspace, and tells how to let go of it again where something is held. */
  readonly make: (directory: string) => () => void;
};

const NOTHING = (): void => undefined;

/** What is done to a file; the log beside a database goes with it. */
function toDatabase(change: (file: string) => void): Damage['make'] {
  return (directory) => {
    const { database } = workspacePaths(directory);
    for (const beside of ['-wal', '-shm']) rmSync(`${database}${beside}`, { force: true });
    change(database);
    return NOTHING;
  };
}

function inDatabase(statement: string): Damage['make'] {
  return (directory) => {
    const db = new Database(workspacePaths(directory).database);
    db.exec(statement);
    db.close();
    return NOTHING;
  };
}

function toFile(name: string, change: (file: string) => void): Damage['make'] {
  return (directory) => {
    change(join(directory, '.warrant', name));
    return NOTHING;
  };
}

export const damages: readonly Damage[] = [
  {
    what: 'its settings are garbage',
    shows: 'opening',
    make: toFile('warrant.yaml', (file) => writeFileSync(file, ': {[\0')),
  },
  { what: 'its settings are empty', shows: 'opening', make: toFile('warrant.yaml', (file) => truncateSync(file, 0)) },
  {
    what: 'its settings say what nobody knows',
    shows: 'opening',
    make: toFile('warrant.yaml', (file) => appendFileSync(file, '\nenforced: maybe\n')),
  },
  { what: 'its folder is gone', shows: 'opening', make: toFile('', (file) => rmSync(file, { recursive: true })) },
  { what: 'its key is damaged', shows: 'opening', make: toFile('secret.key', (file) => writeFileSync(file, 'x')) },
  { what: 'its key is gone', shows: 'opening', make: toFile('secret.key', (file) => rmSync(file)) },
  { what: 'its database is gone', shows: 'opening', make: toDatabase((file) => rmSync(file)) },
  { what: 'its database is empty', shows: 'opening', make: toDatabase((file) => writeFileSync(file, '')) },
  {
    what: 'its database is no database',
    shows: 'opening',
    make: toDatabase((file) => writeFileSync(file, randomBytes(50_000))),
  },
  { what: 'its database was cut', shows: 'opening', make: toDatabase((file) => truncateSync(file, 8192)) },
  {
    what: 'pages of its database were written over',
    shows: 'opening',
    make: toDatabase((file) => writeFileSync(file, Buffer.from(readFileSync(file)).fill(0x58, 4096))),
  },
  {
    what: 'its database is of a later version',
    shows: 'opening',
    make: inDatabase('UPDATE warrant_layers SET version = version + 100'),
  },
  { what: 'a table of its database is gone', shows: 'event', make: inDatabase('DROP TABLE claude_events') },
  {
    what: 'its policies cannot be read',
    shows: 'judging',
    make: toFile('policies.yaml', (file) => writeFileSync(file, 'policies: {')),
  },
  {
    what: 'another process holds its database',
    shows: 'event',
    slow: true,
    make: (directory) => {
      const db = new Database(workspacePaths(directory).database);
      db.exec('BEGIN EXCLUSIVE');
      return () => void db.close();
    },
  },
];
