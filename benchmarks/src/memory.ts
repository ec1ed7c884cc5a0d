import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import { createMemory, type MemoryWrite } from '@warrant/memory';
import { createSqliteMemoryStore } from '@warrant/memory/sqlite';
import type { Benchmark, Result } from './benchmark.ts';
import { median } from './benchmark.ts';
import { pairedRounds, probeDisk } from './journal-rounds.ts';

const RECORDS = 10_000;
const SINGLE = 150;
const QUERIES = 100;
const VOCABULARY = 4000;

/** Words whose rank decides how often they come: a Zipf law over made-up words, from a fixed seed. */
function createWords(): (count: number) => string {
  let state = 20_260_101;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = (): string => `w${Math.floor(VOCABULARY ** next()).toString(36)}`;
  return (count) => Array.from({ length: count }, word).join(' ');
}

const words = createWords();
let made = 0;

/** About 150 characters under a key of its own. */
function write(): MemoryWrite {
  made += 1;
  return { key: `memory/working/n${made}`, value: words(40).slice(0, 150) };
}

async function againstRaw(folder: string, isContended: boolean): Promise<readonly Result[]> {
  const path = join(folder, 'memory.db');
  const file = openSqlite(path);
  const memory = createMemory({ store: createSqliteMemoryStore(file) });
  const agent = memory.agent('bench');
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
      for (let time = 0; time < SINGLE; time += 1) await agent.write(write());
    },
    theirs: async () => {
      for (let time = 0; time < SINGLE; time += 1)
        raw.write((db) => {
          for (const table of ['raw_a', 'raw_b']) db.run(`INSERT INTO ${table} (body) VALUES (?)`, words(40));
        });
    },
  });
  raw.close();
  const started = performance.now();
  for (let done = 0; done < RECORDS; done += 1000) await agent.writeMany(Array.from({ length: 1000 }, write));
  const bulk = (RECORDS * 1000) / (performance.now() - started);
  const recall = await recallAgainstQuery(file, agent, isContended);
  file.truncateLog();
  const bytes = statSync(path).size / made;
  await memory.close();
  file.close();
  return [
    {
      name: 'write one by one, durable, conflicts checked',
      unit: 'writes/s',
      against: 'raw two-table inserts',
      goal: 'at least 0.4x',
      ours: rounds.ours,
      theirs: rounds.theirs,
      ratio: rounds.ratio,
      reached: isContended ? 'contended' : rounds.ratio >= 0.4,
    },
    figure(
      { name: 'bulk write', unit: 'writes/s', goal: 'at least 12,000 /s', ours: bulk, reached: bulk >= 12_000 },
      isContended,
    ),
    recall,
    figure(
      {
        name: 'file size a memory, with audit',
        unit: 'bytes',
        goal: 'under 1,000 bytes',
        ours: bytes,
        reached: bytes < 1000,
      },
      false,
    ),
  ];
}

function figure(
  about: Pick<Result, 'name' | 'unit' | 'goal' | 'ours'> & { readonly reached: boolean },
  isContended: boolean,
): Result {
  return { ...about, against: '', theirs: null, ratio: null, reached: isContended ? 'contended' : about.reached };
}

/** The raw query: same table, both columns, ordered by rank, ten rows. */
async function recallAgainstQuery(
  file: ReturnType<typeof openSqlite>,
  agent: ReturnType<ReturnType<typeof createMemory>['agent']>,
  isContended: boolean,
): Promise<Result> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let query = 0; query < QUERIES; query += 1) {
    const asked = words(5);
    const match = [...new Set(asked.split(' '))].map((word) => `"${word}"`).join(' OR ');
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
  return {
    name: `retrieve ten of ${RECORDS}`,
    unit: 'ms',
    against: 'raw FTS5 query',
    goal: 'under 4 ms and 1.7x of the query',
    ours: median(ours),
    theirs: median(theirs),
    ratio,
    reached: isContended ? 'contended' : median(ours) < 4 && ratio >= 1 / 1.7,
  };
}

/** Memory on SQLite against what the file itself can do. */
export const benchmark: Benchmark = {
  name: 'memory',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
    try {
      const disk = probeDisk(folder);
      // Below this the figures show the scheduler's ticks and not the store.
      const isContended = disk < 3000;
      console.log(`  disk: ${Math.round(disk)} flushes/s${isContended ? ', too slow for durable figures' : ''}`);
      return await againstRaw(folder, isContended);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
