import { foldName } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { type Found, Hits, type Query, type TextHit } from '../hits.ts';
import { timeOf } from '../times.ts';
import { COLUMNS, type Columns, readableRecords, rowOf } from './rows.ts';
import { bestByText } from './search-text.ts';
import type { Vectors } from './vectors.ts';

/** Rows of the index that are looked at first, for each that is wanted. */
const FIRST_LOOK = 2;
/** The same conditions for every signal, so that nothing takes a place that it is filtered from later. */
const LIVE = `coalesce(r.valid_from, r.recorded_at) <= ? AND (r.valid_to IS NULL OR r.valid_to > ?) AND r.recorded_at <= ?
  AND (r.closed_at IS NULL OR r.closed_at > ?) AND (r.expires_at IS NULL OR r.expires_at > ?)
  AND (r.archived = 0 OR r.closed_at IS NOT NULL)`;
const LIVING = `SELECT r.seq, r.key FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?)) AND ${LIVE}`;
const BY_ENTITY = `SELECT DISTINCT r.seq FROM memory_entities e JOIN memory_records r ON r.seq = e.record
  WHERE e.entity IN (SELECT value FROM json_each(?)) AND ${LIVE}
    AND EXISTS (SELECT 1 FROM json_each(?) p WHERE substr(r.key, 1, length(p.value)) = p.value) ORDER BY r.seq DESC LIMIT ?`;
const ROWS = `SELECT ${COLUMNS}, NOT EXISTS (SELECT 1 FROM memory_records o
  WHERE coalesce(o.fold, o.key) = coalesce(r.fold, r.key) AND o.seq <> r.seq) AS alone
  FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?))`;

type Living = (seqs: readonly number[]) => ReadonlySet<number>;

/** Candidates of all signals, best first. */
export function searchRows(db: SqliteDb, query: Query, vectors: Vectors): readonly Found[] {
  const hits = new Hits();
  const { readable } = query;
  const times = timesOf(query);
  const living: Living = (seqs) => livingOf(db, seqs, times, readable);
  const limit = Math.min(query.limit, Number.MAX_SAFE_INTEGER);
  if (query.words.length > 0) for (const hit of searchText(db, query.words, living, limit)) hits.byText(hit);
  if (query.entities !== undefined && query.entities.length > 0) {
    const entities = JSON.stringify(query.entities.map(foldName));
    const found = db.arrays<[number]>(BY_ENTITY, entities, ...times, JSON.stringify(readable), limit);
    for (const [seq] of found) hits.byEntity(seq);
  }
  if (query.vector !== undefined)
    for (const similar of vectors.similar(db, query.vector, { limit, found: hits.seqs(), living }))
      if (similar.cosine > 0 || hits.has(similar.seq)) hits.byVector(similar);
  const best = hits.best(limit);
  const found = db.arrays<[...Columns, 0 | 1]>(ROWS, JSON.stringify(best.map(({ seq }) => seq)));
  const alone = new Set(found.flatMap((columns) => (columns[columns.length - 1] === 1 ? [columns[0]] : [])));
  const records = new Map(readableRecords(db, found.map(rowOf)).map(({ seq, record }) => [seq, record]));
  return best.flatMap(({ seq, own, context, cosine }) => {
    const record = records.get(seq);
    return record === undefined ? [] : [{ record, own, context, cosine, alone: alone.has(seq) }];
  });
}

/** The best living rows. Where many of the best are not, more are looked at, until there are enough or no more. */
function searchText(db: SqliteDb, words: readonly string[], living: Living, limit: number): readonly TextHit[] {
  for (let look = Math.min(limit * FIRST_LOOK, Number.MAX_SAFE_INTEGER); ; look *= 8) {
    const top = bestByText(db, words, look);
    const kept = firstLiving(top, living, limit);
    if (kept.length >= limit || top.length < look) return kept;
  }
}

/** Mostly the first are all there, and the others need no look. */
function firstLiving(top: readonly TextHit[], living: Living, limit: number): readonly TextHit[] {
  const kept: TextHit[] = [];
  for (let from = 0; from < top.length && kept.length < limit; from += limit) {
    const some = top.slice(from, from + limit);
    const alive = living(some.map(({ seq }) => seq));
    kept.push(...some.filter(({ seq }) => alive.has(seq)));
  }
  return kept.slice(0, limit);
}

function livingOf(
  db: SqliteDb,
  seqs: readonly number[],
  times: readonly number[],
  readable: readonly string[],
): ReadonlySet<number> {
  const rows = db.arrays<[seq: number, key: string]>(LIVING, JSON.stringify(seqs), ...times);
  return new Set(rows.flatMap(([seq, key]) => (readable.some((prefix) => key.startsWith(prefix)) ? [seq] : [])));
}

function timesOf(query: Query): readonly number[] {
  const valid = timeOf(query.validAt);
  const known = timeOf(query.knownAt);
  return [valid, valid, known, known, known];
}
