import { foldName, type MemoryRecord, type MemoryStore } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { timeOf } from '../times.ts';
import { COLUMNS, type Row, readableRecords } from './rows.ts';
import type { Vectors } from './vectors.ts';

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
const ROWS = `SELECT ${COLUMNS} FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?))`;

/** Candidates of all signals, best first. */
export function searchRows(db: SqliteDb, query: Query, vectors: Vectors): readonly Found[] {
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
  if (query.vector !== undefined) {
    const found = [...hits.keys()];
    const living = (seqs: readonly number[]): ReadonlySet<number> => livingOf(db, seqs, live);
    for (const { seq, cosine } of vectors.similar(db, query.vector, { limit, found, living }))
      if (cosine > 0 || hits.has(seq)) hit(seq).cosine = cosine;
  }
  const best = [...hits.values()].sort((a, b) => order(b) - order(a) || a.seq - b.seq).slice(0, limit);
  const rows = db.all<Row>(ROWS, JSON.stringify(best.map(({ seq }) => seq)));
  const records = new Map(readableRecords(db, rows).map(({ seq, record }) => [seq, record]));
  return best.flatMap(({ seq, own, context, cosine: similar }) => {
    const record = records.get(seq);
    return record === undefined ? [] : [{ record, own, context, cosine: similar }];
  });
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
    const living = livingOf(
      db,
      top.map(({ seq }) => seq),
      live,
    );
    const kept = top.filter(({ seq }) => living.has(seq));
    if (kept.length >= limit || top.length < look) return kept.slice(0, limit);
  }
}

function livingOf(db: SqliteDb, seqs: readonly number[], live: readonly (string | number)[]): ReadonlySet<number> {
  return new Set(db.arrays<[number]>(LIVING, JSON.stringify(seqs), ...live).map(([seq]) => seq));
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
