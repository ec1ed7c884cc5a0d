import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedSqlite, openSqlite } from './index.ts';

let directory: string;
let opened: OpenedSqlite[] = [];
const open = (...parameters: Parameters<typeof openSqlite>): OpenedSqlite => {
  const file = openSqlite(...parameters);
  opened.push(file);
  return file;
};
const notes = [
  (db: { exec(sql: string): void }) => db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE) STRICT'),
];
const add = (file: OpenedSqlite, text: string): void => {
  file.write((db) => {
    db.run('INSERT INTO note (text) VALUES (?)', text);
  });
};
const texts = (file: OpenedSqlite): unknown[] =>
  file.read((db) => db.all<{ text: string }>('SELECT text FROM note ORDER BY id').map((row) => row.text));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'warrant-sqlite-'));
});
afterEach(() => {
  for (const file of opened) file.close();
  opened = [];
  rmSync(directory, { recursive: true, force: true });
});

describe('transactions', () => {
  it('keeps what a write changed and takes back what a failing one did', () => {
    const file = open(join(directory, 'a.db'));
    file.migrate('note', notes);
    add(file, 'kept');
    expect(() =>
      file.write((db) => {
        db.run('INSERT INTO note (text) VALUES (?)', 'lost');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(texts(file)).toEqual(['kept']);
  });

  it('gives rows as objects and as arrays, from the same text in any order', () => {
    const file = open(':memory:');
    file.migrate('note', notes);
    add(file, 'a');
    file.read((db) => {
      const text = 'SELECT id, text FROM note WHERE id >= ?';
      expect(db.arrays(text, 1)).toEqual([[1, 'a']]);
      expect(db.all(text, 1)).toEqual([{ id: 1, text: 'a' }]);
      expect(db.arrays(text, 1)).toEqual([[1, 'a']]);
      expect(() => db.arrays('SELECT json(?)', '{')).toThrow(expect.objectContaining({ name: 'WarrantError' }));
    });
  });

  it('refuses an asynchronous work and rolls back what it did before its first await', () => {
    const file = open(':memory:');
    file.migrate('note', notes);
    const work = async (db: { run(sql: string): unknown }): Promise<void> => {
      db.run(`INSERT INTO note (text) VALUES ('early')`);
      await Promise.resolve();
    };
    expect(() => file.write(work as never)).toThrow(expect.objectContaining({ code: 'SQLITE_PROMISE' }));
    expect(texts(file)).toEqual([]);
  });

  it('refuses a change inside a read, and any use of a handle that escaped', () => {
    const file = open(':memory:');
    file.migrate('note', notes);
    let escaped: { run(sql: string): unknown } | undefined;
    file.write((db) => {
      escaped = db;
    });
    const outside = expect.objectContaining({ code: 'SQLITE_OUTSIDE_TRANSACTION' });
    expect(() => file.read((db) => db.run(`INSERT INTO note (text) VALUES ('x')`))).toThrow(outside);
    expect(() => escaped?.run(`INSERT INTO note (text) VALUES ('x')`)).toThrow(outside);
    expect(texts(file)).toEqual([]);
  });

  it('commits a group in one transaction, each work failing alone', async () => {
    const file = open(join(directory, 'a.db'));
    file.migrate('note', notes);
    const before = file.dataVersion();
    const results = await Promise.allSettled(
      ['a', 'b', 'a', 'c'].map((text) =>
        file.writeSoon((db) => {
          db.run('INSERT INTO note (text) VALUES (?)', text);
          return text;
        }),
      ),
    );
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(results[2]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT', data: { constraint: 'note.text' } } });
    expect(texts(file)).toEqual(['a', 'b', 'c']);
    expect(file.dataVersion()).toBe(before + 1);
  });
});
