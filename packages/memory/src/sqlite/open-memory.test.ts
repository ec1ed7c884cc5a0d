import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVirtualClock, type Entry } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { type OpenedMemory, openMemory } from './open-memory.ts';
import { createSqliteMemoryStore } from './store.ts';

const folders: string[] = [];
const opened: OpenedMemory[] = [];

const NOTHING_ELSE = { expected: {}, audit: [] };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'memory-'));
  folders.push(made);
  return made;
}

function open(at: string): OpenedMemory {
  const memory = openMemory({ folder: at, sqlite: { synchronous: 'normal' } });
  opened.push(memory);
  return memory;
}

afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
});

test('writes, closes, opens again and reads', async () => {
  const at = folder();
  const first = open(at);
  await first.agent('a').write({ key: 'memory/working/hello', value: { text: 'world' } });
  await first.close();
  opened.splice(0);
  const read = await open(at).agent('a').read('memory/working/hello');
  expect(read).toMatchObject({ type: 'found', record: { value: { text: 'world' } } });
});

test('takes its folder from the environment', async () => {
  const at = join(folder(), 'deep', 'er');
  const before = process.env['WARRANT_MEMORY'];
  process.env['WARRANT_MEMORY'] = at;
  try {
    const memory = openMemory();
    opened.push(memory);
    expect(memory.path).toBe(join(at, 'memory.db'));
    expect(existsSync(memory.path)).toBe(true);
  } finally {
    if (before === undefined) delete process.env['WARRANT_MEMORY'];
    else process.env['WARRANT_MEMORY'] = before;
  }
});

test('handles on one file see each other at once and find every conflict', async () => {
  const at = folder();
  const handles = [open(at), open(at), open(at)];
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      (handles[index % 3] as OpenedMemory).agent('a').write({ key: 'memory/working/k', value: index }),
    ),
  );
  expect(results.filter(({ type }) => type === 'stored')).toHaveLength(30);
  const human = (handles[0] as OpenedMemory).human('h');
  expect(await human.conflicts()).toHaveLength(29);
  const values = await Promise.all(handles.map(async (one) => (await one.agent('a').list()).map(({ value }) => value)));
  expect(values[0]).toHaveLength(1);
  expect(values[1]).toEqual(values[0]);
  expect(values[2]).toEqual(values[0]);
});

test('outcomes reach what was recalled before a restart', async () => {
  const at = folder();
  const first = open(at);
  await first.agent('a').write({ key: 'memory/working/k', value: 'harbour crane', confidence: 0.5 });
  await first.agent('a').retrieve({ query: 'crane', session: 's' });
  await first.close();
  opened.splice(0);
  const again = open(at);
  expect(await again.agent('b').recordOutcome({ session: 's', value: 1 })).toEqual([]);
  expect(await again.agent('a').recordOutcome({ session: 's', value: 1 })).toHaveLength(1);
  expect(await again.agent('a').read('memory/working/k')).toMatchObject({
    record: { confidence: 0.55, retrievals: 1 },
  });
});

test('a forgotten word is in no byte of the folder, not even where it was context or superseded', async () => {
  const at = folder();
  const memory = open(at);
  const agent = memory.agent('a');
  const base = { session: 's', subject: 'kim' };
  await agent.write({ ...base, key: 'memory/working/kim', value: 'walrusword secondword' });
  await agent.write({ ...base, key: 'memory/working/kim', value: 'walrusword again' });
  await agent.write({ ...base, key: 'memory/working/next', value: 'heard walrusword too' });
  for (let index = 0; index < 200; index += 1)
    await agent.write({ key: `memory/working/n${index}`, value: `filler ${index}` });
  const forgotten = await memory.human('h').forget('kim');
  expect(forgotten.covered[0]?.count).toBe(4);
  expect(forgotten.notCovered.length).toBeGreaterThan(0);
  for (const file of readdirSync(at)) {
    const bytes = readFileSync(join(at, file)).toString('latin1').toLowerCase();
    expect(bytes.includes('walrusword'), file).toBe(false);
    expect(bytes.includes('secondword'), file).toBe(false);
  }
  expect(await memory.check()).toEqual([]);
});

