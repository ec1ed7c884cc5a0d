import { foldName } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { type Found, Hits, type Query, type TextHit } from '../hits.ts';
import { timeOf } from '../times.ts';
import { COLUMNS, type Row, readableRecords } from './rows.ts';
import { bestByText } from './search-text.ts';
import type { Vectors } from './vectors.ts';

/** Rows of the index that are looked at first, for each that is wanted. */
const FIRST_LOOK = 2;
/** The same conditions for every signal, so that nothing takes a place that it is filtered from later. */
const LIVE = `coalesce(r.valid_from, r.recorded_at) <= ? AND (r.valid_to IS NULL OR r.valid_to > ?) AND r.recorded_at <= ?
  AND (r.closed_at IS NULL OR r.closed_at > ?) AND (r.expires_at IS NULL OR r.expires_at > ?)
  AND (r.archived = 0 OR r.closed_at IS NOT NULL)
  AND EXISTS (SELECT 1 FROM json_each(?) p WHERE substr(r.key, 1, length(p.value)) = p.value)`;
const LIVING = `SELECT r.seq AS seq FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?)) AND ${LIVE}`;
const BY_ENTITY = `SELECT DISTINCT r.seq FROM memory_entities e JOIN memory_records r ON r.seq = e.record
  WHERE e.entity IN (SELECT value FROM json_each(?)) AND ${LIVE} ORDER BY r.seq DESC LIMIT ?`;
const ROWS = `SELECT ${COLUMNS}, NOT EXISTS (SELECT 1 FROM memory_records o
  WHERE coalesce(o.fold, o.key) = coalesce(r.fold, r.key) AND o.seq <> r.seq) AS alone
  FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?))`;

/** Candidates of all signals, best first. */
export function searchRows(db: SqliteDb, query: Query, vectors: Vectors): readonly Found[] {
  const hits = new Hits();
  const live = parametersOf(query);
  const limit = Math.min(query.limit, Number.MAX_SAFE_INTEGER);
  if (query.words.length > 0) for (const hit of searchText(db, query.words, live, limit)) hits.byText(hit);
  if (query.entities !== undefined && query.entities.length > 0) {
    const entities = JSON.stringify(query.entities.map(foldName));
    for (const [seq] of db.arrays<[number]>(BY_ENTITY, entities, ...live, limit)) hits.byEntity(seq);
  }
  if (query.vector !== undefined) {
    const living = (seqs: readonly number[]): ReadonlySet<number> => livingOf(db, seqs, live);
    for (const similar of vectors.similar(db, query.vector, { limit, found: hits.seqs(), living }))
      if (similar.cosine > 0 || hits.has(similar.seq)) hits.byVector(similar);
  }
  const best = hits.best(limit);
  const rows = db.all<Row & { readonly alone: number }>(ROWS, JSON.stringify(best.map(({ seq }) => seq)));
  const alone = new Set(rows.flatMap((row) => (row.alone === 1 ? [row.seq] : [])));
  const records = new Map(readableRecords(db, rows).map(({ seq, record }) => [seq, record]));
  return best.flatMap(({ seq, own, context, cosine }) => {
    const record = records.get(seq);
    return record === undefined ? [] : [{ record, own, context, cosine, alone: alone.has(seq) }];
  });
}

/** The best living rows. Where many of the best are not, more are looked at, until there are enough or no more. */
function searchText(
  db: SqliteDb,
  words: readonly string[],
  live: readonly (string | number)[],
  limit: number,
): readonly TextHit[] {
  for (let look = Math.min(limit * FIRST_LOOK, Number.MAX_SAFE_INTEGER); ; look *= 8) {
    const top = bestByText(db, words, look);
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

function parametersOf(query: Query): readonly (string | number)[] {
  const valid = timeOf(query.validAt);
  const known = timeOf(query.knownAt);
  return [valid, valid, known, known, known, JSON.stringify(query.readable)];
}
