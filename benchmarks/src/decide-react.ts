import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Journal } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createScriptedProvider } from '@warrant/decide';
import { agentFromTools } from '@warrant/decide/react';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { median, type Result } from './benchmark.ts';
import { isInstalled, PEERS } from './peers.ts';
import { type Taken, timed } from './processor.ts';

const DISK_PROBES = 20;
const RUNS = 60;
const COLD_RUNS = 20;
const MAX_COMMITS = 4;
const GOAL = 3;

type Peer = { run(thread: string): Promise<void>; commits(): number; close(): void };

/** A task, a tool call, its result and the answer, each an acknowledged write to a file; the peer runs in turn with ours. */
export async function reactRuns(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-decide-'));
  const file = openSqlite(join(folder, 'journal.db'));
  const peer = await openPeer(join(folder, 'langgraph.db'));
  try {
    const journal = createSqliteJournal(file);
    const append = await probe(journal);
    const runAgent = openAgent(journal);
    const ours: Taken[] = [];
    const theirs: Taken[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      ours.push(await timed(() => runAgent(index)));
      if (peer !== undefined) theirs.push(await timed(() => peer.run(`run-${index}`)));
    }
    const commits = (await journal.head('agents/urn:bench:0'))?.position ?? Number.NaN;
    return [
      row('wall', `ReAct run on SQLite, synchronous FULL (one append alone: ${append.toFixed(2)} ms)`, ours, theirs),
      row('cpu', 'the same, processor time', ours, theirs),
      commitsRow(commits, peer === undefined ? null : peer.commits() / RUNS),
    ];
  } finally {
    peer?.close();
    file.close();
    rmSync(folder, { recursive: true });
  }
}

async function openPeer(path: string): Promise<Peer | undefined> {
  if (!isInstalled('@langchain/langgraph')) return undefined;
  const file = pathToFileURL(join(PEERS, 'langgraph.mjs')).href;
  return ((await import(file)) as { openReactAgent(path: string): Peer }).openReactAgent(path);
}

/** What one durable write costs here and now. */
async function probe(journal: Journal): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < DISK_PROBES; index += 1) {
    const entry = { id: `${index}`, type: 'probe', schemaVersion: 1, data: 'x'.repeat(200) };
    times.push((await timed(() => journal.append('probe', [entry], { expected: 'any' }))).wall);
  }
  return median(times);
}

/** Made once, as the peer's graph is compiled once. */
function openAgent(journal: Journal): (index: number) => Promise<void> {
  const model = createScriptedProvider([]);
  const agent = agentFromTools({ tools: { look: async () => ({ found: true }) }, model });
  return async (index) => {
    model.push(
      { content: { event: 'call.look', payload: { id: 1 } } },
      { content: { event: 'finish', payload: 'done' } },
    );
    const { type } = await agent.run('find it', { journal, actor: `urn:bench:${index}` });
    if (type !== 'finished') throw new Error(`the run ${type}`);
  };
}

function row(kind: keyof Taken, name: string, ours: readonly Taken[], theirs: readonly Taken[]): Result {
  const of = (all: readonly Taken[]) => median(all.slice(COLD_RUNS).map((one) => one[kind]));
  const ratio = theirs.length === 0 ? null : of(theirs) / of(ours);
  return {
    name,
    unit: 'ms',
    ours: of(ours),
    against:
      theirs.length === 0
        ? 'LangGraph (JS) is not installed in benchmarks/peers'
        : 'LangGraph (JS) with its SQLite saver',
    theirs: theirs.length === 0 ? null : of(theirs),
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
    against: theirs === null ? 'a fixed limit' : 'checkpoints of LangGraph',
    theirs: theirs ?? MAX_COMMITS,
    ratio: (theirs ?? MAX_COMMITS) / ours,
    goal: `at most ${MAX_COMMITS}`,
    reached: ours <= MAX_COMMITS,
  };
}
