import type { GraphVersion } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { decodeBody, type StoredBody } from '../body.ts';
import { graphError } from '../errors.ts';
import { createKeptSlots, type KeptContent, type KeptSlot } from '../slots.ts';
import type { Provenances } from './provenances.ts';

/** A slot of the primitive in a row. */
export type RowSlot = KeptSlot<number>;
export type RowContent = KeptContent<number>;

/** The columns of {@link NODE_COLUMNS}; rows as arrays cost the driver less than objects. */
export type NodeRow = readonly [
  row: number,
  id: string,
  key: string,
  name: string,
  body: string,
  /** In hexadecimal. */
  digest: string,
  prerequisites: string,
];
type Meta = {
  readonly epoch: string;
  readonly revision: number;
  readonly bulk: number;
  readonly stamp: string;
};

/** The loaded part of a graph in a file, always as of one revision. */
export type NodeCache = {
  readonly version: () => GraphVersion;
  /** The slot of a fold key; null: known to be absent; undefined: not looked up yet. */
  readonly find: (key: string) => RowSlot | null | undefined;
  readonly lookUp: (db: SqliteDb, key: string) => RowSlot | null;
  /** Loads the slot at the index, and the next ones of the walk that are not loaded either. */
  readonly load: (db: SqliteDb, walk: readonly RowSlot[], index: number) => void;
  /** Brings the cache to what the transaction sees; keeps what did not change. */
  readonly refresh: (db: SqliteDb) => void;
  /** Takes over what this process has just committed. */
  readonly publish: (change: PublishedChange) => void;
  readonly peek: (row: number) => RowSlot | undefined;
  /** The slot of a loaded primitive. */
  readonly peekId: (id: string) => RowSlot | undefined;
  /** Starts anew, and says so, when more is held than the limit and than twice the last closure. */
  readonly trim: (closure: number) => boolean;
};
export type PublishedChange = {
  readonly version: GraphVersion;
  /** What the file has for this revision and for no other history of it. */
  readonly stamp: string;
  readonly written: ReadonlyMap<number, RowContent>;
  readonly stale: readonly number[];
};

// A text costs the driver less than bytes.
export const NODE_COLUMNS = 'row, id, key, name, body, lower(hex(digest)) AS digest, prerequisites';
const BY_KEY = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE key = ?`;
const BY_ROW = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE row = ?`;
/** So many rows are read by one statement: together they cost a third less than one by one. */
const ROWS_AT_ONCE = 8;
const BY_ROWS = `SELECT ${NODE_COLUMNS} FROM (VALUES ${Array.from({ length: ROWS_AT_ONCE }, () => '(?)').join(',')}) wanted
  CROSS JOIN graph_node ON row = wanted.column1`;
const NO_ROWS: readonly null[] = Array.from({ length: ROWS_AT_ONCE }, () => null);
/** How far ahead a walk is searched for them. */
const LOOK_AHEAD = 32;
const META = `SELECT epoch, m.revision, bulk, coalesce(stamp, '') AS stamp
  FROM graph_meta m LEFT JOIN graph_stamp s ON s.revision = m.revision`;
const STAMP = 'SELECT stamp FROM graph_stamp WHERE revision = ?';
const CHANGED = 'SELECT row FROM graph_change WHERE revision > ? LIMIT ?';
/** With more foreign changes than this it is cheaper to start anew. */
const MAX_CHANGED = 10_000;
const MAX_ABSENT = 10_000;
const NOTHING: readonly number[] = [];
/** What an object graph of one primitive costs beside its text, roughly. */
const NODE_COST = 600;

