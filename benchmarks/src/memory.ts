import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemory, type MemoryWrite, queryWords } from '@warrant/memory';
import { createSqliteMemoryStore } from '@warrant/memory/sqlite';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { pairedRounds, probeDisk } from './journal-rounds.ts';
import { createNumbers, createWords, createWrites, inSessions } from './memory-data.ts';
import { searchClusters } from './memory-vectors.ts';

const SINGLE = 150;
const SMALL = 10_000;
const LARGE = 100_000;
const IN_SESSIONS = 20_000;
const QUERIES = 60;
/** Words of a query, half of which carry grammar. */
const QUESTION = 10;
const BATCH = 1000;

const words = createWords(createNumbers(20_260_101));

function openBench(path: string) {
  const file = openSqlite(path);
  const memory = createMemory({ store: createSqliteMemoryStore(file) });
  return { path, file, memory, agent: memory.agent('bench') };
}
type Bench = ReturnType<typeof openBench>;

/** Each write is a transaction of its own, as is each pair of raw rows. */
async function writeSingly(folder: string): Promise<readonly Result[]> {
  const bench = openBench(join(folder, 'single.db'));
  const write = createWrites(words, 'n');
  const raw = openSqlite(join(folder, 'raw.db'));
  raw.migrate('raw', [
    (db) =>
      db.exec(
        'CREATE TABLE raw_a (id INTEGER PRIMARY KEY, body TEXT); CREATE TABLE raw_b (id INTEGER PRIMARY KEY, body TEXT)',
      ),
  ]);
  const rounds = await pairedRounds({
    operations: SINGLE,
    ours: async () => {
      for (let time = 0; time < SINGLE; time += 1) await bench.agent.write(write());
    },
    theirs: async () => {
      for (let time = 0; time < SINGLE; time += 1)
        raw.write((db) => {
          for (const table of ['raw_a', 'raw_b']) db.run(`INSERT INTO ${table} (body) VALUES (?)`, words(40));
        });
    },
  });
  raw.close();
  return [
    {
      name: 'write one by one, durable, conflicts checked',
      unit: 'writes/s',
      against: 'raw two-table inserts',
      goal: 'at least 1,800 /s, and 0.4x',
      ...rounds,
      reached: rounds.ours >= 1800 && rounds.ratio >= 0.4,
    },
    await sizeOf(bench, 'file size a memory, each with its audit entry', 1000),
  ];
}

/** Bytes a record of everything in the file. */
async function sizeOf({ file, memory, path }: Bench, name: string, goal: number): Promise<Result> {
  const { totalMemories } = await memory.system.stats();
  file.truncateLog();
  const ours = statSync(path).size / totalMemories;
  await memory.close();
  file.close();
  return figure({ name, unit: 'bytes', goal: `under ${goal} bytes`, ours, reached: ours < goal });
}

async function writeMany({ agent }: Bench, write: () => MemoryWrite, count: number): Promise<number> {
  const batches = Array.from({ length: count / BATCH }, () => Array.from({ length: BATCH }, write));
  const started = performance.now();
  for (const batch of batches) await agent.writeMany(batch);
  return (count * 1000) / (performance.now() - started);
}

async function writeInBulk(folder: string): Promise<readonly Result[]> {
  const bench = openBench(join(folder, 'bulk.db'));
  const write = createWrites(words, 'n');
  await writeMany(bench, write, SMALL);
  const small = await recallAgainstQuery(bench, SMALL, 4);
  const ours = await writeMany(bench, write, LARGE - SMALL);
  const large = await recallAgainstQuery(bench, LARGE, 38);
  const started = performance.now();
  const { archived } = await bench.memory.human('sweeper').sweep();
  const seconds = (performance.now() - started) / 1000;
  const swept = archived.decayed === LARGE / 2;
  await bench.memory.close();
  bench.file.close();
  return [
    figure({
      name: `bulk write of ${LARGE}`,
      unit: 'writes/s',
      goal: 'at least 12,000 /s',
      ours,
      reached: ours >= 12_000,
    }),
    ...small,
    ...large,
    figure({
      name: `sweep of ${LARGE}, half of it archived`,
      unit: 's',
      goal: 'under 4 s',
      ours: seconds,
      reached: swept && seconds < 4,
    }),
  ];
}

async function writeInSessions(folder: string): Promise<readonly Result[]> {
  const bench = openBench(join(folder, 'sessions.db'));
  const ours = await writeMany(bench, inSessions(createWrites(words, 'n')), IN_SESSIONS);
  const size = await sizeOf(bench, 'file size a memory, with the context of its session', 1300);
  return [
    figure({
      name: 'bulk write with session context',
      unit: 'writes/s',
      goal: 'at least 8,000 /s',
      ours,
      reached: ours >= 8000,
    }),
    size,
  ];
}

function figure(about: Pick<Result, 'name' | 'unit' | 'goal' | 'ours'> & { readonly reached: boolean }): Result {
  return { ...about, against: '', theirs: null, ratio: null };
}

/** The raw query: same table, both columns, function words dropped, ordered by rank, ten rows. */
async function recallAgainstQuery({ agent, file }: Bench, size: number, goalMs: number): Promise<readonly Result[]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let query = 0; query < QUERIES; query += 1) {
    const asked = words(QUESTION);
    const match = queryWords(asked)
      .map((word) => `"${word}"`)
      .join(' OR ');
    const before = performance.now();
    await agent.retrieve({ query: asked, limit: 10 });
    const between = performance.now();
    file.read(
      (db) => void db.all('SELECT rowid FROM memory_text WHERE memory_text MATCH ? ORDER BY rank LIMIT 10', match),
    );
    ours.push(between - before);
    theirs.push(performance.now() - between);
  }
  const ratio = median(theirs) / median(ours);
  return [
    {
      name: `retrieve ten of ${size}`,
      unit: 'ms',
      against: 'raw FTS5 query',
      goal: `under ${goalMs} ms, and 1.7x of the query`,
      ours: median(ours),
      theirs: median(theirs),
      ratio,
      reached: median(ours) < goalMs && ratio >= 1 / 1.7,
    },
  ];
}

/** Figures of time mean nothing where the disk is slower than the scheduler's ticks; sizes and shares do. */
function judged(results: readonly Result[], isContended: boolean): readonly Result[] {
  const isTimed = ({ unit }: Result): boolean => unit !== 'bytes' && unit !== '%';
  return results.map((result) => (isContended && isTimed(result) ? { ...result, reached: 'contended' } : result));
}

/** Memory on SQLite against what the file itself can do. */
export const benchmark: Benchmark = {
  name: 'memory',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
    try {
      const disk = probeDisk(folder);
      const isContended = disk < 3000;
      console.log(`  disk: ${Math.round(disk)} flushes/s${isContended ? ', too slow for figures of time' : ''}`);
      const results: Result[] = [];
      for (const measure of [writeSingly, writeInBulk, writeInSessions]) results.push(...(await measure(folder)));
      results.push(...(await searchClusters(join(folder, 'vectors.db'))));
      return judged(results, isContended);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
