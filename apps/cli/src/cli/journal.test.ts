import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import { openWorkspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { type Ran, runWarrant } from '../../test/warrant.ts';

const STREAMS = 12;
/** More than one page of names. */
const MANY = 1005;

async function workspaceWith(streams: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-cli-journal-'));
  await runWarrant(directory, ['init']);
  const { journal, close } = await opened(directory);
  const entry = (id: string) => ({ id, type: 'sale.made', data: { id }, schemaVersion: 1 });
  await Promise.all(
    Array.from({ length: streams }, (_, index) =>
      journal.append(`shop/${index}`, ['a', 'b', 'c'].map(entry), { expected: 'none' }),
    ),
  );
  await close();
  return directory;
}

async function opened(directory: string) {
  const workspace = await openWorkspace({ directory, create: false });
  return { journal: workspace.journal, close: () => workspace.close() };
}

const json = (ran: Ran): unknown => JSON.parse(ran.out);

test('journal read names every stream', { timeout: 60_000 }, async () => {
  const directory = await workspaceWith(MANY);
  const listed = (await runWarrant(directory, ['journal', 'read', '--json'])).out.trimEnd().split('\n');
  expect(listed.filter((line) => line.includes('"shop/'))).toHaveLength(MANY);
});

test('journal commands say what they did and end with the documented codes', { timeout: 60_000 }, async () => {
  const directory = await workspaceWith(STREAMS);
  const warrant = (...words: string[]) => runWarrant(directory, ['journal', ...words]);

  const last = (await warrant('read', 'shop/7', '--last', '2', '--json')).out.trimEnd().split('\n');
  expect(last.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['b', 'c']);

  for (const wrong of [
    ['prove', 'shop/1', 'x'],
    ['prove', 'shop/1', '0'],
    ['prove', 'shop/1', '1', '--size', 'many'],
    ['fork', 'shop/1', '1.5', 'other'],
    ['archive', '--before', 'yesterday'],
    ['checkpoint'],
  ]) {
    expect((await warrant(...wrong)).code, wrong.join(' ')).toBe(2);
  }
  expect((await warrant('read', 'nowhere')).code).toBe(3);
  expect((await warrant('prove', 'nowhere', '1')).code).toBe(3);

  const made = json(await warrant('checkpoint', '--new-key', 'key', '--origin', 'shop.example', '--json')) as {
    verifier: string;
  };
  const note = (await warrant('checkpoint', '--key', 'key', '--origin', 'shop.example')).out;
  writeFileSync(join(directory, 'note'), note);
  const verified = await warrant('verify', '--checkpoint', 'note', '--key', made.verifier, '--json');
  expect(verified.code).toBe(0);
  expect(json(verified)).toMatchObject({ type: 'intact', checkpoint: expect.any(Number) });
  expect(json(await warrant('prove', 'shop/3', '2', '--json'))).toMatchObject({ type: 'inclusion', position: 2 });

  expect((await warrant('fork', 'shop/1', '2', 'fork/1')).code).toBe(0);
  expect((await warrant('fork', 'shop/1', '2', 'fork/1')).code).toBe(1);
  expect((await warrant('fork', 'shop/1', '9', 'fork/2')).code).toBe(3);

  expect((await warrant('export', '--output', 'all.jsonl', '--json')).code).toBe(0);
  const other = await workspaceWith(0);
  const imported = await runWarrant(other, ['journal', 'import', join(directory, 'all.jsonl'), '--json']);
  expect((json(imported) as { entries: number }).entries).toBeGreaterThanOrEqual(3 * STREAMS);
  expect((await runWarrant(other, ['journal', 'import', join(directory, 'all.jsonl')])).code).toBe(1);

  const archived = await warrant('archive', '--before', '9999-01-01T00:00:00Z', '--json');
  expect((json(archived) as { entries: number }).entries).toBeGreaterThanOrEqual(3 * STREAMS);
  const whole = await warrant('verify', '--checkpoint', 'note', '--key', made.verifier);
  expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('of them held against 1 archived segments')]);
  expect((await warrant('prove', 'shop/3', '2')).code).toBe(0);
  expect(json(await warrant('stats', '--json'))).toMatchObject({
    layers: expect.anything(),
    archived: expect.any(Number),
  });
  expect((await warrant('stats')).out).toMatch(/largest streams:\n(.*\n)* {2}shop\/\d+ +3 entries/);

  const file = openSqlite(join(directory, '.warrant', 'warrant.db'));
  file.write((db) => db.run("UPDATE journal_entries SET type = 'sale.lost' WHERE id = 'b' AND position = 2"));
  const renamed = await warrant('verify', '--json');
  expect([renamed.code, json(renamed)]).toMatchObject([
    1,
    { type: 'damaged', damage: { kind: 'changed', position: 2 } },
  ]);
  expect((await warrant('verify', '--archive', 'nowhere')).out).toContain('nobody looked at');
  file.write((db) => db.run("UPDATE journal_entries SET digest = previous WHERE id = 'c'"));
  file.close();
  const damaged = await warrant('verify', '--json');
  expect(damaged.code).toBe(1);
  expect(json(damaged)).toMatchObject({ type: 'damaged', damage: { kind: expect.any(String) } });
});
