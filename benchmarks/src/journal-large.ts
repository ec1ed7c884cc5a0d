import { hash } from 'node:crypto';
import { join } from 'node:path';
import { createIdSource, type Entry } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { replay, verifyJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import Database from 'better-sqlite3';
import { median, type Result } from './benchmark.ts';

/** Entries that verify and replay walk. */
const ENTRIES = Number(process.env['WARRANT_BENCH_ENTRIES'] ?? 1_000_000);

/** Verify and replay over one long stream. */
export async function measureWalks(folder: string): Promise<readonly Result[]> {
  const path = join(folder, 'large.db');
  const file = openSqlite(path, { synchronous: 'normal' });
  const journal = createSqliteJournal(file);
  await fill(journal);
  const verified = await measureVerify(path, () => verifyJournal(journal));
  const replayed = await measureReplay(path, () =>
    replay(journal.read('s'), 0, (sum, entry) => sum + (entry.data as { n: number }).n),
  );
  file.close();
  return [...verified, replayed];
}

async function fill(journal: ReturnType<typeof createSqliteJournal>): Promise<void> {
  const ids = createIdSource();
  const payload = 'p'.repeat(150);
  for (let n = 0; n < ENTRIES; n += 1000) {
    const batch = Array.from({ length: 1000 }, (_, index): Entry => {
      const data = { n: n + index, payload, tags: ['a', 'b'] };
      return { id: ids.next(), type: 'order.placed', data, schemaVersion: 1 };
    });
    await journal.append('s', batch, { expected: n });
  }
}

async function measureVerify(
  path: string,
  verify: () => Promise<{ readonly type: string }>,
): Promise<readonly Result[]> {
  const raw = [rateOfRaw(path)];
  const memory = process.memoryUsage.rss();
  let highest = memory;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 50);
  const before = process.cpuUsage();
  const { type } = await verify();
  const used = process.cpuUsage(before);
  clearInterval(watch);
  if (type !== 'intact') throw new Error('the journal of the benchmark does not verify');
  const rate = ENTRIES / ((used.user + used.system) / 1e6);
  const grown = (Math.max(highest, process.memoryUsage.rss()) - memory) / 2 ** 20;
  raw.push(rateOfRaw(path));
  const theirs = median(raw);
  const about = `${ENTRIES.toLocaleString('en')} entries`;
  return [
    {
      name: 'verify',
      unit: 'entries a CPU second',
      ours: rate,
      against: 'reading two columns and hashing them raw',
      theirs,
      ratio: rate / theirs,
      goal: 'at least 200,000',
      reached: rate >= 200_000,
    },
    {
      name: 'memory that verify takes',
      unit: 'MB more',
      ours: grown,
      against: about,
      goal: 'below 64 MB',
      reached: grown < 64,
      theirs: null,
      ratio: null,
    },
  ];
}

/** What no walk over the rows can be faster than on this machine: reading what is hashed, and hashing it, a CPU second. */
function rateOfRaw(path: string): number {
  const database = new Database(path, { readonly: true });
  const page = database
    .prepare(
      'SELECT position, data FROM journal_entries WHERE stream = 1 AND position > ? ORDER BY position LIMIT 1000',
    )
    .raw();
  const before = process.cpuUsage();
  let previous = '';
  let position = 0;
  for (;;) {
    const rows = page.all(position) as [number, string][];
    if (rows.length === 0) break;
    for (const [, data] of rows) previous = hash('sha256', previous + data, 'hex');
    position = (rows[rows.length - 1] as [number, string])[0];
  }
  const used = process.cpuUsage(before);
  database.close();
  return ENTRIES / ((used.user + used.system) / 1e6);
}

async function measureReplay(path: string, ours: () => Promise<number>): Promise<Result> {
  const database = new Database(path, { readonly: true });
  const page = database.prepare(
    `SELECT seq, position, id, type, version, time, hex(previous), hex(digest), data FROM journal_entries
    WHERE stream = 1 AND position > ? ORDER BY position LIMIT 1000`,
  );
  const theirs = async (): Promise<number> => {
    let sum = 0;
    let position = 0;
    for (;;) {
      const rows = page.all(position) as { position: number; data: string }[];
      if (rows.length === 0) return sum;
      for (const row of rows) sum += (JSON.parse(row.data) as { n: number }).n;
      position = (rows[rows.length - 1] as { position: number }).position;
    }
  };
  const rate = async (work: () => Promise<number>): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const used = process.cpuUsage(before);
    return ENTRIES / ((used.user + used.system) / 1e6);
  };
  const rounds: { readonly mine: number; readonly raw: number }[] = [];
  for (let round = 0; round < 3; round += 1) rounds.push({ mine: await rate(ours), raw: await rate(theirs) });
  database.close();
  const ratio = median(rounds.map((one) => one.mine / one.raw));
  return {
    name: 'replay',
    unit: 'entries a CPU second',
    ours: median(rounds.map((one) => one.mine)),
    against: 'reading and parsing the rows raw',
    theirs: median(rounds.map((one) => one.raw)),
    ratio,
    goal: 'at least 0.5x',
    reached: ratio >= 0.5,
  };
}
