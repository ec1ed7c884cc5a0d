import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyJournal } from '../src/index.ts';
import type { ProvenJournal } from '../src/journal.ts';
import { createPostgresJournal } from '../src/postgres/index.ts';
import { createSqliteJournal } from '../src/sqlite/index.ts';
import { bundleWriter, removeWriter, startWriter } from './processes.ts';
import { collect, entry, temporaryFolder } from './support.ts';

const url = process.env['WARRANT_POSTGRES_URL'] ?? '';
const isSoak = process.env['WARRANT_SOAK'] !== undefined;
const COUNT = isSoak ? 50 : 10;
/** The soak is bounded by its work, not by a clock: how long that takes is the machine's affair. */
const LIMIT_MS = isSoak ? 3_600_000 : 120_000;
let count = 0;

async function inSqlite(work: (target: string, journal: ProvenJournal) => Promise<void>): Promise<void> {
  const path = join(temporaryFolder(), 'workspace.db');
  const file = openSqlite(path);
  await work(path, createSqliteJournal(file));
  file.close();
}

async function inPostgres(work: (target: string, journal: ProvenJournal) => Promise<void>): Promise<void> {
  count += 1;
  const schema = `processes_${process.pid}_${count}`;
  const journal = await createPostgresJournal({ url, schema });
  try {
    await work(`${url}?schema=${schema}`, journal);
  } finally {
    await journal.close();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`DROP SCHEMA "${schema}" CASCADE`);
    await client.end();
  }
}

const stores = [
  ['SQLite', inSqlite],
  ['PostgreSQL', inPostgres],
] as const;

beforeAll(bundleWriter);
afterAll(removeWriter);

describe.each(url === '' ? stores.slice(0, 1) : stores)('several processes on %s', (_name, within) => {
  test.each([2, 8])(
    '%i count up one stream without a lost update or gap, and their conflicts add up',
    { timeout: LIMIT_MS },
    (processes) =>
      within(async (target, journal) => {
        const writers = Array.from({ length: processes }, (_, index) => startWriter(['count', target, `p${index}`]));
        const said = (await Promise.all(writers.map((writer) => writer.ended))).flat() as {
          attempts: number;
          conflicts: number;
        }[];
        const all = await collect(journal.read('s'));
        expect(all.map((one) => one.data)).toEqual(Array.from({ length: processes * COUNT }, (_, index) => index + 1));
        const attempts = said.reduce((sum, one) => sum + one.attempts, 0);
        const conflicts = said.reduce((sum, one) => sum + one.conflicts, 0);
        expect(attempts - conflicts).toBe(all.length);
        // Somebody gets on each time: an entry can disappoint every other process once, and no more.
        expect(conflicts).toBeLessThanOrEqual((processes - 1) * all.length);
        expect((await verifyJournal(journal)).type).toBe('intact');
      }),
  );

  test('tell exactly the truth to those who lose a race', { timeout: 60_000 }, () =>
    within(async (target, journal) => {
      const run = async (mode: string, names: readonly string[]) =>
        (await Promise.all(names.map((name) => startWriter([mode, target, name]).ended))).flat(2) as string[];
      expect(await run('race-any', ['a', 'b'])).toEqual(Array(20).fill('appended'));
      const ids = new Set((await collect(journal.read('s'))).map((one) => one.id));
      expect(ids.size).toBe(20);
      await journal.append('t', [entry('x')], { expected: 'none' });
      const other = await journal.fork('s', 5, 'five');
      expect(other.type).toBe('forked');
      const five = await Promise.all(
        Array.from({ length: 20 }, (_, index) => journal.append('five', [entry(`five-${index}`)], { expected: 5 })),
      );
      expect(five.filter((one) => one.type === 'appended')).toHaveLength(1);
      expect(five.filter((one) => one.type === 'conflict' && one.actual === 6)).toHaveLength(19);
    }),
  );

  test('let one of twenty through at the same position, from two processes', { timeout: 60_000 }, () =>
    within(async (target, journal) => {
      await journal.append(
        's',
        ['1', '2', '3', '4', '5'].map((id) => entry(id)),
        { expected: 'none' },
      );
      const writers = ['a', 'b'].map((name) => startWriter(['race-five', target, name]));
      const results = (await Promise.all(writers.map((writer) => writer.ended))).flat(2) as string[];
      expect(results.filter((one) => one === 'appended')).toHaveLength(1);
      expect(results.filter((one) => one === 'conflict 6')).toHaveLength(19);
      expect((await journal.head('s'))?.position).toBe(6);
    }),
  );
});
