import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, type Result } from './benchmark.ts';
import { isInstalled, PEERS } from './peers.ts';
import type { Taken } from './processor.ts';

/** Both are warm by then, and both write over a log that has stopped growing, as in a process that stays. */
const WARM_RUNS = 300;
const ROUNDS = 12;
const RUNS_A_ROUND = 25;
const MAX_COMMITS = 4;
const GOAL = 3;

/**
 * A task, a tool call, its result and the answer, each on the disk before the next: SQLite with a write-ahead log and
 * synchronous FULL on both sides, each in a process of its own, in turns.
 */
export async function reactRuns(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-decide-'));
  const sides: ChildProcess[] = [];
  const open = (...args: readonly string[]): ChildProcess => {
    const side = fork(resolve(import.meta.dirname, 'decide-react-side.mjs'), args, { execArgv: [] });
    sides.push(side);
    return side;
  };
  try {
    const ours = open(join(folder, 'journal.db'));
    const theirs = isInstalled('@langchain/langgraph')
      ? open(join(folder, 'langgraph.db'), join(PEERS, 'langgraph.mjs'))
      : undefined;
    return rows(await compare(join(folder, 'flushes'), ours, theirs));
  } finally {
    for (const side of sides) if (side.connected) side.disconnect();
    for (const side of sides) if (side.exitCode === null) await once(side, 'exit');
    rmSync(folder, { recursive: true });
  }
}

type Told = { readonly taken: readonly Taken[]; readonly commits: number };
type Compared = { readonly ours: Told; readonly theirs: Told | undefined; readonly flush: number };

async function compare(file: string, ours: ChildProcess, theirs?: ChildProcess): Promise<Compared> {
  await runs(ours, WARM_RUNS);
  if (theirs !== undefined) await runs(theirs, WARM_RUNS);
  const mine: Told[] = [];
  const others: Told[] = [];
  const flushes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(await runs(ours, RUNS_A_ROUND));
    if (theirs !== undefined) others.push(await runs(theirs, RUNS_A_ROUND));
    flushes.push(...flushTimes(file));
  }
  return { ours: all(mine), theirs: theirs === undefined ? undefined : all(others), flush: median(flushes) };
}

function all(told: readonly Told[]): Told {
  return { taken: told.flatMap(({ taken }) => taken), commits: told.at(-1)?.commits ?? Number.NaN };
}

async function runs(side: ChildProcess, count: number): Promise<Told> {
  const heard = new AbortController();
  const ended = once(side, 'exit', heard).then(() => {
    throw new Error('a side of the benchmark ended early');
  });
  side.send(count);
  try {
    const [told] = (await Promise.race([once(side, 'message', heard), ended])) as [Told];
    return told;
  } finally {
    ended.catch(() => undefined);
    heard.abort();
  }
}

const PAGES = Buffer.alloc(4 * 4096, 1);
const FLUSHES = 20;

/** What the disk takes to hold a commit's worth of pages, written over old ones. */
function flushTimes(path: string): readonly number[] {
  const file = openSync(path, 'w');
  const times: number[] = [];
  // The first one makes the file longer, which costs more.
  for (let index = 0; index <= FLUSHES; index += 1) {
    const start = performance.now();
    writeSync(file, PAGES, 0, PAGES.length, 0);
    fsyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return times.slice(1);
}

function rows({ ours, theirs, flush }: Compared): readonly Result[] {
  const commits = ours.commits;
  const wall = theirs && median(theirs.taken.map((one) => one.wall));
  const bound = wall === undefined ? '' : `; if ours were nothing but them, ${(wall / (commits * flush)).toFixed(1)}x`;
  return [
    row('wall', `ReAct run on SQLite, synchronous FULL (a bare flush: ${flush.toFixed(2)} ms${bound})`, ours, theirs),
    row('cpu', 'the same, processor time', ours, theirs),
    commitsRow(commits, theirs?.commits ?? null),
  ];
}

function row(kind: keyof Taken, name: string, ours: Told, theirs: Told | undefined): Result {
  const of = ({ taken }: Told) => median(taken.map((one) => one[kind]));
  const ratio = theirs === undefined ? null : of(theirs) / of(ours);
  return {
    name,
    unit: 'ms',
    ours: of(ours),
    against:
      theirs === undefined
        ? 'LangGraph (JS) is not installed in benchmarks/peers'
        : 'LangGraph (JS) with its SQLite saver',
    theirs: theirs === undefined ? null : of(theirs),
    ratio,
    goal: `at least ${GOAL}x`,
    reached: ratio !== null && ratio >= GOAL,
  };
}

function commitsRow(ours: number, theirs: number | null): Result {
  return {
    name: 'commits of that run',
    unit: 'commits',
    ours,
    against: theirs === null ? 'a fixed limit' : 'commits of LangGraph',
    theirs: theirs ?? MAX_COMMITS,
    ratio: (theirs ?? MAX_COMMITS) / ours,
    goal: `at most ${MAX_COMMITS}`,
    reached: ours <= MAX_COMMITS,
  };
}