test('one damaged row leaves the others readable, and check names it', async () => {
  const at = folder();
  const memory = open(at);
  await memory.agent('a').write({ key: 'memory/working/good', value: 'fine' });
  const bad = await memory.agent('a').write({ key: 'memory/working/bad', value: 'soon broken' });
  const file = openSqlite(memory.path);
  file.write((db) => void db.run(`UPDATE memory_records SET value = '{' WHERE key = 'memory/working/bad'`));
  file.close();
  expect(await memory.agent('a').read('memory/working/good')).toMatchObject({ type: 'found' });
  await expect(memory.agent('a').read('memory/working/bad')).rejects.toMatchObject({ code: 'MEMORY_DAMAGED' });
  const id = bad.type === 'stored' ? bad.record.id : '';
  expect(await memory.check()).toMatchObject([{ code: 'memory.record-damaged', data: { id } }]);
});

test('check finds a missing index entry, an orphan and a stale word', async () => {
  const at = folder();
  const memory = open(at);
  for (const key of ['memory/a', 'memory/b']) await memory.agent('a').write({ key, value: 'crane' });
  const file = openSqlite(memory.path);
  file.write((db) => {
    const change = `INSERT INTO memory_text (memory_text, rowid, own, context) VALUES ('delete', ?, ?, '')`;
    db.run(change, 1, 'crane memory a');
    db.run(change, 2, 'crane memory b');
    db.run(`INSERT INTO memory_text (rowid, own, context) VALUES (2, 'crane memory other', '')`);
    db.run('INSERT INTO memory_handed (session, record) VALUES (?, ?)', 's', 99);
  });
  file.close();
  expect((await memory.check()).map(({ code }) => code)).toEqual([
    'memory.orphan',
    'memory.index-missing',
    'memory.index-stale',
  ]);
});

test('a damaged row does not keep others from being forgotten, and what it lent goes with it', async () => {
  const at = folder();
  const memory = open(at);
  const agent = memory.agent('a');
  const base = { session: 's', subject: 'kim' };
  await agent.write({ ...base, key: 'memory/working/first', value: 'walrusword' });
  await agent.write({ ...base, key: 'memory/working/second', value: 'otterword' });
  await agent.write({ key: 'memory/working/other', value: 'craneword' });
  const file = openSqlite(memory.path);
  file.write((db) => void db.run(`UPDATE memory_records SET value = '{' WHERE key = 'memory/working/first'`));
  const erased = await createSqliteMemoryStore(file).commit([{ type: 'erase', subject: 'kim' }], NOTHING_ELSE);
  expect(erased.type).toBe('committed');
  file.close();
  const bytes = readdirSync(at).map((name) => readFileSync(join(at, name)).toString('latin1').toLowerCase());
  expect(bytes.some((text) => text.includes('walrusword') || text.includes('otterword'))).toBe(false);
  expect((await memory.agent('a').retrieve({ query: 'craneword' })).items).toHaveLength(1);
  expect(await memory.check()).toEqual([]);
});

