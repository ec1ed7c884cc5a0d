import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createVirtualClock, type Entry, type Outbox, type Recorded } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveJournal, importFile, verifyArchive } from '../src/files/index.ts';
import {
  createMemoryJournal,
  createUpcasters,
  drainOutbox,
  exportJsonl,
  generateNoteKey,
  type IgnoredSnapshot,
  isIncluded,
  journalStats,
  leafHash,
  parseSigner,
  recheck,
  replay,
  verifyJournal,
} from '../src/index.ts';
import { createSqliteJournal } from '../src/sqlite/index.ts';
import { collect, dataOf, entry, freshJournal, openJournal, temporaryFolder } from './support.ts';

describe('replay', () => {
  test('folds what was recorded to what the live run had, over forks as well', async () => {
    const journal = freshJournal();
    const evolve = (sum: number, one: Recorded): number => sum + (one.data as number);
    let live = 0;
    for (let n = 1; n <= 300; n += 1) {
      await journal.append('s', [entry(`e${n}`, n)], { expected: n - 1 });
      live += n;
    }
    expect(await replay(journal.read('s'), 0, evolve)).toBe(live);
    await journal.fork('s', 100, 'f');
    await journal.append('f', [entry('x', 7)], { expected: 100 });
    expect(await replay(journal.read('f'), 0, evolve)).toBe(5057);
    expect(await replay([], 5, evolve)).toBe(5);
  });
});

describe('recheck', () => {
  const because = (code: string) => ({ code, message: code, data: {} });
  const outcome = (type: string, code: string) => ({ type, reasons: [because(code)] });

  test('tells which recorded decisions would come out otherwise now, with both reasons', async () => {
    const journal = createMemoryJournal();
    const decide = (limit: number, amount: number) =>
      amount > limit ? outcome('blocked', `policy.over-${limit}`) : outcome('allowed', 'policy.ok');
    for (const amount of [5, 50, 500]) {
      await journal.append(
        's',
        [entry(`call-${amount}`, { amount, verdict: decide(100, amount) }, { type: 'policy.decided' })],
        {
          expected: 'any',
        },
      );
    }
    await journal.append('s', [entry('note', 'no decision'), entry('broken', {}, { type: 'policy.decided' })], {
      expected: 3,
    });
    const report = await recheck(journal.read('s'), (one) => {
      if (one.type !== 'policy.decided') return undefined;
      const { amount, verdict } = one.data as unknown as { amount: number; verdict: ReturnType<typeof outcome> };
      if (amount === undefined) throw new Error('no amount');
      return { recorded: verdict, now: decide(10, amount) };
    });
    expect(report).toMatchObject({ checked: 3, passedOver: 1 });
    expect(report.changed.map((one) => [one.id, one.recorded.reasons[0]?.code, one.now.reasons[0]?.code])).toEqual([
      ['call-50', 'policy.ok', 'policy.over-10'],
    ]);
    expect(report.otherReasons.map((one) => one.id)).toEqual(['call-500']);
    expect(report.failed).toEqual([{ stream: 's', position: 5, id: 'broken', problem: 'no amount' }]);
  });
});

describe('upcasters', () => {
  const step = (from: number, type = 't') => ({ type, from, upcast: (data: unknown) => [from, data] as never });

  test('bring entries of every version to the newest', async () => {
    const journal = createMemoryJournal();
    const versions = [1, 2, 3].map((schemaVersion) => entry(`v${schemaVersion}`, 'x', { type: 't', schemaVersion }));
    await journal.append('s', [...versions, entry('other', 1, { type: 'u', schemaVersion: 9 })], { expected: 'none' });
    const all = await collect(createUpcasters([step(2), step(1)]).all(journal.read('s')));
    expect(all.map((one) => [one.schemaVersion, one.data])).toEqual([
      [3, [2, [1, 'x']]],
      [3, [2, 'x']],
      [3, 'x'],
      [9, 1],
    ]);
  });

  test('refuse gaps and doubles when registered, unknown versions when read', async () => {
    for (const steps of [[step(1), step(3)], [step(1), step(1)], [step(0)], [step(1.5)]]) {
      expect(() => createUpcasters(steps)).toThrow(expect.objectContaining({ code: 'JOURNAL_UPCASTER_GAP' }));
    }
    expect(() => createUpcasters([step(1), step(5, 'u')])).not.toThrow();
    const journal = createMemoryJournal();
    await journal.append('s', [entry('new', 1, { type: 't', schemaVersion: 4 })], { expected: 'none' });
    const [one] = await collect(journal.read('s'));
    expect(() => createUpcasters([step(1), step(2)]).upcast(one as Recorded)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_SCHEMA_VERSION_UNKNOWN' }),
    );
  });
});

