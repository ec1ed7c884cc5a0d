import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, MAX_JSON_DEPTH } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportFile, importFile } from '../src/files/index.ts';
import {
  createMemoryJournal,
  createMemoryKeyStore,
  exportJsonl,
  importJsonl,
  type ProvenJournal,
  verifyJournal,
} from '../src/index.ts';
import { collect, dataOf, entry, freshJournal, temporaryFolder } from './support.ts';

async function filled(): Promise<ProvenJournal> {
  const journal = freshJournal({ keys: createMemoryKeyStore() });
  for (let n = 0; n < 4; n += 1) {
    await journal.append('a', [entry(`a${n}`, { n, text: 'ä "quoted" \u2028 \u0000' })], { expected: n });
    await journal.append('b', [entry(`b${n}`, null, { subject: 'person', agentId: 'x' })], { expected: n });
  }
  await journal.fork('a', 2, 'f');
  await journal.append('f', [entry('f3', 1.5, { causationId: 'c', correlationId: 'd', schemaVersion: 3 })], {
    expected: 2,
  });
  await journal.fork('f', 3, 'g');
  await journal.fork('f', 1, 'h');
  await journal.append('h', [entry('h2')], { expected: 1 });
  return journal;
}

const text = async (journal: ProvenJournal, streams?: readonly string[]): Promise<string> =>
  (await collect(exportJsonl(journal, streams === undefined ? {} : { streams }))).join('');

