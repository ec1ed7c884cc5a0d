import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digest, type Entry } from '../src/index.ts';
import { loadDriver, type SqliteDriver } from '../src/sqlite/driver.ts';
import { createSqliteInbox, type OpenedSqlite, openSqlite, type SqliteDb } from '../src/sqlite/index.ts';
import { bundleChild, startChild } from './children.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
let directory: string;
let path: string;
let opened: OpenedSqlite[] = [];
const open = (options: Parameters<typeof openSqlite>[1] = {}): OpenedSqlite => {
  const file = openSqlite(path, { busyTimeoutMs: 20, ...options });
  opened.push(file);
  return file;
};
const code = (expected: string, more: object = {}): object => expect.objectContaining({ code: expected, ...more });
const steps = [(db: SqliteDb) => db.exec('CREATE TABLE note (text TEXT PRIMARY KEY) STRICT')];
const withNotes = (options: Parameters<typeof openSqlite>[1] = {}): OpenedSqlite => {
  const file = open(options);
  file.migrate('note', steps);
  return file;
};
const add = (text: string) => (db: SqliteDb) => db.run('INSERT INTO note VALUES (?)', text).changes;
const texts = (file: OpenedSqlite): unknown[] =>
  file.read((db) => db.all<{ text: string }>('SELECT text FROM note ORDER BY rowid').map((row) => row.text));
const entry = (id: string, data: Entry['data'] = null): Entry => ({ id, type: 'note.added', data, schemaVersion: 1 });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'warrant-sqlite-'));
  path = join(directory, 'a.db');
});
afterEach(() => {
  for (const file of opened) file.close();
  opened = [];
  rmSync(directory, { recursive: true, force: true });
});

