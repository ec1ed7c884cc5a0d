import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import { openWorkspace } from '@warrant/workspace';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

let directory: string;
const warrant = (...words: readonly string[]) => runWarrant(directory, words);
const knows = async (concept: string): Promise<boolean> => (await warrant('check', concept)).code === 0;
const aside = (): readonly string[] => {
  const backups = join(directory, '.warrant/backups');
  return existsSync(backups) ? readdirSync(backups).filter((name) => name.startsWith('before-restore')) : [];
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'warrant-restore-'));
  await warrant('init');
  await warrant('graph', 'seed', 'filesystem');
  await warrant('backup', 'copy.db');
  await warrant('graph', 'seed', 'git');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a backup is put in its place, and what was there is kept and can be put back', async () => {
  expect([await knows('file'), await knows('commit')]).toEqual([true, true]);
  expect(await warrant('restore', 'copy.db')).toMatchObject({ code: 0, out: expect.stringContaining('restored') });
  expect([await knows('file'), await knows('commit')]).toEqual([true, false]);
  const [kept] = aside();
  expect((await warrant('restore', `.warrant/backups/${kept}`)).code).toBe(0);
  expect(await knows('commit')).toBe(true);
  expect((await warrant('journal', 'verify')).code).toBe(0);
});

test('a version of the graph that was remembered from before is a conflict afterwards, also where the number fits', async () => {
  const versionNow = async () => {
    const workspace = await openWorkspace({ directory });
    const version = await workspace.graph.version();
    await workspace.close();
    return version;
  };
  const remembered = await versionNow();
  await warrant('restore', 'copy.db');
  await warrant('graph', 'seed', 'shell');
  expect((await versionNow()).revision).toBe(remembered.revision);
  const workspace = await openWorkspace({ directory });
  expect(await workspace.graph.apply([], { id: 'late', expected: remembered })).toMatchObject({ type: 'conflict' });
  await workspace.close();
});

test.each([
  ['that is not there', 'is not there', () => undefined],
  ['that is no database', 'cannot be opened', (file: string) => writeFileSync(file, 'only text'.repeat(500))],
  ['of something else', 'is not the database of a workspace', (file: string) => openSqlite(file).close()],
])('a file %s is refused, and nothing changes', async (_, message, make) => {
  make(join(directory, 'other.db'));
  const refused = await warrant('restore', 'other.db');
  expect(refused).toMatchObject({ code: 2, error: expect.stringContaining(message) });
  expect(await knows('commit')).toBe(true);
  expect(aside()).toEqual([]);
});

test('a database that is open elsewhere is not replaced', async () => {
  const other = await openWorkspace({ directory });
  try {
    expect(await warrant('restore', 'copy.db')).toMatchObject({ code: 5, error: expect.stringContaining('open') });
  } finally {
    await other.close();
  }
  expect(await knows('commit')).toBe(true);
});

test('a damaged database is replaced', async () => {
  writeFileSync(join(directory, '.warrant/warrant.db'), 'no database any more\n'.repeat(500));
  expect((await warrant('check', 'file')).code).toBe(5);
  expect((await warrant('restore', 'copy.db')).code).toBe(0);
  expect(await knows('file')).toBe(true);
  expect(aside()).toHaveLength(1);
});

test('a copy of a later version is taken back', async () => {
  const copy = openSqlite(join(directory, 'copy.db'));
  copy.write((db) => {
    db.run("UPDATE warrant_layers SET version = 99 WHERE layer = 'graph'");
  });
  copy.close();
  expect(await warrant('restore', 'copy.db')).toMatchObject({ code: 5, error: expect.stringContaining('newer') });
  expect(await knows('commit')).toBe(true);
  expect(aside()).toEqual([]);
});
