import { foldName, type MemoryRecord, type MemoryStore } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { cosine } from '../cosine.ts';
import { timeOf } from '../times.ts';
import { COLUMNS, type Row, toRecords } from './rows.ts';

export type Query = Parameters<MemoryStore['search']>[0];
export type Found = {
  readonly record: MemoryRecord;
  readonly own: number;
  readonly context: number;
  readonly cosine: number | null;
};
type Hit = { readonly seq: number; own: number; context: number; cosine: number | null; tagged: boolean };

/** Rows of the index that are looked at first, for each that is wanted. */
const FIRST_LOOK = 2;
/** The same conditions for every signal, so that nothing takes a place that it is filtered from later. */
const LIVE = `coalesce(r.valid_from, r.recorded_at) <= ? AND (r.valid_to IS NULL OR r.valid_to > ?) AND r.recorded_at <= ?
  AND (r.closed_at IS NULL OR r.closed_at > ?) AND (r.expires_at IS NULL OR r.expires_at > ?)
  AND (r.archived = 0 OR r.closed_at IS NOT NULL)
  AND EXISTS (SELECT 1 FROM json_each(?) p WHERE substr(r.key, 1, length(p.value)) = p.value)`;
/** Sorted within the index; the second score is computed for the rows that are returned, not for all that match. */
const BY_TEXT = `SELECT rowid AS seq, -rank AS context, -bm25(memory_text, 1.0, 0.0) AS own FROM memory_text
  WHERE memory_text MATCH ? ORDER BY rank LIMIT ?`;
const LIVING = `SELECT r.seq AS seq FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?)) AND ${LIVE}`;
const BY_ENTITY = `SELECT DISTINCT r.seq AS seq FROM memory_entities e JOIN memory_records r ON r.seq = e.record
  WHERE e.entity IN (SELECT value FROM json_each(?)) AND ${LIVE} ORDER BY r.seq DESC LIMIT ?`;
const BY_VECTOR = `SELECT r.seq AS seq, v.vector AS vector FROM memory_vectors v JOIN memory_records r ON r.seq = v.record WHERE ${LIVE}`;
const ROWS = `SELECT ${COLUMNS} FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?))`;

/** Candidates of all signals, best first. */
export function searchRows(db: SqliteDb, query: Query): readonly Found[] {
  const hits = new Map<number, Hit>();
  const hit = (seq: number): Hit => {
    const known = hits.get(seq) ?? { seq, own: 0, context: 0, cosine: null, tagged: false };
    hits.set(seq, known);
    return known;
  };
  const live = parametersOf(query);
  const limit = Math.min(query.limit, Number.MAX_SAFE_INTEGER);
  for (const { seq, own, context } of query.words.length === 0 ? [] : searchText(db, query.words, live, limit))
    Object.assign(hit(seq), { own: Math.max(0, own), context: Math.max(0, context, Number.MIN_VALUE) });
  if (query.entities !== undefined && query.entities.length > 0)
    for (const { seq } of db.all<{ seq: number }>(
      BY_ENTITY,
      JSON.stringify(query.entities.map(foldName)),
      ...live,
      limit,
    ))
      hit(seq).tagged = true;
  if (query.vector !== undefined) addSimilar(db, query.vector, live, { hits, hit, limit });
  const best = [...hits.values()].sort((a, b) => order(b) - order(a) || a.seq - b.seq).slice(0, limit);
  const rows = db.all<Row>(ROWS, JSON.stringify(best.map(({ seq }) => seq)));
  const records = new Map(toRecords(db, rows).map((record, index) => [(rows[index] as Row).seq, record]));
  return best.map(({ seq, own, context, cosine: similar }) => ({
    record: records.get(seq) as MemoryRecord,
    own,
    context,
    cosine: similar,
  }));
}

type TextHit = { readonly seq: number; readonly own: number; readonly context: number };

/** The best living rows. Where many of the best are not, more are looked at, until there are enough or no more. */
function searchText(
  db: SqliteDb,
  words: readonly string[],
  live: readonly (string | number)[],
  limit: number,
): readonly TextHit[] {
  const match = matchOf(words);
  for (let look = Math.min(limit * FIRST_LOOK, Number.MAX_SAFE_INTEGER); ; look *= 8) {
    const top = db.all<TextHit>(BY_TEXT, match, look);
    const seqs = JSON.stringify(top.map(({ seq }) => seq));
    const living = new Set(db.all<{ seq: number }>(LIVING, seqs, ...live).map(({ seq }) => seq));
    const kept = top.filter(({ seq }) => living.has(seq));
    if (kept.length >= limit || top.length < look) return kept.slice(0, limit);
  }
}

function order(hit: Hit): number {
  return hit.context + (hit.tagged ? 100 : 0) + (hit.cosine ?? 0) * 10;
}

function parametersOf(query: Query): readonly (string | number)[] {
  const valid = timeOf(query.validAt);
  const known = timeOf(query.knownAt);
  return [valid, valid, known, known, known, JSON.stringify(query.readable)];
}

/** Every word in quotes: nothing of it is syntax. */
function matchOf(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
}

function addSimilar(
  db: SqliteDb,
  vector: Float32Array,
  live: readonly (string | number)[],
  found: { readonly hits: ReadonlyMap<number, Hit>; readonly hit: (seq: number) => Hit; readonly limit: number },
): void {
  const similar = db
    .all<{ seq: number; vector: Buffer }>(BY_VECTOR, ...live)
    .map((row) => ({ seq: row.seq, cosine: cosine(vector, toVector(row.vector)) }))
    .sort((a, b) => b.cosine - a.cosine);
  for (const [place, { seq, cosine: value }] of similar.entries())
    if (found.hits.has(seq) || (place < found.limit && value > 0)) found.hit(seq).cosine = value;
}

/** A copy, since the driver's buffers need not be aligned. */
function toVector(bytes: Buffer): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength >> 2);
}