describe('a file', () => {
  it('holds foreign keys, a write-ahead log and full flushes', () => {
    const pragmas = open().write((db) =>
      ['journal_mode', 'synchronous', 'foreign_keys'].map(
        (name) => Object.values(db.get<object>(`PRAGMA ${name}`) ?? {})[0],
      ),
    );
    expect(pragmas).toEqual(['wal', 2, 1]);
    expect(open({ synchronous: 'normal' }).read((db) => db.get('PRAGMA synchronous'))).toEqual({ synchronous: 1 });
  });

  it('empties a log that has grown, and waits for nobody who holds it back', () => {
    const file = withNotes({ busyTimeoutMs: 600_000 });
    const logged = (): number => statSync(`${path}-wal`).size;
    const short = logged();
    file.shortenLog();
    expect(logged()).toBe(short);
    const long = 'x'.repeat(600_000);
    file.write(add(long));
    const reader = new (loadDriver())(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM note').get();
    file.write(add('later'));
    file.shortenLog();
    expect(logged()).toBeGreaterThan(600_000);
    reader.close();
    file.shortenLog();
    expect(logged()).toBe(0);
    expect(texts(open())).toEqual([long, 'later']);
    expect(file.read((db) => db.get('PRAGMA busy_timeout'))).toEqual({ timeout: 600_000 });
  });

  it('is of no use after close, which may be repeated', async () => {
    const file = withNotes();
    const late = file.writeSoon(add('on its way'));
    file.close();
    file.close();
    expect(await late).toBe(1);
    const closed = code('SQLITE_CLOSED');
    expect(() => file.read(() => 1)).toThrow(closed);
    expect(() => file.write(() => 1)).toThrow(closed);
    expect(() => file.dataVersion()).toThrow(closed);
    expect(() => file.migrate('note', steps)).toThrow(closed);
    await expect(file.writeSoon(() => 1)).rejects.toThrow(closed);
    await expect(file.outbox.pending(1)).rejects.toThrow(closed);
    expect(texts(open())).toEqual(['on its way']);
  });

  it('stays where it is when the process changes its folder', () => {
    const before = process.cwd();
    try {
      process.chdir(directory);
      path = 'a.db';
      const file = withNotes();
      process.chdir(before);
      file.write(add('a'));
      expect(file.path).toBe(join(directory, 'a.db'));
    } finally {
      process.chdir(before);
    }
  });

  it('is copied as a whole', () => {
    const file = withNotes();
    file.write(add('a'));
    file.copyTo(join(directory, 'copy.db'));
    file.write(add('b'));
    path = join(directory, 'copy.db');
    expect(texts(open())).toEqual(['a']);
    expect(() => file.copyTo(path)).toThrow();
  });

  it('moves its version with every commit, its own and those of others, and with nothing else', () => {
    const [one, other] = [withNotes(), withNotes()];
    const moved = (work: () => unknown): boolean => {
      const before = one.dataVersion();
      work();
      return one.dataVersion() !== before;
    };
    expect(moved(() => one.write(add('a')))).toBe(true);
    expect(moved(() => other.write(add('b')))).toBe(true);
    expect(moved(() => texts(one))).toBe(false);
    expect(moved(() => expect(() => one.write(add('a'))).toThrow())).toBe(false);
    expect(moved(() => other.read((db) => db.all('SELECT * FROM note')))).toBe(false);
  });
});

describe('transactions', () => {
  it('do not nest but for reading inside', () => {
    const file = withNotes();
    const seen = file.write((db) => {
      db.run('INSERT INTO note VALUES (?)', 'a');
      return file.read((inner) => inner.get('SELECT count(*) AS n FROM note')) as object;
    });
    expect(seen).toEqual({ n: 1 });
    expect(() => file.write(() => file.write(add('b')))).toThrow(code('SQLITE_NESTED'));
    expect(() => file.read(() => file.write(add('b')))).toThrow(code('SQLITE_NESTED'));
    expect(texts(file)).toEqual(['a']);
  });

  it('read one state from first to last', () => {
    const [one, other] = [withNotes(), withNotes()];
    const counts = one.read((db) => {
      const count = (): unknown => db.get('SELECT count(*) AS n FROM note');
      const first = count();
      other.write(add('a'));
      return [first, count()];
    });
    expect(counts).toEqual([{ n: 0 }, { n: 0 }]);
    expect(texts(one)).toEqual(['a']);
  });

  it('refuse promises everywhere', async () => {
    const file = withNotes();
    const later = (() => Promise.reject(new Error('late'))) as never;
    expect(() => file.read(later)).toThrow(code('SQLITE_PROMISE'));
    expect(() => file.write(later)).toThrow(code('SQLITE_PROMISE'));
    await expect(file.writeSoon(later)).rejects.toThrow(code('SQLITE_PROMISE'));
    await Promise.all([
      expect(file.writeSoon(later)).rejects.toThrow(code('SQLITE_PROMISE')),
      file.writeSoon(add('beside it')),
    ]);
    expect(texts(file)).toEqual(['beside it']);
  });

  it('name the constraint and not the value', () => {
    const file = withNotes();
    file.write(add('hunter2'));
    const failing = (): unknown => file.write(add('hunter2'));
    expect(failing).toThrow(
      code('SQLITE_CONSTRAINT', { data: { path, sqlite: 'SQLITE_CONSTRAINT_PRIMARYKEY', constraint: 'note.text' } }),
    );
    expect(failing).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });
});

describe('migrations', () => {
  it('run once, in order, each layer for itself', () => {
    const file = open();
    const ran: string[] = [];
    const step = (name: string) => () => void ran.push(name);
    file.migrate('a', [step('a1')]);
    file.migrate('b', [step('b1'), step('b2')]);
    file.migrate('a', [step('a1'), step('a2')]);
    file.migrate('b', [step('b1'), step('b2')]);
    expect(ran).toEqual(['a1', 'b1', 'b2', 'a2']);
    expect(file.layers()).toMatchObject({ a: 2, b: 2 });
  });

  it('leave everything as it was when a step fails', () => {
    const file = withNotes();
    const fails = (): void => {
      throw new Error('no');
    };
    expect(() => file.migrate('note', [...steps, (db) => db.exec('DROP TABLE note'), fails])).toThrow('no');
    expect(file.layers()['note']).toBe(1);
    file.write(add('a'));
  });

  it('refuse tables that are newer than known, and older ones in a file that may only be read', () => {
    withNotes().migrate('note', [...steps, (db) => db.exec('CREATE TABLE more (a INT) STRICT')]);
    expect(() => open().migrate('note', steps)).toThrow(
      code('SQLITE_SCHEMA_NEWER', { data: { path, layer: 'note', version: 2, known: 1 } }),
    );
    const reader = open({ readOnly: true });
    expect(() => reader.migrate('note', [...steps, ...steps, ...steps])).toThrow(code('SQLITE_SCHEMA_OLDER'));
  });
});

describe('the outbox', () => {
  it('keeps what was put in the order of putting, with the change or not at all', async () => {
    const file = withNotes();
    file.write((_db, outbox) => {
      outbox('s', entry('2', { b: 1, a: [-0] }));
      outbox('t', entry('1'));
    });
    expect(() =>
      file.write((_db, outbox) => {
        outbox('s', entry('3'));
        throw new Error('no');
      }),
    ).toThrow('no');
    await file.writeSoon((_db, outbox) => outbox('s', entry('4')));
    const pending = await file.outbox.pending(10);
    expect(pending).toEqual([
      { stream: 's', entry: entry('2', { b: 1, a: [0] }) },
      { stream: 't', entry: entry('1') },
      { stream: 's', entry: entry('4') },
    ]);
    expect(await file.outbox.pending(1)).toHaveLength(1);
    await file.outbox.remove(['1', 'unknown']);
    await file.outbox.remove([]);
    expect((await file.outbox.pending(10)).map((one) => one.entry.id)).toEqual(['2', '4']);
  });

  it('holds an entry once and refuses its id for another', () => {
    const file = withNotes();
    const put = (stream: string, one: Entry): unknown => file.write((_db, outbox) => outbox(stream, one));
    put('s', entry('1', { a: 1 }));
    put('s', entry('1', { a: 1 }));
    expect(() => put('s', entry('1', { a: 2 }))).toThrow(code('SQLITE_OUTBOX_ID_REUSED'));
    expect(() => put('t', entry('1', { a: 1 }))).toThrow(code('SQLITE_OUTBOX_ID_REUSED'));
  });

  it('holds an id that is no text of Unicode for a fault', () => {
    expect(() => withNotes().write((_db, outbox) => outbox('s', entry('\ud800')))).toThrow(code('JSON_LONE_SURROGATE'));
  });

  it('goes on with what an earlier version left waiting, each entry once', async () => {
    const before = withNotes();
    before.write((db) => {
      for (const id of ['1', '2']) {
        const text = JSON.stringify({ data: { n: 1 }, id, schemaVersion: 1, type: 't' });
        db.run('INSERT INTO warrant_outbox (id, stream, entry) VALUES (?, ?, ?)', id, 's', text);
      }
      db.run(`UPDATE warrant_outbox SET entry = 'damaged' WHERE id = '2'`);
      db.run(`UPDATE warrant_layers SET version = 1 WHERE layer = 'outbox'`);
    });
    before.close();
    const file = open();
    const one: Entry = { data: { n: 1 }, id: '1', schemaVersion: 1, type: 't' };
    file.write((_db, outbox) => outbox('s', one));
    expect(await file.outbox.pending(1)).toEqual([{ stream: 's', entry: one }]);
  });
});

describe('faults', () => {
  it('of a lock held by another connection are worth another try', async () => {
    const [file, other] = [withNotes(), withNotes()];
    const busy = code('SQLITE_BUSY', { retryable: true });
    let soon: Promise<unknown> | undefined;
    other.write(() => {
      expect(() => file.write(add('a'))).toThrow(busy);
      expect(texts(file)).toEqual([]);
      soon = file.writeSoon(add('b'));
    });
    expect(await soon).toBe(1);
    file.write(add('a'));
    expect(texts(file)).toEqual(['b', 'a']);
  });

  it('of a file that may only be read', async () => {
    withNotes().write(add('a'));
    const reader = open({ readOnly: true });
    reader.migrate('note', steps);
    expect(texts(reader)).toEqual(['a']);
    const refused = code('SQLITE_READ_ONLY');
    expect(() => reader.write(add('b'))).toThrow(refused);
    await expect(reader.writeSoon(add('b'))).rejects.toThrow(refused);
    await expect(reader.outbox.remove(['1'])).rejects.toThrow(refused);
    expect(await reader.outbox.pending(1)).toEqual([]);
  });

  it('of a folder that may only be read are got around by reading a copy', () => {
    withNotes().write(add('a'));
    for (const file of opened) file.close();
    const Real = loadDriver();
    // Called with new, a function gives back the object that it returns.
    const Refusing = function refusing(...parameters: ConstructorParameters<SqliteDriver>): unknown {
      const database = new Real(...parameters);
      if (typeof parameters[0] !== 'string') return database;
      database.exec = () => {
        throw Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' });
      };
      return database;
    };
    expect(texts(open({ readOnly: true, driver: Refusing as never }))).toEqual(['a']);
    expect(() => open({ driver: Refusing as never })).toThrow(code('SQLITE_CANNOT_OPEN'));
  });

  it('of files that are no databases or damaged', () => {
    writeFileSync(path, 'not a database, and long enough to be looked at: '.repeat(100));
    expect(() => open()).toThrow(code('SQLITE_CORRUPT', { retryable: false }));
    rmSync(path);
    const file = withNotes();
    file.write((db) => {
      for (let index = 0; index < 2000; index += 1) db.run('INSERT INTO note VALUES (?)', `${index} ${'x'.repeat(50)}`);
    });
    file.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096 * 3, 4096 * 20);
    writeFileSync(path, bytes);
    expect(() => texts(open())).toThrow(code('SQLITE_CORRUPT'));
    truncateSync(path, 4096 * 3);
    expect(() => texts(open())).toThrow(code('SQLITE_CORRUPT'));
  });

  it('of places where no file can be', () => {
    for (const [place, options] of [
      [join(directory, 'no/a.db'), {}],
      [directory, {}],
      [join(directory, 'missing.db'), { readOnly: true }],
      [':memory:', { readOnly: true }],
    ] as const) {
      expect(() => openSqlite(place, options), place).toThrow(code('SQLITE_CANNOT_OPEN'));
    }
  });

  it('of a file that is deleted, replaced or whose folder is gone while open', async () => {
    const gone = code('SQLITE_FILE_GONE', { retryable: false });
    for (const spoil of [
      () => rmSync(path),
      () => {
        copyFileSync(path, `${path}.new`);
        renameSync(`${path}.new`, path);
      },
      () => rmSync(directory, { recursive: true }),
    ]) {
      const file = withNotes();
      file.write(add(`a${opened.length}`));
      spoil();
      expect(() => file.write(add('b'))).toThrow(gone);
      await expect(file.writeSoon(add('b'))).rejects.toThrow(gone);
      await new Promise((resolve) => setTimeout(resolve, 220));
      expect(() => texts(file)).toThrow(gone);
      expect(() => file.dataVersion()).toThrow(gone);
      file.close();
    }
  });

  it('of a full disk lose nothing that was acknowledged', async () => {
    const file = withNotes();
    file.write((db) => db.exec('PRAGMA max_page_count = 40'));
    const big = 'x'.repeat(2000);
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => file.writeSoon(add(`${index} ${big}`))),
    );
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed.length).toBeGreaterThan(0);
    for (const result of failed) expect(result.reason).toMatchObject({ code: 'SQLITE_FULL', retryable: true });
    expect(texts(file)).toHaveLength(200 - failed.length);
    expect(() => file.write(add(big.repeat(100)))).toThrow(code('SQLITE_FULL'));
    file.write((db) => db.exec('PRAGMA max_page_count = 4000'));
    file.write(add('room again'));
  });

  it('of a missing driver say what to install', () => {
    const missing = (): never => {
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => loadDriver(missing)).toThrow(code('SQLITE_DRIVER_MISSING', { cause: expect.any(Error) }));
    expect(() => loadDriver(missing)).toThrow(/npm install better-sqlite3/);
    class WithoutBinary {
      constructor() {
        throw new Error('Could not locate the bindings file');
      }
    }
    expect(() => open({ driver: WithoutBinary as never })).toThrow(code('SQLITE_DRIVER_MISSING'));
    expect(loadDriver(createRequire(import.meta.url))).toBeTypeOf('function');
  });
});