describe('JSONL', () => {
  test('goes out and in byte by byte the same, with the same tree', async () => {
    const journal = await filled();
    const exported = await text(journal);
    for (const other of [createMemoryJournal(), freshJournal()]) {
      const imported = await importJsonl(other, [exported]);
      expect(imported).toEqual({ entries: 10, forks: 3, problems: [], problemCount: 0 });
      expect(await text(other)).toBe(exported);
      expect(await other.seal()).toEqual(await journal.seal());
      expect((await verifyJournal(other)).type).toBe('intact');
      expect(await other.streams()).toEqual(await journal.streams());
    }
  });

  test('takes chosen streams out with what they inherited', async () => {
    const journal = await filled();
    for (const streams of [['g'], ['h'], ['f', 'a'], ['a', 'f'], ['b']]) {
      const exported = await text(journal, streams);
      const other = createMemoryJournal();
      expect((await importJsonl(other, [exported])).problems).toEqual([]);
      for (const stream of streams) {
        const digests = async (from: ProvenJournal) => (await collect(from.read(stream))).map((one) => one.digest);
        expect(await digests(other)).toEqual(await digests(journal));
      }
      expect(await text(other, streams)).toBe(exported);
    }
    await expect(text(journal, ['absent'])).rejects.toMatchObject({ code: 'JOURNAL_INVALID_STREAM' });
  });

  test('writes lines whose digest anyone can compute', async () => {
    for (const line of (await text(await filled())).trimEnd().split('\n')) {
      const { digest, ...rest } = JSON.parse(line) as { digest?: string };
      if (digest === undefined) continue;
      const covered = line.replace(`"digest":"${digest}",`, '');
      expect(JSON.parse(covered)).toEqual(rest);
      expect(`sha256:${createHash('sha256').update(covered).digest('hex')}`).toBe(digest);
    }
  });

  test('knows what it imported before', async () => {
    const exported = await text(await filled());
    const other = createMemoryJournal();
    await importJsonl(other, [exported]);
    const again = await importJsonl(other, [exported]);
    expect(again.entries).toBe(0);
    expect(new Set(again.problems.map((one) => one.kind))).toEqual(new Set(['duplicate']));
    expect(again.problems.map((one) => one.line)).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  });

  test('reports a torn last line, foreign lines and duplicates by number and keeps the rest', async () => {
    const lines = (await text(await filled())).trimEnd().split('\n');
    const [first, second, ...rest] = lines as [string, string, ...string[]];
    const spaced = first.replace('{', '{ ');
    const doubled = first.replace('"id":', '"id":"other","id":');
    const shown = [first, 'not json', '{"level":"info"}', first, spaced, doubled, second, '', ...rest.slice(0, -1)];
    const torn = (rest.at(-1) as string).slice(0, -15);
    const other = createMemoryJournal();
    const imported = await importJsonl(other, [`${shown.join('\n')}\n${torn}`]);
    expect([imported.entries, imported.forks]).toEqual([10, 2]);
    expect(imported.problems.map((one) => [one.line, one.kind])).toEqual([
      [2, 'foreign'],
      [3, 'foreign'],
      [4, 'duplicate'],
      [5, 'foreign'],
      [6, 'foreign'],
      [shown.length + 1, 'torn'],
    ]);
    expect((await verifyJournal(other)).type).toBe('intact');
  });

  test('carries whatever an append takes, and nothing that no append would', async () => {
    const journal = freshJournal();
    let deep: Json = 'core';
    for (let level = 0; level < MAX_JSON_DEPTH; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    const long = 'ü'.repeat(512);
    await journal.append(long, [entry('deep', deep), entry(long, 'n', { subject: long })], { expected: 'none' });
    const exported = await text(journal);
    const other = freshJournal();
    expect((await importJsonl(other, [exported])).problems).toEqual([]);
    expect(await text(other)).toBe(exported);
    expect(await dataOf(other.read(long))).toEqual([deep, 'n']);

    const [line] = (await text(await filled(), ['b'])).split('\n') as [string];
    const foreign = [
      line.replace('"stream":"b"', `"stream":"${'b'.repeat(1025)}"`),
      line.replace('"data":null,', '').replace(/"sealed":"[^"]*"/, '"sealed":"\\ud800"'),
      `${line.slice(0, -1)} }`,
      '{"fork":{"digest":"sha256:","parent":"b","position":1,"stream":"c"}}',
    ];
    const refused = await importJsonl(createMemoryJournal(), [foreign.join('\n')]);
    expect(refused.problems.slice(0, 3).map((one) => one.kind)).toEqual(Array(3).fill('foreign'));
    expect(refused.entries).toBe(0);
  });

  test('takes a last line that lacks only its newline', async () => {
    const exported = await text(await filled());
    expect((await importJsonl(createMemoryJournal(), [exported.trimEnd()])).problems).toEqual([]);
  });

  test('reports changed entries and those that build on what is missing', async () => {
    const lines = (await text(await filled(), ['a'])).trimEnd().split('\n');
    const changed = lines.map((line, index) => (index === 1 ? line.replace('"n":1', '"n":7') : line));
    const other = createMemoryJournal();
    const imported = await importJsonl(other, [changed.join('\n')]);
    expect(imported.problems.map((one) => [one.line, one.kind])).toEqual([
      [2, 'changed'],
      [3, 'gap'],
      [4, 'gap'],
    ]);
    expect(await dataOf(other.read('a'))).toHaveLength(1);
  });

  test('reports entries where the journal has gone another way', async () => {
    const exported = await text(await filled());
    const other = createMemoryJournal();
    await other.append('a', [entry('other')], { expected: 'none' });
    await other.append('f', [entry('other')], { expected: 'none' });
    const { problems } = await importJsonl(other, [exported]);
    expect(problems.filter((one) => one.stream === 'a').map((one) => one.kind)).toEqual([
      'conflict',
      'gap',
      'gap',
      'gap',
    ]);
    expect(problems.filter((one) => one.stream === 'f').map((one) => one.kind)).toEqual(['conflict', 'gap']);
    expect((await verifyJournal(other)).type).toBe('intact');
  });

  test('reports bytes that are not UTF-8, deep nesting and entries beyond the limit', async () => {
    const journal = createMemoryJournal();
    await journal.append('s', [entry('large', 'x'.repeat(5000))], { expected: 'none' });
    const large = await text(journal);
    const other = createMemoryJournal({ maxEntryBytes: 1000 });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`;
    const imported = await importJsonl(other, [Buffer.from([0xff, 0xfe, 10]), deep, large, '"\ud800"\n']);
    expect(imported.problems.map((one) => [one.line, one.kind])).toEqual([
      [1, 'foreign'],
      [2, 'foreign'],
      [3, 'too-large'],
      [4, 'foreign'],
    ]);
  });

  test('is the same whatever the chunks', async () => {
    const bytes = Buffer.from(await text(await filled()));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const other = createMemoryJournal();
        expect((await importJsonl(other, chunks)).problems).toEqual([]);
        expect(await text(other)).toBe(bytes.toString());
      }),
      { numRuns: 25, seed: 3 },
    );
  });

  test('never throws and never lets a damaged chain in, whatever the lines', async () => {
    const bytes = Buffer.from(await text(await filled()));
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        const other = createMemoryJournal();
        await importJsonl(other, [damaged]);
        expect((await verifyJournal(other)).type).toBe('intact');
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  test('goes through files, and a cut file loses only its last line', async () => {
    const path = join(temporaryFolder(), 'journal.jsonl');
    const journal = await filled();
    const bytes = await exportFile(journal, path);
    expect(readFileSync(path, 'utf8')).toBe(await text(journal));
    truncateSync(path, bytes - 15);
    const other = freshJournal();
    const imported = await importFile(other, path);
    expect([imported.entries + imported.forks, imported.problems.map((one) => [one.line, one.kind])]).toEqual([
      12,
      [[13, 'torn']],
    ]);
    writeFileSync(path, await text(journal));
    const second = await importFile(other, path);
    expect(second.entries + second.forks).toBe(1);
    expect(await text(other)).toBe(await text(journal));
  });
});
