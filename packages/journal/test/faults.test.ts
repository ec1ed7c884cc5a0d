import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isWarrantError, type Json } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryJournal, verifyJournal } from '../src/index.ts';
import { createSqliteJournal } from '../src/sqlite/index.ts';
import { bundleWriter, removeWriter, startWriter } from './processes.ts';
import { collect, entry, openJournal, temporaryFolder } from './support.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

beforeAll(bundleWriter);
afterAll(removeWriter);

describe('acknowledgements', () => {
  const compiler = ['/usr/bin/cc', '/usr/bin/gcc'].find((path) => existsSync(path));

  test.skipIf(compiler === undefined || process.platform !== 'linux')(
    'wait for the disk under FULL and do not under NORMAL',
    { timeout: 60_000 },
    async () => {
      const folder = temporaryFolder();
      const source = join(folder, 'count.c');
      // Every flush that the process asks for adds a byte to a file.
      writeFileSync(
        source,
        `#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void count(void) { int fd = open(getenv("FLUSH_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600); if (fd >= 0) { if (write(fd, ".", 1)) {} close(fd); } }
int fdatasync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync"); int r = real(fd); count(); return r; }
int fsync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fsync"); int r = real(fd); count(); return r; }
`,
      );
      const library = join(folder, 'count.so');
      execFileSync(compiler as string, ['-shared', '-fPIC', '-o', library, source, '-ldl']);
      const counts = async (name: string): Promise<readonly number[]> => {
        const env = { LD_PRELOAD: library, FLUSH_LOG: join(folder, `${name}.log`) };
        const [said] = await startWriter(['flushes', join(folder, `${name}.db`), name], { env }).ended;
        return said as readonly number[];
      };
      const full = await counts('full');
      expect(full).toHaveLength(20);
      full.slice(1).forEach((count, index) => {
        expect(count).toBeGreaterThan(full[index] as number);
      });
      const normal = await counts('normal');
      expect((normal[19] as number) - (normal[0] as number)).toBe(0);
    },
  );
});

describe('a full disk', () => {
  test('is a typed error, loses nothing acknowledged, and the journal goes on when there is room', async () => {
    const path = join(temporaryFolder(), 'workspace.db');
    const { journal, file } = openJournal(path);
    await journal.append('s', [entry('1', 'x'.repeat(1000))], { expected: 'none' });
    file.write((db) => db.exec('PRAGMA max_page_count = 60'));
    let acked = 1;
    const fill = async (): Promise<void> => {
      for (;;) {
        await journal.append('s', [entry(`e${acked}`, 'x'.repeat(5000)), entry(`f${acked}`)], { expected: 'any' });
        acked += 2;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'SQLITE_FULL', retryable: true });
    expect(await collect(journal.read('s'))).toHaveLength(acked);
    expect((await verifyJournal(journal)).type).toBe('intact');
    file.write((db) => db.exec('PRAGMA max_page_count = 100000'));
    expect((await journal.append('s', [entry('after', 'x'.repeat(9000))], { expected: acked })).type).toBe('appended');
  });

  test('of a process with a file limit ends the same way', { timeout: 60_000 }, async () => {
    const path = join(temporaryFolder(), 'workspace.db');
    const [said] = (await startWriter(['refused', path, 'full'], { before: 'ulimit -f 300' }).ended) as [
      { acked: number; code: string },
    ];
    expect(said.acked).toBeGreaterThan(0);
    expect(['SQLITE_IO', 'SQLITE_FULL']).toContain(said.code);
    const { journal } = openJournal(path);
    expect((await journal.head('s'))?.position).toBeGreaterThanOrEqual(said.acked);
    expect((await verifyJournal(journal)).type).toBe('intact');
    expect((await journal.append('s', [entry('after')], { expected: 'any' })).type).toBe('appended');
  });
});

describe('an export to a full disk', () => {
  test('fails and leaves nothing under its name, also where the disk took a part of it', {
    timeout: 60_000,
  }, async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'workspace.db');
    const { journal } = openJournal(path);
    for (let n = 0; n < 60; n += 1) await journal.append('s', [entry(`e${n}`, 'x'.repeat(5000))], { expected: n });
    const [said] = await startWriter(['export', path, 'full'], { before: 'ulimit -f 100' }).ended;
    expect(said).toEqual({ code: 'EFBIG' });
    expect(readdirSync(folder).filter((name) => name.includes('jsonl'))).toEqual([]);
    const [whole] = await startWriter(['export', path, 'full']).ended;
    expect(whole).toEqual({ bytes: statSync(`${path}.jsonl`).size });
  });
});