test('words that another version may cut otherwise are kept, and taken out as they were put in', async () => {
  const at = folder();
  const memory = open(at);
  const written = await memory.agent('a').write({ key: 'memory/working/k', value: '明日の会議は学習について' });
  await memory.agent('a').write({ key: 'memory/working/latin', value: 'Straße nach Café' });
  const file = openSqlite(memory.path);
  const kept = file.read((db) => db.all<{ words: string | null }>('SELECT words FROM memory_records ORDER BY seq'));
  expect(kept.map(({ words }) => words === null)).toEqual([false, true]);
  // As if another version had cut the text into one word.
  file.write((db) => {
    const own = kept[0]?.words ?? '';
    db.run(`INSERT INTO memory_text (memory_text, rowid, own, context) VALUES ('delete', 1, ?, '')`, own);
    db.run(`INSERT INTO memory_text (rowid, own, context) VALUES (1, '明日の会議 cutotherwise', '')`);
    db.run(`UPDATE memory_records SET words = '明日の会議 cutotherwise', subject = 'kim' WHERE seq = 1`);
  });
  file.close();
  expect(written.type).toBe('stored');
  await memory.human('h').forget('kim');
  expect(readFileSync(memory.path).toString('latin1').includes('cutotherwise')).toBe(false);
  expect(await memory.check()).toEqual([]);
});

test('sweeps once, and a second time finds nothing', async () => {
  const clock = createVirtualClock();
  const file = openSqlite(join(folder(), 'm.db'), { synchronous: 'normal' });
  const memory = openMemory({ folder: folder(), clock, sqlite: { synchronous: 'normal' } });
  opened.push(memory);
  const writes = Array.from({ length: 2500 }, (_, index) => ({
    key: `memory/working/n${index}`,
    value: index,
    expiresAt: '2026-02-01T00:00:00Z',
  }));
  await memory.agent('a').writeMany(writes);
  await memory.human('h').write({ key: 'memory/working/kept', value: 'kept' });
  clock.advance(200 * 86_400_000);
  const human = memory.human('h');
  expect(await human.sweep()).toMatchObject({ archived: { expired: 2500, decayed: 0, stale: 0 } });
  expect(await human.sweep()).toMatchObject({ archived: { expired: 0, decayed: 0, stale: 0 } });
  expect(await human.list()).toHaveLength(1);
  const swept = (await memory.outbox.pending(10_000)).filter(({ entry }) => entry.type === 'memory.swept');
  expect(swept.map(({ entry }) => (entry.data as { records: unknown[] }).records.length)).toEqual([1000, 1000, 500]);
  await createSqliteMemoryStore(file).close();
  file.close();
});

test('a journal takes audit entries over when the memory settles or closes; what it refuses waits', async () => {
  const taken: string[] = [];
  let down = true;
  const journal = {
    append: async (stream: string, entries: readonly Entry[]) => {
      if (down) throw new Error('no journal today');
      taken.push(...entries.map(({ type }) => `${stream} ${type}`));
      return { type: 'appended', positions: [] } as never;
    },
  };
  const memory = openMemory({ folder: folder(), journal });
  expect(memory.absent.some((sentence) => sentence.startsWith('no journal'))).toBe(false);
  await memory.agent('a').write({ key: 'memory/x', value: 1 });
  await memory.settle();
  expect(await memory.outbox.pending(9)).toHaveLength(1);
  down = false;
  await memory.settle();
  expect([taken, await memory.outbox.pending(9)]).toEqual([['memory memory.written'], []]);
  await memory.agent('a').write({ key: 'memory/y', value: 1 });
  await memory.close();
  expect(taken).toHaveLength(2);
});

test('forgetting says so while another process reads the write-ahead log, and finishes the next time', async () => {
  const at = folder();
  const memory = openMemory({ folder: at, sqlite: { synchronous: 'normal', busyTimeoutMs: 10 } });
  opened.push(memory);
  await memory.agent('a').write({ key: 'memory/working/k', value: 'a xylophonist', subject: 'kim' });
  const held = (): boolean => readdirSync(at).some((name) => readFileSync(join(at, name)).includes('xylophonist'));
  const reader = new Database(memory.path, { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM memory_records');
  const first = await memory.human('h').forget('kim');
  expect([held(), first.notCovered.some((place) => place.includes('write-ahead log'))]).toEqual([true, true]);
  reader.close();
  const second = await memory.human('h').forget('kim');
  expect([held(), second.notCovered.some((place) => place.includes('write-ahead log'))]).toEqual([false, false]);
});
