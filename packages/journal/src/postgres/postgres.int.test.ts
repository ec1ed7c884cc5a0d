import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recorded } from '@warrant/core';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEraser } from '../eraser.ts';
import { exportJsonl } from '../export-jsonl.ts';
import { archiveJournal } from '../files/index.ts';
import { importJsonl } from '../import-jsonl.ts';
import { createMemoryJournal, type ProvenJournal } from '../journal.ts';
import { createMemoryKeyStore } from '../keys.ts';
import { generateNoteKey, parseSigner } from '../note.ts';
import { journalStats } from '../stats.ts';
import { verifyJournal } from '../verify-journal.ts';
import { createPostgresJournal } from './index.ts';

const url = process.env['WARRANT_POSTGRES_URL'] ?? '';
let count = 0;
let schema: string;
const opened: ProvenJournal[] = [];

const entry = (id: string, data: number | string = 0) => ({ id, type: 't', data, schemaVersion: 1 });

async function open(to = url): Promise<ProvenJournal> {
  const journal = await createPostgresJournal({ url: to, schema, maxConnections: 4 });
  opened.push(journal);
  return journal;
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function collect(entries: AsyncIterable<Recorded>): Promise<Recorded[]> {
  const all: Recorded[] = [];
  for await (const one of entries) all.push(one);
  return all;
}

async function collectText(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const one of lines) all.push(one);
  return all;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Passes bytes on between client and server, and can swallow the server's answer to what a client sends next. */
async function startProxy(): Promise<{
  url: string;
  swallow: (text: string) => void;
  server: Server;
  cut: () => void;
}> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let wanted: string | undefined;
  const server = createServer((client) => {
    const upstream = createConnection(Number(target.port), target.hostname);
    let cutting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      if (wanted !== undefined && bytes.includes(wanted)) {
        cutting = true;
        wanted = undefined;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      // The server has done what it was asked; its answer gets lost.
      if (cutting) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: url.replace(`:${target.port}/`, `:${port}/`),
    swallow: (text) => {
      wanted = text;
    },
    server,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe.skipIf(url === '')('the PostgreSQL journal', () => {
  beforeEach(() => {
    count += 1;
    schema = `integration_${process.pid}_${count}`;
  });
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    await withClient((client) => client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
  });

  test('is set up once by many hosts that start at the same time', async () => {
    const journals = await Promise.all(Array.from({ length: 6 }, () => open()));
    await Promise.all(
      journals.map((journal, index) => journal.append(`s${index}`, [entry('a')], { expected: 'none' })),
    );
    expect(await (journals[0] as ProvenJournal).streams()).toHaveLength(6);
  });

  test('reads long entries after short ones in pages of no more data', async () => {
    const journal = await open();
    const short = Array.from({ length: 100 }, (_, index) => entry(`a${index}`));
    await journal.append('s', short, { expected: 'none' });
    for (let n = 0; n < 12; n += 1) await journal.append('s', [entry(`b${n}`, 'x'.repeat(1e6))], { expected: 'any' });
    await journal.seal();
    const { store } = journal;
    const key = (await store.lineage('s'))?.row.key as number;
    const query = { key, from: 1, to: Number.POSITIVE_INFINITY, limit: 1000 };
    for (const rows of [
      await store.page({ ...query, direction: 'forward' }),
      await store.page({ ...query, direction: 'backward' }),
      await store.pageAll(undefined, 1000),
      await store.pageLeaves(0, 1000),
    ]) {
      expect(rows.length).toBeGreaterThan(3);
      expect(rows.length).toBeLessThan(106);
      expect(rows.reduce((sum, row) => sum + (row.data ?? '').length, 0)).toBeLessThanOrEqual(5 * 1024 * 1024 + 2);
    }
    expect((await collect(journal.read('s'))).map((one) => one.position)).toEqual(
      Array.from({ length: 112 }, (_, index) => index + 1),
    );
    expect(await verifyJournal(journal)).toMatchObject({ type: 'intact', entries: 112 });
  });

  test('refuses tables of a newer version', async () => {
    await open();
    await withClient((client) => client.query(`UPDATE "${schema}".journal_layers SET version = 99`));
    await expect(open()).rejects.toMatchObject({ code: 'JOURNAL_SCHEMA_NEWER' });
  });

  test('refuses tables that are not those of their version', async () => {
    const journal = await open();
    await withClient((client) => client.query(`ALTER TABLE "${schema}".journal_entries DROP COLUMN agent`));
    await expect(journal.append('s', [entry('a')], { expected: 'none' })).rejects.toMatchObject({
      code: 'JOURNAL_SCHEMA_WRONG',
      message: expect.stringContaining('agent'),
    });
    await withClient((client) => client.query(`UPDATE "${schema}".journal_layers SET version = 0`));
    await expect(open()).rejects.toMatchObject({ code: 'JOURNAL_SCHEMA_WRONG', retryable: false });
  });

  test('says so when the server takes no changes', async () => {
    await open();
    const options = encodeURIComponent('-c default_transaction_read_only=on');
    const separator = url.includes('?') ? '&' : '?';
    const journal = createPostgresJournal({ url: `${url}${separator}options=${options}`, schema });
    await expect(journal).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  });

  test('says so when no server is there', async () => {
    const journal = createPostgresJournal({ url: 'postgres://warrant@127.0.0.1:9/none', schema });
    await expect(journal).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  });

  test('shows a subscriber what a slower transaction commits late, in its place and once', async () => {
    const journal = await open();
    await journal.append('s', [entry('1')], { expected: 'none' });
    const seen: string[] = [];
    const controller = new AbortController();
    const watching = (async () => {
      for await (const one of journal.subscribe({ signal: controller.signal })) seen.push(one.id);
    })().catch((error: Error) => error.name);
    await withClient(async (slow) => {
      await slow.query('BEGIN');
      await slow.query(`WITH head AS (INSERT INTO "${schema}".journal_streams (name, position, digest)
          VALUES ('slow', 1, 'x') RETURNING key)
        INSERT INTO "${schema}".journal_entries (tx, stream, position, id, type, version, time, previous, digest, data)
        SELECT pg_current_xact_id()::text::bigint, key, 1, 'slow', 't', 1, 0, 'x', 'x', '0' FROM head`);
      await journal.append('s', [entry('2')], { expected: 1 });
      await pause(700);
      expect(seen).toEqual(['1']);
      expect((await collect(journal.read('s'))).map((one) => one.id)).toEqual(['1', '2']);
      await slow.query('COMMIT');
    });
    for (let waited = 0; seen.length < 3 && waited < 100; waited += 1) await pause(50);
    expect(seen).toEqual(['1', 'slow', '2']);
    expect((await collect(journal.readAll())).map((one) => one.id)).toEqual(seen);
    controller.abort();
    expect(await watching).toBe('AbortError');
  });

  test('throws JOURNAL_OUTCOME_UNKNOWN when the answer to a commit is lost, and knows the retry', async () => {
    const proxy = await startProxy();
    const journal = await open(proxy.url);
    await journal.append('s', [entry('1')], { expected: 'none' });
    proxy.swallow('journal_entries');
    await expect(journal.append('s', [entry('2')], { expected: 1 })).rejects.toMatchObject({
      code: 'JOURNAL_OUTCOME_UNKNOWN',
      retryable: true,
    });
    let result = await journal.append('s', [entry('2')], { expected: 1 });
    expect(['duplicate', 'appended']).toContain(result.type);
    proxy.swallow('commit');
    // The remembered head is gone after a fault, so that this one goes the long way with a commit of its own.
    await journal.fork('s', 2, 'f');
    await expect(journal.append('f', [entry('3')], { expected: 2 })).rejects.toMatchObject({
      code: 'JOURNAL_OUTCOME_UNKNOWN',
    });
    result = await journal.append('f', [entry('3')], { expected: 2 });
    expect(['duplicate', 'appended']).toContain(result.type);
    expect((await collect(journal.read('f'))).map((one) => one.id)).toEqual(['1', '2', '3']);
    expect((await verifyJournal(journal)).type).toBe('intact');
    proxy.cut();
    proxy.server.close();
  });

  test('goes on after its connections were ended', async () => {
    const journal = await open();
    const results: string[] = [];
    let done = false;
    const writer = (async () => {
      for (let n = 0; !done; n += 1) {
        for (;;) {
          try {
            results.push((await journal.append('s', [entry(`e${n}`)], { expected: 'any' })).type);
            break;
          } catch (error) {
            expect(error).toMatchObject({ retryable: true });
          }
        }
      }
    })();
    for (let round = 0; round < 5; round += 1) {
      await pause(60);
      await withClient((client) =>
        client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%${schema}%'`,
        ),
      );
    }
    done = true;
    await writer;
    const all = await collect(journal.read('s'));
    expect(all).toHaveLength(results.length);
    expect((await verifyJournal(journal)).type).toBe('intact');
  });

  test('keeps writers of different streams from waiting for one another', async () => {
    const journal = await open();
    await journal.append('a', [entry('1')], { expected: 'none' });
    await journal.append('b', [entry('1')], { expected: 'none' });
    await withClient(async (client) => {
      await client.query('BEGIN');
      await client.query(`SELECT * FROM "${schema}".journal_streams WHERE name = 'a' FOR UPDATE`);
      const blocked = journal.append('a', [entry('2')], { expected: 1 });
      const free = await journal.append('b', [entry('2')], { expected: 1 });
      expect(free.type).toBe('appended');
      await client.query('COMMIT');
      expect((await blocked).type).toBe('appended');
    });
  });

  test('seals what has settled, proves it and names damage in its tables', async () => {
    const journal = await open();
    for (let n = 0; n < 5; n += 1) await journal.append('a', [entry(`a${n}`), entry(`b${n}`)], { expected: n * 2 });
    const key = generateNoteKey('log');
    const note = await journal.checkpoint({ origin: 'log/test', signer: parseSigner(key.signer) });
    expect(note.split('\n')[1]).toBe('10');
    expect((await journal.prove('a', 7)).leaf).toBe(6);
    const edited = async (text: string) => {
      await withClient((client) => client.query(text.replaceAll('@', `"${schema}".`)));
      const { kind, position } = (await verifyJournal(journal)).damage ?? {};
      return [kind, position];
    };
    expect(await edited('UPDATE @journal_entries SET data = \'"forged"\' WHERE position = 4')).toEqual(['changed', 4]);
    expect(await edited("UPDATE @journal_entries SET data = '0' WHERE position = 4")).toEqual([undefined, undefined]);
    expect(await edited('DELETE FROM @journal_entries WHERE position > 8')).toEqual(['truncated', 9]);
    expect(await edited('DELETE FROM @journal_entries WHERE position = 2')).toEqual(['removed', 2]);
  });

  test('keeps snapshots, erases subjects, archives and counts', async () => {
    const keys = createMemoryKeyStore();
    const journal = await createPostgresJournal({ url, schema, maxConnections: 4 }, { keys });
    opened.push(journal);
    await journal.append('gate/\u0000one', [entry('1'), { ...entry('2', 'private'), subject: 'p\u0000' }], {
      expected: 'none',
    });
    await journal.append('gate/two', [entry('3', 'kept')], { expected: 'none' });
    const [, second] = await collect(journal.read('gate/\u0000one'));
    const snapshot = {
      stream: 'gate/\u0000one',
      position: 2,
      entry: second?.digest ?? 'sha256:',
      program: 'sha256:p' as const,
      state: 7,
    };
    await journal.snapshots.save(snapshot);
    expect(await journal.snapshots.load(snapshot.stream, snapshot.program)).toEqual(snapshot);
    const erased = await createEraser(journal).erase('p\u0000');
    expect(erased.covered.map((one) => one.count)).toEqual([1, 0, 1]);
    expect(await journal.snapshots.load(snapshot.stream, snapshot.program)).toBeUndefined();
    expect((await collect(journal.read(snapshot.stream))).map((one) => one.data)).toEqual([0, null]);

    const exported = (await collectText(exportJsonl(journal))).join('');
    const copy = createMemoryJournal();
    expect((await importJsonl(copy, [exported])).problems).toEqual([]);
    expect((await copy.seal()).root).toEqual((await journal.seal()).root);
    const stats = await journalStats(journal);
    expect(stats).toMatchObject({ entries: 3, streams: 2, archived: 0, sealed: 3 });
    expect(stats.bytesOnDisk).toBeGreaterThan(8192);
    const folder = mkdtempSync(join(tmpdir(), 'journal-archive-'));
    const archived = await archiveJournal(journal, { folder, before: '2100-01-01T00:00:00.000Z', segmentEntries: 2 });
    expect([archived.entries, archived.segments.length]).toEqual([3, 2]);
    rmSync(folder, { recursive: true });
    expect(await verifyJournal(journal)).toMatchObject({ type: 'intact', archived: 3 });
    expect((await createEraser(journal).erase('p\u0000')).covered[1]).toEqual({ place: 'archived entries', count: 1 });
    expect(await journal.append('gate/two', [entry('3', 'kept')], { expected: 'none' })).toEqual({
      type: 'duplicate',
      positions: [1],
    });
    await expect(journal.append('gate/two', [entry('3', 'other')], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_ID_REUSED',
    });
  });

  test('takes an import in, in the order of its log', async () => {
    const source = createMemoryJournal();
    for (let n = 0; n < 12; n += 1) await source.append(`s${n % 3}`, [entry(`e${n}`, n)], { expected: 'any' });
    await source.fork('s0', 2, 'f');
    await source.append('f', [entry('f')], { expected: 2 });
    const journal = await open();
    const exported = (await collectText(exportJsonl(source))).join('');
    expect((await importJsonl(journal, [exported])).problems).toEqual([]);
    for (let waited = 0; waited < 100 && (await collect(journal.readAll())).length < 13; waited += 1) await pause(20);
    expect((await collectText(exportJsonl(journal))).join('')).toBe(exported);
    expect((await journal.seal()).root).toEqual((await source.seal()).root);
    expect((await verifyJournal(journal)).type).toBe('intact');
  });

  test('orders entries behind those of a dump that was loaded into a younger server', async () => {
    const journal = await open();
    await journal.append('s', [entry('old')], { expected: 'none' });
    await withClient((client) => client.query(`UPDATE "${schema}".journal_entries SET tx = tx + 1000000000`));
    const again = await open();
    await again.append('s', [entry('new')], { expected: 1 });
    await again.append('r', [entry('newer')], { expected: 'none' });
    for (let waited = 0; waited < 100 && (await collect(again.readAll())).length < 3; waited += 1) await pause(20);
    expect((await collect(again.readAll())).map((one) => one.id)).toEqual(['old', 'new', 'newer']);
  });
});
