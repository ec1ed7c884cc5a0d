import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry, Json } from '@warrant/core';
import { type OpenedSqlite, openSqlite } from '@warrant/core/sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GENESIS } from '../row.ts';
import { followRows } from './follow.ts';
import { createSqliteJournal } from './index.ts';

let folder: string;
let file: OpenedSqlite;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-follow-'));
  file = openSqlite(join(folder, 'workspace.db'), { synchronous: 'normal' });
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

const follow = (stream: string, start = { position: 0, digest: GENESIS }) =>
  file.read((db) => {
    const found = db.get<{ key: number }>('SELECT key FROM journal_streams WHERE name = ?', stream);
    return followRows(db, { key: found?.key ?? 0, stream, ...start, cursor: undefined, limit: 1000 });
  });
const entry = (id: string, rest: Partial<Entry> = {}): Entry => ({ id, type: 't', data: 1, schemaVersion: 1, ...rest });

const name = fc.oneof(
  fc.constantFrom(
    't',
    'a\tb',
    'a\nb',
    '"',
    '\\',
    '\u0000',
    '\u007f',
    '\u2028',
    '\ud83d\ude00',
    "'",
    '=',
    '='.repeat(3),
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);

describe('the walk along a chain', () => {
  test('reaches the head, whatever names and texts the entries have', async () => {
    const journal = createSqliteJournal(file);
    let streams = 0;
    const shape = {
      type: name,
      data: fc.json().map((text) => JSON.parse(text) as Json),
      agentId: name,
      causationId: name,
      correlationId: name,
      subject: name,
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record(shape, { requiredKeys: ['type', 'data'] })), name, async (parts, text) => {
        const stream = `${text}${++streams}`;
        const entries = parts.map((part, index): Entry => ({ ...entry(`${index}${text}`), ...part }));
        if (entries.length === 0) return;
        await journal.append(stream, entries, { expected: 0 });
        const head = await journal.head(stream);
        const { position, digest } = follow(stream);
        expect({ position, digest: `sha256:${digest}` }).toEqual({ position: head?.position, digest: head?.digest });
      }),
    );
  });

  test('goes through entries of every kind that lie between each other', async () => {
    const journal = createSqliteJournal(file);
    const long = 'x'.repeat(20_000);
    await journal.append('s', [entry('1'), entry('2', { data: long }), entry('3'), entry('4', { subject: 'ann' })], {
      expected: 0,
    });
    expect(follow('s').position).toBe(4);
  });

  test.each([
    ['an absent subject that became an empty one', `subject = ''`],
    ['an absent agent that became an empty one', `agent = ''`],
    ['a link of another length', `previous = x'00'`],
    ['a digest with more behind it', `digest = CAST(digest || x'00' AS BLOB)`],
    ['a digest that lacks its end', `digest = substr(digest, 1, 31)`],
    ['data that is gone', 'data = NULL'],
    ['data beside what stands for it', `sealed = 'x'`],
  ])('stops at %s', async (_what, set) => {
    const journal = createSqliteJournal(file);
    await journal.append(
      's',
      ['1', '2', '3'].map((id) => entry(id)),
      { expected: 0 },
    );
    file.write((db) => db.run(`UPDATE journal_entries SET ${set} WHERE position = 2`));
    expect(follow('s').position).toBe(1);
  });

  test('takes no row for two, though its data holds the lines of another', async () => {
    const journal = createSqliteJournal(file);
    await journal.append('s', [entry('1'), entry('2')], { expected: 0 });
    file.write((db) => {
      const [first, second] = db.all<{ digest: string; time: number }>(
        'SELECT lower(hex(digest)) AS digest, time FROM journal_entries ORDER BY position',
      );
      const lines = `1,"id":"1","position":1,"previous":"sha256:${GENESIS}",\n${second?.digest}\t2\t1\t${second?.time}\tt\t\n{"data":1`;
      db.run('DELETE FROM journal_entries WHERE position = 1');
      db.run(
        'UPDATE journal_entries SET seq = 1, data = ?, previous = unhex(?), digest = unhex(?)',
        lines,
        first?.digest ?? '',
        first?.digest ?? '',
      );
    });
    expect(follow('s').position).toBe(0);
  });
});
