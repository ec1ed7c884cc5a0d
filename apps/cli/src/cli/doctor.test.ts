import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import { expect, it } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

type Break = (folder: string) => void;

/** Rows that SQLite finds sound. */
function damagedGraphs(): readonly (readonly [string, string, RegExp, Break])[] {
  const damages: readonly (readonly [string, string, RegExp])[] = [
    ['text', "UPDATE graph_node SET body = replace(body, 'a', 'b') WHERE name = 'file'", /not what its digest says/],
    ['no JSON', "UPDATE graph_node SET body = 'x' WHERE name = 'file'", /cannot be read/],
    ['a name', "UPDATE graph_node SET key = 'other' WHERE name = 'file'", /kept under another name/],
    ['prerequisites', "UPDATE graph_node SET prerequisites = '[]' WHERE name = 'delete'", /other prerequisites/],
    ['a lost concept', "DELETE FROM graph_node WHERE name = 'path'", /leads to [-0-9a-f]+, which is not there/],
    [
      'a lost link',
      'DELETE FROM graph_link WHERE target = (SELECT min(target) FROM graph_link)',
      /missing from the index of relata/,
    ],
    ['no version', 'DELETE FROM graph_meta', /has no version/],
  ];
  return damages.map(([what, sql, message]) => [
    `a database with a graph of ${what}`,
    'graph',
    message,
    (folder) => {
      const file = openSqlite(join(folder, 'warrant.db'));
      file.write((db) => void db.run(sql));
      file.close();
    },
  ]);
}

const breaks: readonly (readonly [string, string, RegExp, Break])[] = [
  [
    'a database that is a text file',
    'database',
    /not a SQLite database.*'warrant restore FILE' puts a sound copy in its place/,
    (folder) =>
      writeFileSync(join(folder, 'warrant.db'), 'no database, only text that goes on and on and on\n'.repeat(99)),
  ],
  [
    'a database with a page of zeros',
    'database',
    /damaged|malformed/,
    (folder) => {
      const bytes = readFileSync(join(folder, 'warrant.db'));
      writeFileSync(join(folder, 'warrant.db'), bytes.fill(0, 4096 * 4, 4096 * 30));
    },
  ],
  ...damagedGraphs(),
  ['no key', 'key', /secret\.key is missing: restore it/, (folder) => rmSync(join(folder, 'secret.key'))],
  ['half a key', 'key', /secret\.key is damaged/, (folder) => writeFileSync(join(folder, 'secret.key'), 'abc')],
  ['a key that others can read', 'key', /chmod 600/, (folder) => chmodSync(join(folder, 'secret.key'), 0o644)],
  [
    'wrong settings',
    'settings',
    /warrant\.yaml:1:1: unknown key 'formaat'/,
    (folder) => writeFileSync(join(folder, 'warrant.yaml'), 'formaat: warrant.workspace/1\n'),
  ],
  ['no .gitignore', 'git', /does not keep secret\.key/, (folder) => rmSync(join(folder, '.gitignore'))],
];

async function workspace(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-doctor-'));
  await runWarrant(directory, ['init']);
  await runWarrant(directory, ['graph', 'seed', 'filesystem']);
  return directory;
}

async function found(directory: string): Promise<readonly { name: string; ok: boolean; message: string }[]> {
  const { code, out } = await runWarrant(directory, ['doctor', '--json']);
  const findings = JSON.parse(out) as { name: string; ok: boolean; message: string }[];
  expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1);
  return findings;
}

it.each(breaks)('doctor says what is wrong: %s', async (_, name, message, spoil) => {
  const directory = await workspace();
  expect((await found(directory)).filter(({ ok }) => !ok)).toEqual([]);
  spoil(join(directory, '.warrant'));
  const wrong = (await found(directory)).filter(({ ok }) => !ok);
  expect(wrong[0]).toMatchObject({ name, message: expect.stringMatching(message) });
});

it('doctor sees every fault at once', async () => {
  const directory = await workspace();
  for (const [what, , , spoil] of breaks) if (!what.startsWith('a database with a')) spoil(join(directory, '.warrant'));
  const wrong = (await found(directory)).filter(({ ok }) => !ok).map(({ name }) => name);
  expect(wrong).toEqual(['settings', 'key', 'git', 'database', 'open']);
});
