import type { Primitive, Provenance } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import type { Staged } from '../reader.ts';
import type { StoredPrimitive } from '../stored.ts';
import { encodeBody } from './body.ts';
import { contentCost, type RowContent } from './cache.ts';
import type { Provenances } from './provenances.ts';
import type { RowReader } from './reader.ts';

const INSERT = `INSERT INTO graph_node (row, id, key, name, body, digest, prerequisites, sources, revision)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = `UPDATE graph_node SET key = ?, name = ?, body = ?, digest = ?, prerequisites = ?, sources = ?, revision = ?
  WHERE row = ?`;
const LINK = 'INSERT INTO graph_link (target, source) VALUES (?, ?)';
const UNLINK = 'DELETE FROM graph_link WHERE target = ? AND source = ?';
/** Rows up to this fit into one number twice, which makes sorting pairs cheap. */
const PAIR = 2 ** 26;

type Writing = {
  readonly db: SqliteDb;
  readonly reader: RowReader;
  readonly provenances: Provenances;
  readonly revision: number;
  /** The rows of what is new in this batch. */
  readonly fresh: Map<string, number>;
};
export type Written = { readonly written: ReadonlyMap<number, RowContent>; readonly removed: readonly number[] };

/** Writes a judged batch as one revision. @returns what the file holds now of it */
export function writeStaged(staged: Staged, writing: Omit<Writing, 'fresh'>): Written {
  const all: Writing = { ...writing, fresh: assignRows(staged, writing) };
  const removed = removeRows(staged, all);
  releaseKeys(staged, all);
  const written = new Map<number, RowContent>();
  const links: (readonly [target: number, source: number])[] = [];
  for (const [id, stored] of staged.written) {
    const row = rowIn(all, id);
    written.set(row, writeNode(row, stored, all));
    relink(row, stored, all, links);
  }
  insertLinks(links, all.db);
  return { written, removed };
}

function assignRows(staged: Staged, { db, reader }: Omit<Writing, 'fresh'>): Map<string, number> {
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

function removeRows(staged: Staged, { db, reader, revision }: Writing): readonly number[] {
  const rows: number[] = [];
  for (const id of staged.removed) {
    const row = reader.rowOf(id) as number;
    for (const target of reader.get(id)?.targets ?? []) {
      const targetRow = reader.rowOf(target);
      if (targetRow !== undefined) db.run(UNLINK, targetRow, row);
    }
    db.run('DELETE FROM graph_node WHERE row = ?', row);
    db.run('INSERT OR IGNORE INTO graph_removed (revision, row) VALUES (?, ?)', revision, row);
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
  const { db, provenances, revision, fresh } = writing;
  const { primitive, key, digest } = stored;
  const body = encodeBody(primitive, (provenance) => provenances.number(db, provenance));
  const prerequisites = stored.prerequisites.map((target) => rowIn(writing, target));
  const hash = Buffer.from(digest.slice('sha256:'.length), 'hex');
  const rows = `[${prerequisites.join(',')}]`;
  const sources = sourceBits(primitive);
  if (fresh.has(primitive.id)) {
    db.run(INSERT, row, primitive.id, key, primitive.name, body, hash, rows, sources, revision);
  } else {
    db.run(UPDATE, key, primitive.name, body, hash, rows, sources, revision, row);
  }
  return { primitive, key, digest, prerequisites, cost: contentCost(body.length) };
}

function relink(
  row: number,
  stored: StoredPrimitive,
  writing: Writing,
  links: (readonly [target: number, source: number])[],
): void {
  const { db, reader } = writing;
  const before = writing.fresh.has(stored.primitive.id) ? [] : (reader.get(stored.primitive.id)?.targets ?? []);
  if (before.length === 0) {
    for (const target of stored.targets) links.push([rowIn(writing, target), row]);
    return;
  }
  const old = new Set(before);
  const now = new Set(stored.targets);
  for (const target of stored.targets) if (!old.has(target)) links.push([rowIn(writing, target), row]);
  for (const target of before) {
    const targetRow = reader.rowOf(target);
    if (!now.has(target) && targetRow !== undefined) db.run(UNLINK, targetRow, row);
  }
}

/** In the order of the index, so that its pages fill one after another. */
function insertLinks(links: readonly (readonly [target: number, source: number])[], db: SqliteDb): void {
  if (links.some(([target, source]) => target >= PAIR || source >= PAIR)) {
    for (const [target, source] of links) db.run(LINK, target, source);
    return;
  }
  const pairs = Float64Array.from(links, ([target, source]) => target * PAIR + source).sort();
  for (const pair of pairs) db.run(LINK, Math.floor(pair / PAIR), pair % PAIR);
}

/** One bit a source of provenance, of the primitive or any part of it. */
export const SOURCE_BITS = { authored: 1, learned: 2, peer: 4 } as const satisfies Record<Provenance['source'], number>;

function sourceBits(primitive: Primitive): number {
  let bits: number = SOURCE_BITS[primitive.provenance.source];
  for (const depth of primitive.depths) {
    bits |= SOURCE_BITS[depth.provenance.source];
    for (const relatum of depth.relata) bits |= SOURCE_BITS[relatum.provenance.source];
  }
  return bits;
}