describe('snapshots', () => {
  const program = 'sha256:program' as const;

  test('are given back while they fit, ignored and reported when damaged or outdated', async () => {
    const ignored: IgnoredSnapshot[] = [];
    const path = join(temporaryFolder(), 'workspace.db');
    const { journal, file } = openJournal(path, { onIgnoredSnapshot: (one) => ignored.push(one) });
    await journal.append('s', [entry('1'), entry('2')], { expected: 'none' });
    const [, second] = await collect(journal.read('s'));
    const snapshot = {
      stream: 's',
      position: 2,
      entry: (second as Recorded).digest,
      program,
      state: { sum: [1, null] },
    };
    await journal.snapshots.save(snapshot);
    expect(await journal.snapshots.load('s', program)).toEqual(snapshot);
    expect(await journal.snapshots.load('s', 'sha256:other')).toBeUndefined();
    expect(await journal.snapshots.load('t', program)).toBeUndefined();
    expect(ignored).toEqual([]);
    for (const set of [`body = replace(body, '[1', '[2')`, 'position = 1', `body = 'sealed:v1.AAAA'`, `digest = 'x'`]) {
      await journal.snapshots.save(snapshot);
      file.write((db) => db.run(`UPDATE journal_snapshots SET ${set}`));
      expect(await journal.snapshots.load('s', program), set).toBeUndefined();
      expect(ignored.pop()).toEqual({ stream: 's', program, reason: 'damaged' });
    }
    for (const wrong of [{ position: 3 }, { position: 1 }, { entry: 'sha256:00' as const }]) {
      await journal.snapshots.save({ ...snapshot, ...wrong });
      expect(await journal.snapshots.load('s', program)).toBeUndefined();
      expect(ignored.pop()).toEqual({ stream: 's', program, reason: 'outdated' });
    }
  });
});

