import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProvenJournal } from './journal.ts';
import { generateNoteKey, parseSigner, parseVerifier } from './note.ts';
import { entryDigest, rowDigest } from './row.ts';
import { createSqliteJournal } from './sqlite/index.ts';
import { type VerifyOptions, verifyJournal } from './verify-journal.ts';

const key = generateNoteKey('log.example');
const signer = parseSigner(key.signer);
let folder: string;
let path: string;
let checkpoint: string;

async function withJournal<T>(work: (journal: ProvenJournal) => Promise<T>): Promise<T> {
  const file = openSqlite(path, { synchronous: 'normal' });
  try {
    return await work(createSqliteJournal(file));
  } finally {
    file.close();
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'journal-damage-'));
  path = join(folder, 'workspace.db');
  checkpoint = await withJournal(async (journal) => {
    for (let round = 0; round < 6; round += 1) {
      for (const stream of ['a', 'b']) {
        const entry = { id: `${stream}-${round}`, type: 't', data: { round }, schemaVersion: 1 };
        await journal.append(stream, [entry], { expected: round });
      }
    }
    await journal.fork('a', 4, 'f');
    await journal.append('f', [{ id: 'f-5', type: 't', data: 5, schemaVersion: 1 }], { expected: 4 });
    return journal.checkpoint({ origin: 'log.example/test', signer });
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Behind the journal's back. */
function edit(...statements: readonly string[]): void {
  const database = new Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

async function damage(options: VerifyOptions = {}) {
  const verified = await withJournal((journal) => verifyJournal(journal, options));
  const { kind, stream, position } = verified.damage ?? {};
  return verified.type === 'intact' ? 'intact' : [kind, stream, position];
}

const ofA = `stream = (SELECT key FROM journal_streams WHERE name = 'a')`;
const moved = (from: number, to: number): string =>
  `UPDATE journal_entries SET position = ${to} WHERE ${ofA} AND position = ${from}`;

describe('verify', () => {
  test('finds nothing in an untouched file, and says what it looked at', async () => {
    const verified = await withJournal((journal) =>
      verifyJournal(journal, { verifiers: [parseVerifier(key.verifier)] }),
    );
    expect(verified).toEqual({ type: 'intact', entries: 13, streams: 3, archived: 0, checkpoint: 13 });
  });

  test.each([
    ['data', `data = '{"round":9}'`],
    ['type', `type = 'other'`],
    ['time', `time = time + 1`],
    ['time, to none that there is,', 'time = 9000000000000000'],
    ['time, to one beyond exact numbers,', 'time = 9007199254740993'],
    ['agent', `agent = 'someone'`],
    ['digest', `digest = x'${'0'.repeat(64)}'`],
    ['previous digest', `previous = x'${'1'.repeat(64)}'`],
    ['id', `id = 'else'`],
    ['schema version', 'version = 2'],
  ])('names an entry whose %s was changed', async (_what, set) => {
    edit(`UPDATE journal_entries SET ${set} WHERE ${ofA} AND position = 3`);
    expect(await damage()).toEqual(['changed', 'a', 3]);
  });

  test('names the last entry of a stream when it was changed', async () => {
    edit(`UPDATE journal_entries SET data = 'null' WHERE ${ofA} AND position = 6`);
    expect(await damage()).toEqual(['changed', 'a', 6]);
  });

  test('names an entry that was changed together with its digest', async () => {
    const rows = await withJournal((journal) =>
      journal.store.page({ key: 1, from: 3, to: 3, limit: 1, direction: 'forward' }),
    );
    const [row] = rows;
    if (row === undefined) throw new Error('no row');
    const forged = entryDigest(row, row, { data: '"forged"' });
    edit(`UPDATE journal_entries SET data = '"forged"', digest = x'${forged}' WHERE ${ofA} AND position = 3`);
    expect(await damage()).toEqual(['changed', 'a', 3]);
  });

  test('names a removed entry', async () => {
    edit(`DELETE FROM journal_entries WHERE ${ofA} AND position = 3`);
    expect(await damage()).toEqual(['removed', 'a', 3]);
  });

  test('names a removed entry although the rest was renumbered', async () => {
    edit(`DELETE FROM journal_entries WHERE ${ofA} AND position = 3`, moved(4, 3), moved(5, 4), moved(6, 5));
    expect(await damage()).toEqual(['removed', 'a', 3]);
  });

  test('names the first entry when it was removed', async () => {
    edit(`DELETE FROM journal_entries WHERE ${ofA} AND position = 1`);
    expect(await damage()).toEqual(['removed', 'a', 1]);
  });

  test('names entries that changed places', async () => {
    edit(moved(3, 99), moved(4, 3), moved(99, 4));
    expect(await damage()).toEqual(['reordered', 'a', 3]);
  });

  test('names an entry that was moved to the end', async () => {
    edit(moved(3, 99));
    expect(await damage()).toEqual(['reordered', 'a', 99]);
  });

  test('names an inserted entry that pushed others aside', async () => {
    edit(
      moved(6, 7),
      moved(5, 6),
      moved(4, 5),
      moved(3, 4),
      `INSERT INTO journal_entries (stream, position, id, type, version, time, previous, digest, data)
       SELECT stream, 3, 'new', type, version, time, previous, x'${'2'.repeat(64)}', data FROM journal_entries WHERE ${ofA} AND position = 4`,
    );
    expect(await damage()).toEqual(['inserted', 'a', 3]);
  });

  test('names an inserted entry with a digest of its own', async () => {
    const rows = await withJournal((journal) =>
      journal.store.page({ key: 1, from: 3, to: 3, limit: 1, direction: 'forward' }),
    );
    const forged = entryDigest({ id: 'new', type: 't', schemaVersion: 1 }, rows[0] as never, { data: '1' });
    edit(
      moved(6, 7),
      moved(5, 6),
      moved(4, 5),
      moved(3, 4),
      `INSERT INTO journal_entries (stream, position, id, type, version, time, previous, digest, data)
       SELECT stream, 3, 'new', 't', 1, time, previous, x'${forged}', '1' FROM journal_entries WHERE ${ofA} AND position = 4`,
    );
    expect(await damage()).toEqual(['inserted', 'a', 3]);
  });

  test('names an entry beyond the recorded head', async () => {
    edit(`INSERT INTO journal_entries (stream, position, id, type, version, time, previous, digest, data)
      SELECT stream, 7, 'new', type, version, time, digest, digest, data FROM journal_entries WHERE ${ofA} AND position = 6`);
    expect(await damage()).toEqual(['inserted', 'a', 7]);
  });

  test('names an own entry of a fork where its parent has one', async () => {
    edit(`INSERT INTO journal_entries (stream, position, id, type, version, time, previous, digest, data)
      SELECT (SELECT key FROM journal_streams WHERE name = 'f'), 2, 'new', type, version, time, previous, digest, data
      FROM journal_entries WHERE ${ofA} AND position = 2`);
    expect((await damage())[1]).toBe('f');
  });

  test('names damage after entries of every shape', async () => {
    const heads = [{}, { agentId: 'x' }, { subject: 's', correlationId: 'c' }, { causationId: 'k' }, {}];
    await withJournal(async (journal) => {
      for (const [index, head] of heads.entries()) {
        await journal.append('m', [{ id: `m-${index}`, type: 't"', data: index, schemaVersion: 1, ...head }], {
          expected: index,
        });
      }
    });
    expect(await damage()).toBe('intact');
    const ofM = `stream = (SELECT key FROM journal_streams WHERE name = 'm')`;
    edit(`UPDATE journal_entries SET agent = 'y' WHERE ${ofM} AND position = 1`);
    expect(await damage()).toEqual(['changed', 'm', 1]);
    edit(`UPDATE journal_entries SET agent = NULL WHERE ${ofM} AND position = 1`);
    edit(`UPDATE journal_entries SET data = NULL WHERE ${ofM} AND position = 5`);
    expect(await damage()).toEqual(['changed', 'm', 5]);
  });

  test('names an entry of no stream', async () => {
    edit(`INSERT INTO journal_entries (stream, position, id, type, version, time, previous, digest, data)
      VALUES (77, 1, 'new', 't', 1, 0, x'', x'', '1')`);
    expect(await damage()).toEqual(['inserted', '', 1]);
  });

  test('tells a truncated stream by its recorded head', async () => {
    edit(`DELETE FROM journal_entries WHERE ${ofA} AND position > 4`);
    expect(await damage()).toEqual(['truncated', 'a', 5]);
  });

  test('tells a log that was cut with its heads by the checkpoint alone', async () => {
    const cut = [
      `DELETE FROM journal_entries WHERE seq > 10`,
      `UPDATE journal_streams SET position = 5, digest = (SELECT digest FROM journal_entries e WHERE e.stream = key AND e.position = 5) WHERE name IN ('a', 'b')`,
      `UPDATE journal_streams SET position = 4, digest = parent_digest WHERE name = 'f'`,
    ];
    edit(...cut);
    expect(await damage()).toEqual(['truncated', undefined, undefined]);
    edit('DELETE FROM journal_checkpoints');
    expect(await damage()).toEqual(['truncated', undefined, undefined]);
    edit('UPDATE journal_sealed SET size = (SELECT max(seq) FROM journal_entries)');
    expect(await damage()).toBe('intact');
    expect(await damage({ checkpoints: [checkpoint] })).toEqual(['truncated', undefined, undefined]);
    await withJournal((journal) =>
      journal.append(
        'a',
        ['x', 'y', 'z'].map((id) => ({ id, type: 't', data: 'other history', schemaVersion: 1 })),
        { expected: 5 },
      ),
    );
    expect(await damage({ checkpoints: [checkpoint] })).toEqual(['forked-head', undefined, undefined]);
  });

  test('names a head that is not the last entry', async () => {
    edit(`UPDATE journal_streams SET digest = x'${'3'.repeat(64)}' WHERE name = 'a'`);
    expect(await damage()).toEqual(['forked-head', 'a', 6]);
  });

  test('names a fork whose parent is another now', async () => {
    edit(`UPDATE journal_streams SET parent_digest = x'${'3'.repeat(64)}' WHERE name = 'f'`);
    expect(await damage()).toEqual(['forked-head', 'f', 4]);
  });

  test('tells a log that was rewritten with all its digests by the checkpoint', async () => {
    const rows = await withJournal((journal) =>
      journal.store.page({ key: 2, from: 1, to: 9, limit: 9, direction: 'forward' }),
    );
    const statements: string[] = [];
    let previous = '0'.repeat(64);
    for (const row of rows) {
      const forged = { ...row, data: '"rewritten"', previous };
      previous = rowDigest(forged) ?? '';
      statements.push(
        `UPDATE journal_entries SET data = '"rewritten"', previous = x'${forged.previous}', digest = x'${previous}' WHERE stream = 2 AND position = ${row.position}`,
      );
    }
    edit(...statements, `UPDATE journal_streams SET digest = x'${previous}' WHERE key = 2`);
    expect(await damage()).toEqual(['forked-head', undefined, undefined]);
    edit('DELETE FROM journal_checkpoints');
    expect(await damage()).toBe('intact');
  });

  const swapped = (first: number, second: number): readonly string[] => [
    `UPDATE journal_entries SET seq = -1 WHERE seq = ${first}`,
    `UPDATE journal_entries SET seq = ${first} WHERE seq = ${second}`,
    `UPDATE journal_entries SET seq = ${second} WHERE seq = -1`,
  ];

  test('names entries of one stream that changed places in the log', async () => {
    edit(...swapped(5, 7));
    expect(await damage()).toEqual(['reordered', 'a', 4]);
    edit('DELETE FROM journal_checkpoints');
    expect(await damage()).toEqual(['reordered', 'a', 4]);
  });

  test('names entries of different streams that changed places in the log by the checkpoint', async () => {
    edit(...swapped(3, 4));
    expect(await damage()).toEqual(['reordered', 'b', 2]);
    edit('DELETE FROM journal_checkpoints');
    expect(await damage()).toBe('intact');
  });

  test.each([
    ['inside a kept node', 100, 203],
    ['of two kept nodes', 30, 301],
    ['of a kept node and the rest', 256, 600],
    ['of the rest', 555, 566],
  ])('names entries %s that changed places', async (_where, first, second) => {
    await withJournal(async (journal) => {
      // Streams of one entry each, so that no chain tells.
      for (let index = 13; index < 601; index += 1) {
        const entry = { id: '0', type: 't', data: index, schemaVersion: 1 };
        await journal.append(`s${index + 1}`, [entry], { expected: 'none' });
      }
      await journal.checkpoint({ origin: 'log.example/test', signer });
    });
    edit(...swapped(first, second));
    expect(await damage()).toEqual(['reordered', `s${second}`, 1]);
  });

  test('names no exchange where more than two entries changed places', async () => {
    edit(...swapped(3, 4), ...swapped(9, 10));
    expect(await damage()).toEqual(['forked-head', undefined, undefined]);
  });

  test('refuses checkpoints that no known key signed', async () => {
    const other = parseVerifier(generateNoteKey('log.example').verifier);
    await expect(damage({ verifiers: [other] })).rejects.toMatchObject({ code: 'JOURNAL_INVALID_CHECKPOINT' });
  });

  test.each([
    ['names an archive and has its data', `segment = 'x', data = '"forged"'`],
    ['names an archive and has a ciphertext', `segment = 'x', data = NULL, sealed = 'v1.x'`],
    ['has data beside a ciphertext', `sealed = 'v1.x'`],
  ])('names an entry that %s', async (_what, set) => {
    edit(`UPDATE journal_entries SET ${set} WHERE ${ofA} AND position = 3`);
    expect(await damage()).toEqual(['changed', 'a', 3]);
  });

  test.each(['a', 'b', 'f'])('names the entries of stream %s when it has lost its name', async (name) => {
    edit(`UPDATE journal_entries SET data = '"forged"' WHERE id = '${name === 'f' ? 'f-5' : `${name}-0`}'`);
    edit(`UPDATE journal_streams SET name = '' WHERE name = '${name}'`);
    expect(await damage()).toEqual(['changed', '', name === 'f' ? 5 : 1]);
  });

  test('names the first entry where it lies before the log', async () => {
    edit(`UPDATE journal_entries SET seq = -1 WHERE ${ofA} AND position = 1`);
    expect(await damage()).toEqual(['reordered', 'a', 1]);
  });

  test.each([
    'DELETE FROM journal_sealed',
    'UPDATE journal_sealed SET size = -1',
    'UPDATE journal_sealed SET size = 14',
  ])('a size of the tree that cannot be is told, and nothing is sealed: %s', async (statement) => {
    edit(statement);
    if (!statement.startsWith('DELETE')) expect(await damage()).toEqual(['truncated', undefined, undefined]);
    await expect(withJournal((journal) => journal.seal())).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  });

  test('tells kept nodes of the tree that are not those of the entries', async () => {
    await withJournal(async (journal) => {
      const entries = Array.from({ length: 300 }, (_, index) => ({
        id: `n${index}`,
        type: 't',
        data: index,
        schemaVersion: 1,
      }));
      await journal.append('n', entries, { expected: 'none' });
      await journal.seal();
    });
    expect(await damage()).toBe('intact');
    edit(`UPDATE journal_nodes SET hash = x'${'0'.repeat(64)}'`);
    expect(await damage()).toEqual(['changed', undefined, undefined]);
    edit('DELETE FROM journal_nodes');
    expect(await damage()).toEqual(['removed', undefined, undefined]);
  });

  test('tells a kept checkpoint that is none any more', async () => {
    edit(`UPDATE journal_checkpoints SET note = 'x'`);
    expect(await damage()).toEqual(['changed', undefined, undefined]);
    expect(await damage({ checkpoints: [checkpoint] })).toEqual(['changed', undefined, undefined]);
  });

  test('looks at some streams only when asked to', async () => {
    edit(`UPDATE journal_entries SET data = 'null' WHERE ${ofA} AND position = 6`);
    expect(await damage({ streams: ['b'] })).toBe('intact');
    expect(await damage({ streams: ['f'] })).toBe('intact');
    expect(await damage({ streams: ['a'] })).toEqual(['changed', 'a', 6]);
    expect(await damage({ streams: ['absent'] })).toEqual(['removed', 'absent', 1]);
  });

  test.each([
    ['data that is no JSON', `data = '{'`],
    ['a time that is none', 'time = 9000000000000000'],
  ])('readers are told of %s', async (_what, set) => {
    edit(`UPDATE journal_entries SET ${set} WHERE ${ofA} AND position = 3`);
    const read = withJournal(async (journal) => {
      for await (const { position } of journal.read('a')) expect(position).toBeLessThan(3);
    });
    await expect(read).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED', data: { stream: 'a', position: 3 } });
  });
});