describe('several processes', () => {
  let [writing, consuming] = ['', ''];
  beforeAll(async () => {
    [writing, consuming] = [await bundleChild('writing'), await bundleChild('consuming')];
  });

  it('open and migrate at once, and lose nothing acknowledged when they are killed', async () => {
    const acknowledged = new Set<string>();
    for (let round = 0; round < (soak ? 100 : 4); round += 1) {
      const children = Array.from({ length: 4 }, (_, index) => startChild(writing, [path, `${round}-${index}`]));
      while (children.some((child) => child.lines().length < 2)) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, (round * 17) % 50));
      for (const child of children) child.process.kill('SIGKILL');
      await Promise.all(children.map((child) => child.ended));
      for (const child of children) for (const line of child.lines().slice(1)) acknowledged.add(line);
      const file = openSqlite(path);
      const rows = file.read((db) => db.all<{ id: string }>('SELECT id FROM row').map((row) => row.id));
      const entries = (await file.outbox.pending(1_000_000)).map((one) => one.entry.id);
      expect(file.read((db) => db.get('PRAGMA integrity_check'))).toEqual({ integrity_check: 'ok' });
      file.close();
      const stored = new Set(rows);
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
      expect(rows.filter((id) => id === 'first')).toHaveLength(1);
      expect(entries.sort()).toEqual(rows.filter((id) => id !== 'first').sort());
    }
    expect(acknowledged.size).toBeGreaterThan(0);
  });

  it('use an answer once among all of them', async () => {
    const count = soak ? 500 : 40;
    const inbox = createSqliteInbox(open());
    for (let index = 0; index < count; index += 1) {
      const question = {
        id: `q${index}`,
        kind: 'confirmation' as const,
        subject: digest({ index }),
        title: 'May it?',
        details: {},
        choices: ['allow', 'refuse'],
        askedBy: 'agent:a',
        expiresAt: null,
      };
      await inbox.ask(question);
      await inbox.answer({
        questionId: question.id,
        subject: question.subject,
        choice: 'allow',
        answeredBy: 'human:b',
        answeredAt: '2026-01-01T00:00:00.000Z',
      });
    }
    const children = Array.from({ length: 6 }, (_, index) => startChild(consuming, [path, String(count), `p${index}`]));
    expect(await Promise.all(children.map((child) => child.ended))).toEqual(Array(6).fill(0));
    const used = children.flatMap((child) => child.lines());
    // Each by one process, which gets it again when it tries again.
    expect(used.filter((line) => line.endsWith(' 1')).sort()).toEqual(
      Array.from({ length: count }, (_, index) => `${index} 1`).sort(),
    );
    expect(used.filter((line) => line.endsWith(' 2'))).toHaveLength(count);
  });
});
