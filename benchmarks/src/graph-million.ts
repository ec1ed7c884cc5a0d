import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Primitive } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '@warrant/graph/sqlite';
import Sqlite from 'better-sqlite3';
import { median, type Result } from './benchmark.ts';
import { cpuMs } from './processor.ts';
import { generatePrimitives } from './vre-graph.ts';

const PRIMITIVES = 1_000_000;
const PER_APPLY = 50_000;
const PROCESSES = 5;
const NODE_COLUMNS = 'row, id, key, name, body, digest, prerequisites, sources';
/** The tables of the graph that hold what was imported, as the store makes them. */
const TABLES = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name IN ('graph_node', 'graph_link')";

type Times = { readonly ours: number; readonly raw: number };

/**
 * A clustered graph of a million, imported in several `apply`, against the same rows inserted by the driver alone; then
 * what a process sees that opens it. Times of an import are of the processor: the disk is the same for both.
 * @param folder where some 2 GB fit
 */
export async function millionRows(folder: string): Promise<readonly Result[]> {
  const path = join(folder, 'million.db');
  const { ours, raw } = await importAll(path, join(folder, 'million-raw.db'));
  const opened = Array.from({ length: PROCESSES }, () => open(path));
  const middle = (key: keyof Opened): number => median(opened.map((one) => one[key]));
  const title = '1,000,000 concepts, 3,000,000 relata, clustered';
  return [
    {
      name: `${title}: import in ${PRIMITIVES / PER_APPLY} apply, processor time`,
      unit: 'ms',
      ours,
      against: 'the same rows inserted raw',
      theirs: raw,
      ratio: raw / ours,
      goal: 'at least 0.2x',
      reached: raw / ours >= 0.2,
    },
    first(`${title}: open and check 1`, middle('firstMs'), middle('firstCpuMs')),
    atMost(`${title}: check 1, warm`, 1000 * middle('warmMs'), 100, 'microseconds'),
    atMost(`${title}: memory after 1,000 concepts were checked (RSS)`, middle('rssMb'), 300, 'MB'),
  ];
}

/** Waiting for a processor shows as time that passed without being used. */
function first(name: string, ours: number, cpuMs: number): Result {
  const result = atMost(name, ours, 30, 'ms');
  return result.reached !== true && cpuMs < 30 && ours > 1.25 * cpuMs ? { ...result, reached: 'contended' } : result;
}

type Opened = Record<'firstMs' | 'firstCpuMs' | 'coldMs' | 'warmMs' | 'rssMb', number>;

function open(path: string): Opened {
  const script = join(import.meta.dirname, 'graph-opened.ts');
  const args = [...process.execArgv, script, path, 'loaded', String(PRIMITIVES)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Opened;
}

function atMost(name: string, ours: number, most: number, unit: string): Result {
  const goal = `under ${most} ${unit}`;
  return { name, unit, ours, against: 'the goal', theirs: most, ratio: most / ours, goal, reached: ours < most };
}

/** Batch by batch in turns, so that both meet the same machine. */
async function importAll(path: string, rawPath: string): Promise<Times> {
  const file = openSqlite(path);
  const store = createSqliteGraphStore({ file });
  const from = new Sqlite(path, { readonly: true });
  const to = new Sqlite(rawPath);
  to.pragma('journal_mode = WAL');
  to.pragma('synchronous = FULL');
  for (const sql of from.prepare(TABLES).pluck().all()) to.exec(sql as string);
  const times = { ours: 0, raw: 0 };
  let count = 0;
  for (const part of parts(generatePrimitives('clustered', PRIMITIVES))) {
    const changes = part.map((primitive) => ({ type: 'put-primitive' as const, primitive }));
    const before = cpuMs();
    const applied = await store.apply(changes, { id: `part-${count}`, expected: 'any' });
    times.ours += cpuMs() - before;
    if (applied.type !== 'applied') throw new Error(`the import was ${applied.type}`);
    times.raw += insertRaw(from, to, count);
    count += part.length;
  }
  await store.close();
  for (const one of [from, to, file]) one.close();
  return times;
}

/** The rows of one batch, read beforehand. */
function insertRaw(from: Sqlite.Database, to: Sqlite.Database, first: number): number {
  const nodes = from.prepare(`SELECT ${NODE_COLUMNS} FROM graph_node WHERE row > ?`).raw().all(first);
  const links = from.prepare('SELECT target, source FROM graph_link WHERE target > ?').raw().all(first);
  const before = cpuMs();
  const node = to.prepare(`INSERT INTO graph_node (${NODE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const link = to.prepare('INSERT INTO graph_link (target, source) VALUES (?, ?)');
  to.transaction(() => {
    for (const row of nodes) node.run(row as unknown[]);
    for (const row of links) link.run(row as unknown[]);
  })();
  return cpuMs() - before;
}

function* parts(primitives: Iterable<Primitive>): Generator<readonly Primitive[]> {
  let part: Primitive[] = [];
  for (const primitive of primitives) {
    part.push(primitive);
    if (part.length < PER_APPLY) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
