import type { SqliteDb } from '@warrant/core/sqlite';
import type { GraphReader } from '../reader.ts';
import { relataTargets, type StoredPrimitive } from '../stored.ts';
import { NODE_COLUMNS, type NodeCache, type NodeRow, type RowSlot, readRow } from './cache.ts';
import type { Provenances } from './provenances.ts';

/** Reads what is stored, inside one transaction; every answer is kept for its length. */
export type RowReader = GraphReader & { readonly rowOf: (id: string) => number | undefined };

const ROW = 'SELECT row FROM graph_node WHERE id = ?';
const NODE = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE id = ?`;
const DIGEST = 'SELECT row, lower(hex(digest)) AS digest FROM graph_node WHERE id = ?';
const HOLDER = 'SELECT id FROM graph_node WHERE key = ?';
const DEPENDANTS = `SELECT s.id FROM graph_node t JOIN graph_link l ON l.target = t.row JOIN graph_node s ON s.row = l.source
  WHERE t.id = ? ORDER BY s.id`;
const PREREQUISITES = `SELECT t.id FROM graph_node s, json_each(s.prerequisites) p JOIN graph_node t ON t.row = p.value
  WHERE s.id = ? ORDER BY p.key`;

/** A reader over the tables; the cache must be of the transaction's revision. */
export function createRowReader(db: SqliteDb, cache: NodeCache, provenances: Provenances): RowReader {
  const isEmpty = db.get('SELECT 1 FROM graph_node LIMIT 1') === undefined;
  const rows = new Map<string, number | undefined>();
  const stored = new Map<string, StoredPrimitive | undefined>();
  const rowOf = (id: string): number | undefined => {
    if (isEmpty) return undefined;
    if (rows.has(id)) return rows.get(id);
    const row = db.get<{ row: number }>(ROW, id)?.row;
    rows.set(id, row);
    return row;
  };
  const get = (id: string): StoredPrimitive | undefined => {
    if (isEmpty) return undefined;
    if (stored.has(id)) return stored.get(id);
    const [row] = db.arrays<NodeRow>(NODE, id);
    const found = row === undefined ? undefined : read(db, row, cache, provenances);
    stored.set(id, found);
    rows.set(id, row?.[0]);
    return found;
  };
  return {
    rowOf,
    get,
    has: (id) => rowOf(id) !== undefined,
    digestOf: (id) => {
      if (isEmpty) return undefined;
      if (stored.has(id)) return stored.get(id)?.digest;
      const row = db.get<{ row: number; digest: string }>(DIGEST, id);
      rows.set(id, row?.row);
      return row === undefined ? undefined : `sha256:${row.digest}`;
    },
    idOfKey: (key) => (isEmpty ? undefined : db.get<{ id: string }>(HOLDER, key)?.id),
    dependants: (id) => (isEmpty ? [] : db.all<{ id: string }>(DEPENDANTS, id).map((row) => row.id)),
    prerequisites: (id) => {
      if (isEmpty) return [];
      return loadedPrerequisites(cache.peekId(id)) ?? db.all<{ id: string }>(PREREQUISITES, id).map((row) => row.id);
    },
  };
}

/** The ids of a slot's prerequisites, or undefined when not all of them are loaded. */
function loadedPrerequisites(slot: RowSlot | undefined): readonly string[] | undefined {
  if (slot?.prerequisites == null) return undefined;
  const ids: string[] = [];
  for (const { primitive } of slot.prerequisites) {
    if (primitive === null) return undefined;
    ids.push(primitive.id);
  }
  return ids;
}

function read(db: SqliteDb, row: NodeRow, cache: NodeCache, provenances: Provenances): StoredPrimitive {
  const [at, , holder] = row;
  const loaded = cache.peek(at);
  if (loaded?.primitive != null && loaded.digest !== null) {
    return { primitive: loaded.primitive, key: holder, digest: loaded.digest, ...relataTargets(loaded.primitive) };
  }
  const { primitive, key, digest } = readRow(db, row, provenances);
  return { primitive, key, digest, ...relataTargets(primitive) };
}