/** @param limit how much may be kept, in characters of stored text and 600 a primitive */
export function createNodeCache(provenances: Provenances, limit: number): NodeCache {
  const slots = createKeptSlots<number>();
  const absent = new Set<string>();
  let version: GraphVersion = Object.freeze({ epoch: '', revision: -1 });
  let stamp = '';
  const reset = (): void => {
    slots.clear();
    absent.clear();
  };
  const forget = (changed: readonly number[]): void => {
    absent.clear();
    for (const row of changed) slots.empty(row);
  };
  return {
    version: () => version,
    find: (key) => slots.ofKey(key) ?? (absent.has(key) ? null : undefined),
    lookUp: (db, key) => {
      const [row] = db.arrays<NodeRow>(BY_KEY, key);
      if (row !== undefined) return slots.fill(slots.of(row[0]), readRow(db, row, provenances));
      if (absent.size >= MAX_ABSENT) absent.clear();
      absent.add(key);
      return null;
    },
    load: (db, walk, index) => {
      const wanted = unloaded(walk, index);
      for (const row of readRows(db, wanted)) slots.fill(slots.of(row[0]), readRow(db, row, provenances));
      for (const slot of wanted) if (slot.primitive === null) throw corrupt(`in row ${slot.at}`);
    },
    refresh: (db) => {
      const meta = db.get<Meta>(META);
      if (meta === undefined) throw graphError('GRAPH_FILE_CORRUPT', "the file's graph has no version", {});
      if (meta.stamp === stamp && meta.epoch === version.epoch && meta.revision === version.revision) return;
      const goesOn = meta.epoch === version.epoch && isStamped(db, version.revision, stamp);
      const changed = goesOn ? changedSince(db, version, meta) : null;
      if (changed !== null) forget(changed);
      else reset();
      if (!goesOn) provenances.forget();
      version = Object.freeze({ epoch: meta.epoch, revision: meta.revision });
      stamp = meta.stamp;
    },
    publish: (change) => {
      version = change.version;
      stamp = change.stamp;
      forget(change.stale);
      for (const [row, content] of change.written) slots.fill(slots.of(row), content);
    },
    peek: slots.peek,
    peekId: slots.ofId,
    trim: (closure) => {
      if (slots.held() <= limit || slots.held() <= 2 * closure) return false;
      reset();
      return true;
    },
  };
}

/** The first slots without content from the index on. */
function unloaded(walk: readonly RowSlot[], index: number): readonly RowSlot[] {
  const wanted: RowSlot[] = [];
  const end = Math.min(walk.length, index + LOOK_AHEAD);
  for (let at = index; at < end && wanted.length < ROWS_AT_ONCE; at += 1) {
    const slot = walk[at] as RowSlot;
    if (slot.primitive === null) wanted.push(slot);
  }
  return wanted;
}

function readRows(db: SqliteDb, wanted: readonly RowSlot[]): readonly NodeRow[] {
  const rows = wanted.map(({ at }) => at);
  if (rows.length === 1) return db.arrays<NodeRow>(BY_ROW, rows[0] as number);
  return db.arrays<NodeRow>(BY_ROWS, ...rows, ...NO_ROWS.slice(rows.length));
}

function isStamped(db: SqliteDb, revision: number, stamp: string): boolean {
  return db.get<{ stamp: string }>(STAMP, revision)?.stamp === stamp;
}

/** The rows that others changed, or null when they are too many to go through. */
function changedSince(db: SqliteDb, version: GraphVersion, meta: Meta): readonly number[] | null {
  if (version.revision < meta.bulk) return null;
  const changed = db.all<{ row: number }>(CHANGED, version.revision, MAX_CHANGED + 1);
  return changed.length > MAX_CHANGED ? null : changed.map(({ row }) => row);
}

/** Decodes a stored row. */
export function readRow(db: SqliteDb, row: NodeRow, provenances: Provenances): RowContent {
  const [, id, key, name, body, digest, prerequisites] = row;
  try {
    return {
      primitive: decodeBody({ id, name }, JSON.parse(body) as StoredBody, (number) => provenances.read(db, number)),
      key,
      digest: `sha256:${digest}`,
      prerequisites: prerequisites === '[]' ? NOTHING : rowNumbers(JSON.parse(prerequisites)),
      cost: contentCost(body.length),
    };
  } catch (cause) {
    throw corrupt(id, cause);
  }
}

function rowNumbers(value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every(Number.isSafeInteger)) return value;
  throw new TypeError('rows that are no list of numbers');
}

/** The error for a file whose tables contradict themselves. */
function corrupt(id: string, cause?: unknown): Error {
  return graphError('GRAPH_FILE_CORRUPT', `the file's row of the primitive ${id} is damaged`, { primitive: id }, cause);
}

/** What a primitive counts against the limit. */
export function contentCost(bodyLength: number): number {
  return NODE_COST + bodyLength;
}