describe('a file that cannot be used', () => {
  test('opened read-only is read and verified, and refuses appends', async () => {
    const path = join(temporaryFolder(), 'workspace.db');
    const first = openJournal(path);
    await first.journal.append('s', [entry('1')], { expected: 'none' });
    first.file.close();
    chmodSync(path, 0o400);
    const { journal } = openJournal(path, {}, { readOnly: true });
    await expect(journal.append('s', [entry('2')], { expected: 'any' })).rejects.toMatchObject({
      code: 'SQLITE_READ_ONLY',
    });
    expect(await collect(journal.read('s'))).toHaveLength(1);
    expect((await verifyJournal(journal)).type).toBe('intact');
  });

  test('whose folder is gone refuses appends', async () => {
    const folder = join(temporaryFolder(), 'inner');
    mkdirSync(folder);
    const { journal } = openJournal(join(folder, 'workspace.db'));
    await journal.append('s', [entry('1')], { expected: 'none' });
    rmSync(folder, { recursive: true });
    await expect(journal.append('s', [entry('2')], { expected: 'any' })).rejects.toMatchObject({
      code: 'SQLITE_FILE_GONE',
    });
    expect(() => openSqlite(join(folder, 'workspace.db'))).toThrow(code('SQLITE_CANNOT_OPEN'));
  });

  test('of a newer version is refused', () => {
    const path = join(temporaryFolder(), 'workspace.db');
    const { file } = openJournal(path);
    file.write((db) => db.run(`UPDATE warrant_layers SET version = 99 WHERE layer = 'journal'`));
    expect(() => createSqliteJournal(file)).toThrow(code('SQLITE_SCHEMA_NEWER'));
  });

  test('whose tables are not those of its version is refused with what is wrong', async () => {
    for (const version of [0, -1]) {
      const { file } = openJournal(join(temporaryFolder(), 'workspace.db'));
      file.write((db) => db.run(`UPDATE warrant_layers SET version = ? WHERE layer = 'journal'`, version));
      expect(() => createSqliteJournal(file)).toThrow(code('SQLITE_SCHEMA_WRONG'));
    }
    for (const [change, named] of [
      ['DROP TABLE journal_entries', 'journal_entries'],
      ['ALTER TABLE journal_entries DROP COLUMN agent', 'agent'],
      ['ALTER TABLE journal_streams RENAME COLUMN digest TO hash', 'digest'],
    ] as const) {
      const { journal, file } = openJournal(join(temporaryFolder(), 'workspace.db'));
      await journal.append('s', [entry('1')], { expected: 'none' });
      file.write((db) => db.exec(change));
      const append = journal.append('s', [entry('2', 0, { agentId: 'a' })], { expected: 'any' });
      await expect(append, change).rejects.toMatchObject({
        code: 'SQLITE_SCHEMA_WRONG',
        message: expect.stringContaining(named),
        retryable: false,
      });
    }
  });

  test('that is not a database is refused', () => {
    const path = join(temporaryFolder(), 'workspace.db');
    writeFileSync(path, 'not a database, but long enough to be looked at as one'.repeat(100));
    expect(() => openSqlite(path)).toThrow(code('SQLITE_CORRUPT'));
  });

  test('that was closed says so', async () => {
    const { journal, file } = openJournal(join(temporaryFolder(), 'workspace.db'));
    file.close();
    await expect(journal.append('s', [entry('1')], { expected: 'any' })).rejects.toMatchObject({
      code: 'SQLITE_CLOSED',
    });
    await journal.close();
    await expect(journal.append('s', [entry('1')], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_CLOSED',
    });
    expect(() => journal.read('s')).toThrow(code('JOURNAL_CLOSED'));
  });
});

describe('flipped bytes', () => {
  test('are found by verify or break with a typed error, wherever they touch an entry', {
    timeout: 120_000,
  }, async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'workspace.db');
    const first = openJournal(path);
    for (let n = 0; n < 60; n += 1) {
      await first.journal.append(`s${n % 3}`, [entry(`e${n}`, 'y'.repeat(50 + n * 20), { agentId: 'agent' })], {
        expected: 'any',
      });
    }
    const before = await collect(first.journal.readAll());
    first.file.close();
    const size = statSync(path).size;
    let found = 0;
    for (let offset = 4096 + 7; offset < size; offset += Math.floor(size / 150)) {
      flip(path, offset);
      found += (await isNoticed(path, before)) ? 1 : 0;
      flip(path, offset);
    }
    expect(found).toBeGreaterThan(30);
    const { journal } = openJournal(path);
    expect(await collect(journal.readAll())).toEqual(before);
  });
});

function flip(path: string, offset: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, offset);
  writeSync(file, Buffer.of((byte[0] as number) ^ 0x55), 0, 1, offset);
  closeSync(file);
}

/** True when the damage was told. When it was not, everything must read as it did before. */
async function isNoticed(path: string, before: readonly unknown[]): Promise<boolean> {
  let close: (() => void) | undefined;
  try {
    const file = openSqlite(path);
    close = () => file.close();
    const journal = createSqliteJournal(file);
    if ((await verifyJournal(journal)).type === 'damaged') return true;
    const all: unknown[] = [];
    for (const stream of ['s0', 's1', 's2']) all.push(...(await collect(journal.read(stream))));
    const digests = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
    expect(digests(all)).toEqual(digests(before));
    return false;
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return true;
  } finally {
    close?.();
  }
}