describe('an outbox', () => {
  test('is drained so that each record is there once, whatever stops it in between', async () => {
    const file = openSqlite(join(temporaryFolder(), 'workspace.db'));
    const journal = createSqliteJournal(file);
    file.write((db, outbox) => {
      db.exec('CREATE TABLE other_layer (n INTEGER)');
      for (let n = 0; n < 25; n += 1) {
        db.run('INSERT INTO other_layer (n) VALUES (?)', n);
        outbox(`s${n % 2}`, entry(`e${n}`, n));
      }
    });
    let calls = 0;
    const failing: Outbox = {
      pending: (limit) => file.outbox.pending(limit),
      remove: async (ids) => {
        calls += 1;
        if (calls % 3 === 1) throw new Error('stopped');
        await file.outbox.remove(ids);
      },
    };
    let rounds = 0;
    for (; rounds < 20; rounds += 1) {
      const result = await drainOutbox(failing, journal, { batch: 4 }).catch(() => undefined);
      if (result !== undefined) break;
    }
    expect(rounds).toBeGreaterThan(0);
    expect(await file.outbox.pending(10)).toEqual([]);
    const all = [...(await dataOf(journal.read('s0'))), ...(await dataOf(journal.read('s1')))];
    expect(all).toEqual(
      [...Array(25).keys()].filter((n) => n % 2 === 0).concat([...Array(25).keys()].filter((n) => n % 2 === 1)),
    );
    file.close();
  });

  test('keeps what the journal refuses, and lets the rest by', async () => {
    const journal = createMemoryJournal();
    await journal.append('s', [entry('e0', 'taken')], { expected: 'none' });
    let waiting: { stream: string; entry: Entry }[] = Array.from({ length: 10 }, (_, n) => ({
      stream: 's',
      entry: entry(`e${n}`, n),
    }));
    waiting.splice(5, 0, { stream: 's', entry: entry('large', 'x'.repeat(2 ** 21)) });
    const outbox: Outbox = {
      pending: async (limit) => waiting.slice(0, limit),
      remove: async (ids) => {
        waiting = waiting.filter((one) => !ids.includes(one.entry.id));
      },
    };
    const { drained, failed } = await drainOutbox(outbox, journal, { batch: 1 });
    expect(drained).toBe(9);
    expect(failed.map((one) => [one.id, one.code])).toEqual([
      ['e0', 'JOURNAL_ID_REUSED'],
      ['large', 'JOURNAL_ENTRY_TOO_LARGE'],
    ]);
    expect(waiting.map((one) => one.entry.id)).toEqual(['e0', 'large']);
    expect(await dataOf(journal.read('s'))).toEqual(['taken', 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('stops at a fault that is not of one entry, with nothing lost', async () => {
    const outbox: Outbox = {
      pending: async () => [{ stream: 's', entry: entry('e') }],
      remove: async () => {
        throw new Error('must not be called');
      },
    };
    const journal = { append: () => Promise.reject(Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })) };
    await expect(drainOutbox(outbox, journal)).rejects.toThrow('disk');
  });
});

describe('archive', () => {
  test('moves old sealed entries out, and proofs, chains and redeliveries go on', async () => {
    const folder = temporaryFolder();
    const clock = createVirtualClock('2026-01-01T00:00:00.000Z');
    const { journal } = openJournal(join(folder, 'workspace.db'), { clock });
    const key = generateNoteKey('log');
    const signer = parseSigner(key.signer);
    for (let n = 0; n < 10; n += 1) {
      await journal.append(`s${n % 2}`, [entry(`e${n}`, { n })], { expected: 'any' });
      if (n === 4) await journal.fork('s0', 2, 'f');
      if (n === 5) await journal.append('f', [entry('f3', 'fork')], { expected: 2 });
      clock.advance(1000);
    }
    const whole = (await collect(exportJsonl(journal))).join('');
    const note = await journal.checkpoint({ origin: 'log/test', signer });
    const proof = await journal.prove('s0', 2);
    clock.advance(1000);
    await journal.append('s0', [entry('late')], { expected: 5 });

    const before = '2026-01-01T00:00:06.000Z';
    const archived = await archiveJournal(journal, { folder: join(folder, 'archive'), before, segmentEntries: 4 });
    expect(archived.entries).toBe(7);
    expect(archived.segments.map((one) => [one.from, one.to])).toEqual([
      [0, 4],
      [4, 7],
    ]);
    expect((await archiveJournal(journal, { folder: join(folder, 'archive'), before })).entries).toBe(0);

    expect(await verifyJournal(journal)).toMatchObject({ type: 'intact', archived: 7, checkpoint: 11 });
    expect(await journal.prove('s0', 2, { size: 11 })).toEqual(proof);
    const path = proof.path.map((step) => Buffer.from(step, 'base64'));
    const leaf = leafHash(Buffer.from(proof.digest.slice(7), 'hex'));
    const root = Buffer.from(proof.root, 'base64');
    expect(isIncluded({ leaf, index: proof.leaf, size: proof.size, path, root })).toBe(true);
    expect(await journal.append('s0', [entry('e0', { n: 0 })], { expected: 'none' })).toEqual({
      type: 'duplicate',
      positions: [1],
    });
    await expect(journal.append('s0', [entry('e0', { n: 9 })], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_ID_REUSED',
    });
    await expect(dataOf(journal.read('s0'))).rejects.toMatchObject({ code: 'JOURNAL_ARCHIVED' });
    expect(await dataOf(journal.read('s0', { from: 4 }))).toEqual([{ n: 6 }, { n: 8 }, null]);

    const copy = createMemoryJournal();
    for (const segment of archived.segments) expect((await importFile(copy, segment.path)).problems).toEqual([]);
    expect(whole.startsWith((await collect(exportJsonl(copy))).join(''))).toBe(true);
    expect(note).toContain('log/test');
  });

  test('refuses a journal whose archived entries were changed', async () => {
    const folder = temporaryFolder();
    const { journal, file } = openJournal(join(folder, 'workspace.db'));
    await journal.append('s', [entry('1'), entry('2'), entry('3')], { expected: 'none' });
    const signer = parseSigner(generateNoteKey('log').signer);
    await journal.checkpoint({ origin: 'log/test', signer });
    await archiveJournal(journal, { folder, before: '2100-01-01T00:00:00.000Z' });
    file.write((db) => db.run(`UPDATE journal_entries SET digest = x'aa' WHERE position = 2`));
    expect((await verifyJournal(journal)).damage).toMatchObject({ kind: 'changed', position: 2 });
  });
});

describe('an archive', () => {
  async function archived() {
    const folder = temporaryFolder();
    const { journal, file } = openJournal(join(folder, 'workspace.db'));
    await journal.append('s', [entry('1'), { ...entry('2'), agentId: 'a' }, entry('3')], { expected: 'none' });
    await journal.fork('s', 1, 'f');
    await journal.append('f', [entry('f2')], { expected: 1 });
    await journal.seal();
    const { segments } = await archiveJournal(journal, {
      folder,
      before: '2100-01-01T00:00:00.000Z',
      segmentEntries: 2,
    });
    await journal.append('s', [entry('late')], { expected: 3 });
    const set = (what: string): void =>
      void file.write((db) => db.run(`UPDATE journal_entries SET ${what} WHERE id = '2'`));
    return { folder, journal, set, paths: segments.map(({ path }) => path) };
  }

  test('is held against its segments, entry by entry', async () => {
    const { folder, journal } = await archived();
    expect(await verifyArchive(journal, { folder })).toEqual({ type: 'intact', entries: 4, segments: 2 });
  });

  test.each([
    `type = 'other'`,
    'time = time + 1',
    'version = 2',
    `agent = 'b'`,
    `subject = 'kim'`,
    `segment = 'journal-000000000002-000000000004.jsonl'`,
  ])('tells what was changed of an archived entry: %s', async (what) => {
    const { folder, journal, set } = await archived();
    set(what);
    expect(await verifyJournal(journal)).toMatchObject({ type: 'intact', archived: 4 });
    const { type, damage } = await verifyArchive(journal, { folder });
    expect([type, damage?.kind, damage?.stream, damage?.position]).toEqual(['damaged', 'changed', 's', 2]);
  });

  test('tells a segment that was changed, cut, moved away or named elsewhere', async () => {
    const { folder, journal, set, paths } = await archived();
    const [first = '', second = ''] = paths;
    const text = readFileSync(second, 'utf8');
    const kind = async () => (await verifyArchive(journal, { folder })).damage?.kind;
    writeFileSync(second, text.replace('"3"', '"4"'));
    expect(await kind()).toBe('changed');
    writeFileSync(second, text.slice(0, text.lastIndexOf('{')));
    expect(await kind()).toBe('changed');
    rmSync(second);
    expect(await kind()).toBe('removed');
    writeFileSync(second, text);
    expect(await kind()).toBeUndefined();
    set(`segment = '../${basename(folder)}/${basename(first)}'`);
    expect(await kind()).toBe('removed');
  });
});

describe('stats', () => {
  test('count entries and bytes by stream and layer', async () => {
    const clock = createVirtualClock('2026-01-01T00:00:00.000Z');
    const { journal } = openJournal(join(temporaryFolder(), 'workspace.db'), { clock });
    await journal.append('guard/one', [entry('1', 'ää')], { expected: 'none' });
    clock.advance(2 * 86_400_000);
    await journal.append('guard/one', [entry('2', 'x'.repeat(98))], { expected: 1 });
    await journal.append('gate:a', [entry('1', 1)], { expected: 'none' });
    await journal.fork('gate:a', 1, 'gate:b');
    const stats = await journalStats(journal);
    expect(stats).toMatchObject({ entries: 3, streams: 3, bytes: 107, archived: 0, sealed: 0, checkpoints: 0 });
    expect(stats.bytesOnDisk).toBeGreaterThan(4096);
    expect(stats.layers).toEqual([
      { layer: 'guard', streams: 1, entries: 2, bytes: 106, bytesPerDay: 53 },
      { layer: 'gate', streams: 2, entries: 1, bytes: 1, bytesPerDay: null },
    ]);
    expect(stats.largest[0]).toEqual({
      stream: 'guard/one',
      entries: 2,
      bytes: 106,
      archived: 0,
      first: '2026-01-01T00:00:00.000Z',
      last: '2026-01-03T00:00:00.000Z',
      bytesPerDay: 53,
    });
    expect(stats.largest[2]).toMatchObject({ stream: 'gate:b', entries: 0, first: null, bytesPerDay: null });
    clock.advance(2 * 86_400_000);
    await journal.append('gate:b', [entry('3', 'x'.repeat(6))], { expected: 1 });
    // From the first entry of any of its streams to the last of any.
    expect((await journalStats(journal)).layers[1]).toMatchObject({ layer: 'gate', bytes: 9, bytesPerDay: 5 });
    expect((await journalStats(createMemoryJournal())).bytesOnDisk).toBeNull();
  });
});

describe('any history', () => {
  test('has the same digests in memory and in SQLite', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom('a', 'b'),
            fc.jsonValue(),
            fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
          ),
          {
            maxLength: 20,
          },
        ),
        async (steps) => {
          const clock = createVirtualClock();
          const journals = [createMemoryJournal({ clock }), freshJournal({ clock })];
          for (const journal of journals) {
            for (const [index, [stream, data, agentId]] of steps.entries()) {
              const more = agentId === undefined ? {} : { agentId };
              await journal.append(stream, [entry(`e${index}`, data as never, more)], { expected: 'any' });
            }
          }
          const [memory, sqlite] = await Promise.all(journals.map((journal) => collect(journal.readAll())));
          expect(sqlite).toEqual(memory);
        },
      ),
      { numRuns: 30, seed: 6 },
    );
  });
});
