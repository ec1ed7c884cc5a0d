import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdSource, type Entry } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import type { ProvenJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import type { Benchmark, Result } from './benchmark.ts';
import { measureWalks } from './journal-large.ts';
import { openPeers } from './journal-peers.ts';
import { measurePostgres } from './journal-postgres.ts';
import { openRaw } from './journal-raw.ts';
import { pairedRounds, probeDisk } from './journal-rounds.ts';

const DATA = { id: 'x'.repeat(24), payload: 'p'.repeat(140) };
const ids = createIdSource();
const entry = (): Entry => ({ id: ids.next(), type: 'order.placed', data: DATA, schemaVersion: 1 });
const batch = (size: number): Entry[] => Array.from({ length: size }, entry);
const CALLERS = 32;

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

type Line = Omit<Result, 'ours' | 'theirs' | 'ratio' | 'reached'> & { readonly least: number };

async function line(about: Line, rounds: Parameters<typeof pairedRounds>[0], isContended: boolean): Promise<Result> {
  const { ours, theirs, ratio } = await pairedRounds(rounds);
  const { least, ...rest } = about;
  return { ...rest, ours, theirs, ratio, reached: isContended ? 'contended' : ratio >= least };
}

async function againstRaw(folder: string, isContended: boolean): Promise<readonly Result[]> {
  const file = openSqlite(join(folder, 'ours.db'));
  const journal = createSqliteJournal(file);
  const raw = openRaw(join(folder, 'raw.db'));
  const unit = 'entries/s';
  const results = [
    await line(
      { name: 'append batches of 100', unit, against: 'raw inserts', goal: 'at least 0.45x', least: 0.45 },
      {
        operations: 4000,
        ours: () => repeat(40, () => journal.append('batches', batch(100), { expected: 'any' })),
        theirs: async () => raw.batches(40, 100),
      },
      isContended,
    ),
    await line(
      { name: 'append one at a time', unit, against: 'raw one-row transactions', goal: 'at least 0.7x', least: 0.7 },
      {
        operations: 300,
        ours: () => repeat(300, () => journal.append('single', [entry()], { expected: 'any' })),
        theirs: async () => raw.batches(300, 1),
      },
      isContended,
    ),
    await line(
      callersTo('one stream'),
      {
        operations: 3200,
        ours: () => callAtOnce(journal, () => 'shared'),
        theirs: async () => raw.batches(3200, 1),
      },
      isContended,
    ),
    await line(
      callersTo('a stream each'),
      {
        operations: 3200,
        ours: () => callAtOnce(journal, (index) => `caller-${index}`),
        theirs: async () => raw.batches(3200, 1, CALLERS),
      },
      isContended,
    ),
  ];
  raw.close();
  file.close();
  return results;
}

const callersTo = (streams: string): Line => ({
  name: `append, ${CALLERS} callers, ${streams}`,
  unit: 'entries/s',
  against: 'raw one-row transactions',
  goal: 'at least 4x',
  least: 4,
});

async function callAtOnce(journal: ProvenJournal, streamOf: (caller: number) => string): Promise<void> {
  const caller = (index: number): Promise<void> =>
    repeat(3200 / CALLERS, () => journal.append(streamOf(index), [entry()], { expected: 'any' }));
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index)));
}

async function againstPeers(folder: string, isContended: boolean): Promise<readonly Result[]> {
  const peers = await openPeers(folder);
  if (peers === undefined) {
    console.log('  peers are not installed: run `npm install` in benchmarks/peers to see emmett and LangGraph');
    return [];
  }
  const file = openSqlite(join(folder, 'against-peers.db'));
  const journal = createSqliteJournal(file);
  const results = [
    await expectedPosition(journal, peers, isContended),
    ...(await agentSteps(journal, peers, isContended)),
  ];
  peers.close();
  file.close();
  return results;
}

type Peers = NonNullable<Awaited<ReturnType<typeof openPeers>>>;

function expectedPosition(journal: ProvenJournal, peers: Peers, isContended: boolean): Promise<Result> {
  let position = 0;
  let version = 0n;
  return line(
    {
      name: 'append at an expected position',
      unit: 'entries/s',
      against: 'emmett-sqlite',
      goal: 'at least 2x',
      least: 2,
    },
    {
      operations: 150,
      ours: () =>
        repeat(150, async () => {
          await journal.append('expected', [entry()], { expected: position });
          position += 1;
        }),
      theirs: () =>
        repeat(150, async () => {
          version = await peers.emmett.append(version, [{ type: 'order.placed', data: DATA }]);
        }),
    },
    isContended,
  );
}

async function agentSteps(journal: ProvenJournal, peers: Peers, isContended: boolean): Promise<readonly Result[]> {
  const steps = async (agents: number, put: (agent: string) => Promise<unknown>): Promise<void> => {
    const agent = (index: number) => repeat(160 / agents, () => put(`agent-${index}`));
    await Promise.all(Array.from({ length: agents }, (_, index) => agent(index)));
  };
  const ours = (name: string) => journal.append(name, [entry()], { expected: 'any' });
  const theirs = (name: string) => peers.langGraph.put(name, DATA);
  const about = (agents: number, least: number) => ({
    name: `put an agent step, ${agents} at once`,
    unit: 'steps/s',
    against: 'LangGraph SqliteSaver',
    goal: `at least ${least}x`,
    least,
  });
  const rounds = (agents: number) => ({
    operations: 160,
    ours: () => steps(agents, ours),
    theirs: () => steps(agents, theirs),
  });
  return [await line(about(1, 1.3), rounds(1), isContended), await line(about(8, 5), rounds(8), isContended)];
}

/** Bytes of the file an entry of 200 bytes of data. */
async function measureSize(folder: string): Promise<Result> {
  const path = join(folder, 'size.db');
  const file = openSqlite(path, { synchronous: 'normal' });
  const journal = createSqliteJournal(file);
  const count = 20_000;
  const data = { payload: 'p'.repeat(200 - '{"payload":""}'.length) };
  const one = (): Entry => ({ id: ids.next(), type: 'order.placed', data, schemaVersion: 1 });
  await repeat(count / 100, () => journal.append('s', Array.from({ length: 100 }, one), { expected: 'any' }));
  file.close();
  const bytes = statSync(path).size / count;
  return {
    name: 'file size of an entry',
    unit: 'bytes',
    ours: bytes,
    against: 'its 200 bytes of data',
    theirs: 200,
    ratio: bytes / 200,
    goal: 'at most 2.5x',
    reached: bytes / 200 <= 2.5,
  };
}

export const benchmark: Benchmark = {
  name: 'journal',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'warrant-bench-'));
    try {
      const disk = probeDisk(folder);
      // Below this the figures show the scheduler's ticks and not the journal.
      const isContended = disk < 3000;
      console.log(`  disk: ${Math.round(disk)} flushes/s${isContended ? ', too slow for durable figures' : ''}`);
      return [
        ...(await againstRaw(folder, isContended)),
        ...(await againstPeers(folder, isContended)),
        await measureSize(folder),
        ...(await measureWalks(folder)),
        ...(await measurePostgres()),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