describe('hostile data', () => {
  test('of 50 MB is refused with a code, or kept where the limit allows it', async () => {
    const large = 'z'.repeat(50 * 1024 * 1024);
    const path = join(temporaryFolder(), 'workspace.db');
    const { journal } = openJournal(path);
    await expect(journal.append('s', [entry('1', large)], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_ENTRY_TOO_LARGE',
      data: { id: '1', limit: 1024 * 1024 },
    });
    const wide = openJournal(path, { maxEntryBytes: 64 * 1024 * 1024 }).journal;
    await wide.append('s', [entry('1', large)], { expected: 'any' });
    expect((await collect(wide.read('s')))[0]?.data).toHaveLength(large.length);
    expect((await verifyJournal(wide)).type).toBe('intact');
  });

  test('cannot reach prototypes, nor hide in getters or classes', async () => {
    const journal = createMemoryJournal();
    const hostile = JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}') as Json;
    await journal.append('s', [entry('1', hostile)], { expected: 'none' });
    const [read] = await collect(journal.read('s'));
    expect(Object.getPrototypeOf(read?.data)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect(Object.keys(read?.data as object)).toEqual(['__proto__', 'constructor']);
    const cycle: { [key: string]: unknown } = {};
    cycle['self'] = cycle;
    for (const bad of [cycle, new Date(), new Map(), () => 1, Symbol('x'), 1n, [undefined], Number.POSITIVE_INFINITY]) {
      await expect(journal.append('s', [entry('2', bad as never)], { expected: 'any' })).rejects.toSatisfy((error) =>
        isWarrantError(error),
      );
    }
    for (const bad of [
      { ...entry('2'), id: '' },
      { ...entry('2'), id: 7 },
      { ...entry('2'), type: 'x'.repeat(2000) },
      { ...entry('2'), subject: '' },
    ]) {
      await expect(journal.append('s', [bad as never], { expected: 'any' })).rejects.toMatchObject({
        code: 'JOURNAL_INVALID_ENTRY',
      });
    }
    for (const bad of [null, {}, [null], ['x']])
      await expect(journal.append('s', bad as never, { expected: 'any' })).rejects.toMatchObject({
        code: 'JOURNAL_INVALID_ENTRY',
      });
    for (const expected of [-1, 0.5, Number.NaN, 'some', undefined]) {
      await expect(journal.append('s', [entry('2')], { expected: expected as never })).rejects.toMatchObject({
        code: 'JOURNAL_INVALID_ENTRY',
      });
    }
    expect((await journal.head('s'))?.position).toBe(1);
  });

  test('a member that no entry has is refused, with the one that was meant: it would not be stored', async () => {
    const journal = createMemoryJournal();
    await expect(
      journal.append('s', [{ ...entry('1'), corelationId: 'c' } as never], { expected: 'any' }),
    ).rejects.toMatchObject({
      code: 'JOURNAL_INVALID_ENTRY',
      message: "entry 1: an entry has no member 'corelationId'; did you mean 'correlationId'?",
      data: { id: '1', field: 'corelationId' },
    });
    const hidden = JSON.parse('{"id":"1","type":"t","schemaVersion":1,"data":null,"__proto__":{}}') as never;
    await expect(journal.append('s', [hidden], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_INVALID_ENTRY',
    });
    expect(await journal.head('s')).toBeUndefined();
  });

  test.each([
    ['limit', { limit: 1.5 }],
    ['limit', { limit: Number.NaN }],
    ['from', { from: '1' }],
    ['to', { to: Number.NEGATIVE_INFINITY }],
    ['direction', { direction: 'back' }],
  ])('reading with a %s that is none is refused: %j', async (field, options) => {
    const folder = temporaryFolder();
    const { journal } = openJournal(join(folder, 'workspace.db'));
    for (const one of [journal, createMemoryJournal()])
      expect(() => one.read('s', options as never)).toThrow(
        expect.objectContaining({ code: 'JOURNAL_INVALID_RANGE', data: { field } }),
      );
  });

  test('a page of streams is a whole number of them', async () => {
    const streams = createMemoryJournal().streams({ limit: 0.5 });
    await expect(streams).rejects.toMatchObject({ code: 'JOURNAL_INVALID_RANGE', data: { field: 'limit' } });
  });

  test('a clock that gives no time fails its own append and no other of the same transaction', async () => {
    const folder = temporaryFolder();
    const { journal, file } = openJournal(join(folder, 'workspace.db'));
    const clocks = [Number.NaN, 1e18, Number.POSITIVE_INFINITY].map((time) => ({ now: () => time }));
    const wrong = clocks.map((clock) => createSqliteJournal(file, { clock }));
    const results = await Promise.allSettled([
      journal.append('s', [entry('1')], { expected: 'any' }),
      ...wrong.map((one) => one.append('s', [entry('2')], { expected: 'any' })),
    ]);
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value.type : one.reason.code))).toEqual([
      'appended',
      'JOURNAL_INVALID_ENTRY',
      'JOURNAL_INVALID_ENTRY',
      'JOURNAL_INVALID_ENTRY',
    ]);
  });
});
