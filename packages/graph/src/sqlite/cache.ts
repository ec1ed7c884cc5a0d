import type { Digest, GraphVersion, Primitive } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { createSlot, type Slot } from '../slot.ts';
import { corrupt, decodeBody } from './body.ts';
import type { Provenances } from './provenances.ts';

/** A slot of a stored row; `key` is known once it is loaded. */
export type RowSlot = Slot & {
  readonly row: number;
  key: string | null;
  cost: number;
  prerequisites: readonly RowSlot[] | null;
};

/** What is loaded into a slot. */
export type RowContent = {
  readonly primitive: Primitive;
  readonly key: string;
  readonly digest: Digest;
  readonly prerequisites: readonly number[];
  readonly cost: number;
};
export type NodeRow = {
  readonly row: number;
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly body: string;
  readonly digest: Uint8Array;
  readonly prerequisites: string;
};
type Meta = { readonly epoch: string; readonly revision: number; readonly bulk: number };

/** The loaded part of a graph in a file, always as of one revision. */
export type NodeCache = {
  readonly version: () => GraphVersion;
  /** The slot of a fold key; null: known to be absent; undefined: not looked up yet. */
  readonly find: (key: string) => RowSlot | null | undefined;
  readonly lookUp: (db: SqliteDb, key: string) => RowSlot | null;
  readonly load: (db: SqliteDb, slot: RowSlot) => void;
  /** Brings the cache to what the transaction sees; keeps what did not change. */
  readonly refresh: (db: SqliteDb) => void;
  /** Takes over what this process has just committed. */
  readonly publish: (change: PublishedChange) => void;
  readonly peek: (row: number) => RowSlot | undefined;
  /** The slot of a loaded primitive. */
  readonly peekId: (id: string) => RowSlot | undefined;
  /** Starts anew when more is held than the limit and than twice the last closure. */
  readonly trim: (closure: number) => void;
};
export type PublishedChange = {
  readonly version: GraphVersion;
  readonly written: ReadonlyMap<number, RowContent>;
  readonly stale: readonly number[];
};

const NODE_COLUMNS = 'row, id, key, name, body, digest, prerequisites';
const BY_KEY = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE key = ?`;
const BY_ROW = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE row = ?`;
const META = 'SELECT epoch, revision, bulk FROM graph_meta';
const CHANGED = 'SELECT row FROM graph_change WHERE revision > ? LIMIT ?';
/** With more foreign changes than this it is cheaper to start anew. */
const MAX_CHANGED = 10_000;
const MAX_ABSENT = 10_000;
/** What an object graph of one primitive costs beside its text, roughly. */
const NODE_COST = 600;

/** @param limit how much may be kept, in characters of stored text and 600 a primitive */
export function createNodeCache(provenances: Provenances, limit: number): NodeCache {
  const rows = new Map<number, RowSlot>();
  const byKey = new Map<string, RowSlot>();
  const byId = new Map<string, RowSlot>();
  const absent = new Set<string>();
  let version: GraphVersion = Object.freeze({ epoch: '', revision: -1 });
  let held = 0;

  const reset = (): void => {
    rows.clear();
    byKey.clear();
    byId.clear();
    absent.clear();
    held = 0;
  };
  const slotOf = (row: number): RowSlot => {
    const known = rows.get(row);
    if (known !== undefined) return known;
    const slot: RowSlot = Object.assign(createSlot(), { row, key: null, cost: 0, prerequisites: null });
    rows.set(row, slot);
    return slot;
  };
  const empty = (slot: RowSlot): void => {
    if (slot.key !== null && byKey.get(slot.key) === slot) byKey.delete(slot.key);
    if (slot.primitive !== null) byId.delete(slot.primitive.id);
    held -= slot.cost;
    Object.assign(slot, { primitive: null, digest: null, prerequisites: null, key: null, cost: 0 });
  };
  const fill = (slot: RowSlot, content: RowContent): void => {
    empty(slot);
    slot.primitive = content.primitive;
    slot.digest = content.digest;
    slot.key = content.key;
    slot.cost = content.cost;
    slot.prerequisites = content.prerequisites.map(slotOf);
    held += content.cost;
    byKey.set(content.key, slot);
    byId.set(content.primitive.id, slot);
  };
  const forget = (changed: readonly number[]): void => {
    absent.clear();
    for (const row of changed) {
      const slot = rows.get(row);
      if (slot !== undefined) empty(slot);
    }
  };
  return {
    version: () => version,
    find: (key) => byKey.get(key) ?? (absent.has(key) ? null : undefined),
    lookUp: (db, key) => {
      const row = db.get<NodeRow>(BY_KEY, key);
      if (row !== undefined) {
        const slot = slotOf(row.row);
        fill(slot, readRow(db, row, provenances));
        return slot;
      }
      if (absent.size >= MAX_ABSENT) absent.clear();
      absent.add(key);
      return null;
    },
    load: (db, slot) => {
      const row = db.get<NodeRow>(BY_ROW, slot.row);
      if (row === undefined) throw corrupt(`in row ${slot.row}`);
      fill(slot, readRow(db, row, provenances));
    },
    refresh: (db) => {
      const meta = db.get<Meta>(META) as Meta;
      if (meta.epoch === version.epoch && meta.revision === version.revision) return;
      const changed = meta.epoch === version.epoch ? changedSince(db, version.revision, meta.bulk) : null;
      if (changed === null) {
        reset();
        if (meta.epoch !== version.epoch) provenances.forget();
      } else forget(changed);
      version = Object.freeze({ epoch: meta.epoch, revision: meta.revision });
    },
    publish: (change) => {
      version = change.version;
      forget(change.stale);
      for (const [row, content] of change.written) fill(slotOf(row), content);
    },
    peek: (row) => rows.get(row),
    peekId: (id) => byId.get(id),
    trim: (closure) => {
      if (held > limit && held > 2 * closure) reset();
    },
  };
}

/** The rows that others changed, or null when they are too many to go through. */
function changedSince(db: SqliteDb, revision: number, bulk: number): readonly number[] | null {
  if (revision < bulk) return null;
  const changed = db.all<{ row: number }>(CHANGED, revision, MAX_CHANGED + 1);
  return changed.length > MAX_CHANGED ? null : changed.map(({ row }) => row);
}

/** Decodes a stored row. */
export function readRow(db: SqliteDb, row: NodeRow, provenances: Provenances): RowContent {
  const primitive = decodeBody(row, (number) => provenances.read(db, number));
  return {
    primitive,
    key: row.key,
    digest: `sha256:${Buffer.from(row.digest.buffer, row.digest.byteOffset, row.digest.byteLength).toString('hex')}`,
    prerequisites: readRows(row),
    cost: contentCost(row.body.length),
  };
}

/** What a primitive counts against the limit. */
export function contentCost(bodyLength: number): number {
  return NODE_COST + bodyLength;
}

function readRows(row: NodeRow): readonly number[] {
  try {
    return JSON.parse(row.prerequisites) as readonly number[];
  } catch (cause) {
    throw corrupt(row.id, cause);
  }
}
