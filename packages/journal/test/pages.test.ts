import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Recorded } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { createMemoryJournal, exportJsonl, type IgnoredSnapshot, importJsonl, verifyJournal } from '../src/index.ts';
import { GENESIS, type Row } from '../src/row.ts';
import { collect, entry, freshJournal, openJournal, temporaryFolder } from './support.ts';

const MIB = 1024 * 1024;

describe('pages', () => {
  test('hold no more data after long entries than after short ones', { timeout: 60_000 }, async () => {
    const journal = freshJournal();
    const short = Array.from({ length: 300 }, (_, index) => entry(`a${index}`, index));
    await journal.append('s', short, { expected: 'none' });
    for (let n = 0; n < 16; n += 1)
      await journal.append('s', [entry(`b${n}`, 'x'.repeat(MIB - 2))], { expected: 'any' });
    const { store } = journal;
    const bytesOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + (row.data ?? '').length, 0);
    const key = (await store.lineage('s'))?.row.key as number;
    const query = { key, from: 1, to: Number.POSITIVE_INFINITY, limit: 1000 };
    for (const rows of [
      await store.page({ ...query, direction: 'forward' }),
      await store.page({ ...query, direction: 'backward' }),
      await store.pageAll(undefined, 1000),
      await store.pageLeaves(0, 1000),
    ]) {
      expect(rows.length).toBeGreaterThan(0);
      expect(bytesOf(rows)).toBeLessThanOrEqual(5 * MIB);
    }
    let place = { position: 0, digest: GENESIS, cursor: undefined as string | undefined };
    while (place.position < 316) {
      const next = await store.follow?.({ key, stream: 's', ...place, limit: 1000 });
      if (next === undefined || next.position === place.position) break;
      expect(next.bytes).toBeLessThanOrEqual(5 * MIB);
      place = next;
    }
    expect(place.position).toBe(316);
    const positions = Array.from({ length: 316 }, (_, index) => index + 1);
    const read = async (entries: AsyncIterable<Recorded>) => (await collect(entries)).map((one) => one.position);
    expect(await read(journal.read('s'))).toEqual(positions);
    expect(await read(journal.read('s', { direction: 'backward' }))).toEqual([...positions].reverse());
    expect(await read(journal.read('s', { from: 299, to: 303 }))).toEqual([299, 300, 301, 302, 303]);
    expect(await read(journal.read('s', { from: 299, limit: 9 }))).toEqual(positions.slice(298, 307));
    expect(await read(journal.readAll())).toEqual(positions);
    expect((await verifyJournal(journal)).type).toBe('intact');
  });

  test.each([
    ['memory', () => createMemoryJournal()],
    ['SQLite', () => freshJournal()],
  ])('end in their middle when the reader is called off, in %s', async (_name, open) => {
    const journal = open();
    const entries = Array.from({ length: 50 }, (_, index) => entry(`${index}`));
    await journal.append('s', entries, { expected: 'none' });
    for (const start of [
      (signal: AbortSignal) => journal.read('s', { signal }),
      (signal: AbortSignal) => journal.readAll({ signal }),
      (signal: AbortSignal) => journal.subscribe({ signal }),
      (signal: AbortSignal) => journal.subscribe({ stream: 's', signal }),
    ]) {
      const stop = new AbortController();
      let seen = 0;
      const walk = async (): Promise<void> => {
        for await (const _one of start(stop.signal)) {
          seen += 1;
          if (seen === 3) stop.abort(new Error('called off'));
        }
      };
      await expect(walk()).rejects.toThrow('called off');
      expect(seen).toBe(3);
    }
  });
});

test('an import that another writer overtakes is told so, and may be done again', async () => {
  const path = join(temporaryFolder(), 'workspace.db');
  const { journal } = openJournal(path);
  const source = freshJournal();
  await source.append('s', [entry('1'), entry('2'), entry('3')], { expected: 'none' });
  const lines = await collect(exportJsonl(source));
  await importJsonl(journal, lines.slice(0, 1));
  const other = openJournal(path).journal;
  async function* overtaken(): AsyncGenerator<string> {
    yield lines[1] as string;
    await other.append('s', [entry('4')], { expected: 1 });
    yield lines[2] as string;
  }
  await expect(importJsonl(journal, overtaken())).rejects.toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    retryable: true,
  });
  expect((await collect(journal.read('s'))).map((one) => one.id)).toEqual(['1', '4']);
  expect((await importJsonl(journal, lines)).problems.map((one) => [one.line, one.kind])).toEqual([
    [1, 'duplicate'],
    [2, 'conflict'],
    [3, 'gap'],
  ]);
  expect((await verifyJournal(journal)).type).toBe('intact');
});

test('a snapshot that somebody garbled and gave a digest again is ignored and reported', async () => {
  const ignored: IgnoredSnapshot[] = [];
  const path = join(temporaryFolder(), 'workspace.db');
  const { journal, file } = openJournal(path, { onIgnoredSnapshot: (one) => ignored.push(one) });
  await journal.append('s', [entry('1')], { expected: 'none' });
  const digest = (await journal.head('s'))?.digest as Recorded['digest'];
  const program = 'sha256:program' as const;
  for (const body of ['', 'null', '[]', '{', '7', `{"entry":"${digest}","position":1}`, '{"position":1,"state":0}']) {
    await journal.snapshots.save({ stream: 's', position: 1, entry: digest, program, state: 0 });
    const again = createHash('sha256')
      .update(JSON.stringify(['s', program, 1]))
      .update(body)
      .digest('hex');
    file.write((db) => db.run('UPDATE journal_snapshots SET body = ?, digest = ?', body, again));
    expect(await journal.snapshots.load('s', program), body).toBeUndefined();
    expect(ignored.pop()).toEqual({ stream: 's', program, reason: 'damaged' });
  }
});
