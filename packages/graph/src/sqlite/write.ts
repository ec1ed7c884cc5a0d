import type { SqliteDb } from '@warrant/core/sqlite';
import { encodeBody, sourceBits } from '../body.ts';
import type { Interner } from '../interner.ts';
import type { Staged } from '../reader.ts';
import type { StoredPrimitive } from '../stored.ts';
import { type BulkInsert, createBulkInsert } from './bulk-insert.ts';
import { contentCost, type RowContent } from './cache.ts';
import type { Provenances } from './provenances.ts';
import type { RowReader } from './reader.ts';
import { INTO_NODES, insertLinks } from './rows.ts';

// Setting an indexed column to what it is costs a page of the index.
const RENAME = 'UPDATE graph_node SET key = ? WHERE row = ?';
const UPDATE = `UPDATE graph_node SET name = ?, body = ?, digest = unhex(?), prerequisites = ?, sources = ?
  WHERE row = ?`;
const UNLINK = 'DELETE FROM graph_link WHERE target = ? AND source = ?';
/** A larger batch is told to other processes, and kept in memory, as "everything changed". */
export const MAX_LISTED = 2000;
/** Revisions that changes are listed for; who is further behind starts anew. */
const KEPT_REVISIONS = 10_000;

export type WriteContext = {
  readonly db: SqliteDb;
  readonly reader: RowReader;
  readonly provenances: Provenances;
  readonly interner: Interner;
  readonly revision: number;
  readonly stamp: string;
};
type Writing = WriteContext & {
  /** The rows of what is new in this batch. */
  readonly fresh: ReadonlyMap<string, number>;
  readonly nodes: BulkInsert;
  /** Pairs of target and source, one after the other. */
  readonly links: number[];
};
/** What a batch left in the file; `written` is empty after a large one. */
export type Written = { readonly written: ReadonlyMap<number, RowContent>; readonly stale: readonly number[] };

/** Writes a judged batch as one revision. */
export function writeStaged(staged: Staged, context: WriteContext): Written {
  const { db } = context;
  const fresh = assignRows(staged, context);
  const writing: Writing = { ...context, fresh, nodes: createBulkInsert(db, INTO_NODES), links: [] };
  const isListed = staged.written.size + staged.removed.size <= MAX_LISTED;
  const removed = removeRows(staged, writing);
  releaseKeys(staged, writing);
  const written = new Map<number, RowContent>();
  const stale = [...removed];
  for (const [id, stored] of staged.written) {
    const row = rowIn(writing, id);
    const content = writeNode(row, stored, writing);
    if (isListed) written.set(row, content);
    else if (!fresh.has(id)) stale.push(row);
    relink(row, stored, writing);
  }
  writing.nodes.flush();
  insertLinks(writing.links, db);
  const bulk = isListed ? listChanges([...removed, ...written.keys()], context) : context.revision;
  db.run('UPDATE graph_meta SET revision = ?, bulk = max(bulk, ?)', context.revision, bulk);
  putStamp(db, context.revision, context.stamp);
  return { written, stale };
}

/** Says that this revision of the file is the one that was written here. */
export function putStamp(db: SqliteDb, revision: number, stamp: string): void {
  db.run('INSERT OR REPLACE INTO graph_stamp (revision, stamp) VALUES (?, ?)', revision, stamp);
  db.run('DELETE FROM graph_stamp WHERE revision <= ?', revision - KEPT_REVISIONS);
}

/** @returns the last revision that is not listed any more */
function listChanges(rows: readonly number[], { db, revision }: WriteContext): number {
  for (const row of rows) db.run('INSERT OR IGNORE INTO graph_change (revision, row) VALUES (?, ?)', revision, row);
  db.run('DELETE FROM graph_change WHERE revision <= ?', revision - KEPT_REVISIONS);
  return revision - KEPT_REVISIONS;
}

function assignRows(staged: Staged, { db, reader }: WriteContext): Map<string, number> {
  const fresh = new Map<string, number>();
  let next = (db.get<{ last: number | null }>('SELECT max(row) AS last FROM graph_node')?.last ?? 0) + 1;
  for (const id of staged.written.keys()) {
    if (reader.rowOf(id) !== undefined) continue;
    fresh.set(id, next);
    next += 1;
  }
  return fresh;
}

function rowIn(writing: Writing, id: string): number {
  return (writing.fresh.get(id) ?? writing.reader.rowOf(id)) as number;
}

function removeRows(staged: Staged, { db, reader }: Writing): readonly number[] {
  const rows: number[] = [];
  for (const id of staged.removed) {
    const row = reader.rowOf(id) as number;
    for (const target of reader.get(id)?.targets ?? []) {
      const targetRow = reader.rowOf(target);
      if (targetRow !== undefined) db.run(UNLINK, targetRow, row);
    }
    db.run('DELETE FROM graph_node WHERE row = ?', row);
    rows.push(row);
  }
  return rows;
}

/** Names may change hands within a batch, which unique keys would forbid halfway. */
function releaseKeys(staged: Staged, { db, reader, fresh }: Writing): void {
  for (const [id, stored] of staged.written) {
    if (fresh.has(id) || reader.get(id)?.key === stored.key) continue;
    db.run('UPDATE graph_node SET key = NULL WHERE id = ?', id);
  }
}

function writeNode(row: number, stored: StoredPrimitive, writing: Writing): RowContent {
  const { db, provenances, interner, fresh, nodes } = writing;
  const { primitive, key, digest } = stored;
  const body = encodeBody(primitive, (provenance) => provenances.number(db, provenance), interner.textOf);
  const prerequisites = stored.prerequisites.map((target) => rowIn(writing, target));
  const hash = digest.slice('sha256:'.length);
  const rows = `[${prerequisites.join(',')}]`;
  const sources = sourceBits(primitive);
  if (fresh.has(primitive.id)) nodes.add([row, primitive.id, key, primitive.name, body, hash, rows, sources]);
  else {
    db.run(UPDATE, primitive.name, body, hash, rows, sources, row);
    if (writing.reader.get(primitive.id)?.key !== key) db.run(RENAME, key, row);
  }
  return { primitive, key, digest, prerequisites, cost: contentCost(body.length) };
}

function relink(row: number, stored: StoredPrimitive, writing: Writing): void {
  const { db, reader, fresh, links } = writing;
  const { id } = stored.primitive;
  const before = fresh.has(id) ? [] : (reader.get(id)?.targets ?? []);
  if (before.length === 0) {
    for (const target of stored.targets) links.push(rowIn(writing, target), row);
    return;
  }
  const old = new Set(before);
  const now = new Set(stored.targets);
  for (const target of stored.targets) if (!old.has(target)) links.push(rowIn(writing, target), row);
  for (const target of before) {
    const targetRow = reader.rowOf(target);
    if (!now.has(target) && targetRow !== undefined) db.run(UNLINK, targetRow, row);
  }
}
