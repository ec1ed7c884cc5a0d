import { foldName } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { type Found, Hits, type Query, type TextHit } from '../hits.ts';
import { LIVE, LivingRows, liveTimes } from './living-rows.ts';
import { bestByText } from './search-text.ts';
import type { Vectors } from './vectors.ts';

/** Rows of the index that are looked at first, for each that is wanted. */
const FIRST_LOOK = 2;
const BY_ENTITY = `SELECT DISTINCT r.seq FROM memory_entities e JOIN memory_records r ON r.seq = e.record
  WHERE e.entity IN (SELECT value FROM json_each(?)) AND ${LIVE}
    AND EXISTS (SELECT 1 FROM json_each(?) p WHERE substr(r.key, 1, length(p.value)) = p.value) ORDER BY r.seq DESC LIMIT ?`;

/** Candidates of all signals, best first. */
export function searchRows(db: SqliteDb, query: Query, vectors: Vectors): readonly Found[] {
  const hits = new Hits();
  const rows = new LivingRows(db, query);
  const limit = Math.min(query.limit, Number.MAX_SAFE_INTEGER);
  if (query.words.length > 0) for (const hit of searchText(db, query.words, rows, limit)) hits.byText(hit);
  if (query.entities !== undefined && query.entities.length > 0) {
    const entities = JSON.stringify(query.entities.map(foldName));
    const found = db.arrays<[number]>(BY_ENTITY, entities, ...liveTimes(query), JSON.stringify(query.readable), limit);
    for (const [seq] of found) hits.byEntity(seq);
  }
  if (query.vector !== undefined) {
    const living = (seqs: readonly number[]): ReadonlySet<number> => rows.among(seqs);
    for (const similar of vectors.similar(db, query.vector, { limit, found: hits.seqs(), living }))
      if (similar.cosine > 0 || hits.has(similar.seq)) hits.byVector(similar);
  }
  return rows.found(hits.best(limit));
}

/** The best living rows. Where many of the best are not, more are looked at, until there are enough or no more. */
function searchText(db: SqliteDb, words: readonly string[], rows: LivingRows, limit: number): readonly TextHit[] {
  for (let look = Math.min(limit * FIRST_LOOK, Number.MAX_SAFE_INTEGER); ; look *= 8) {
    const top = bestByText(db, words, look);
    const kept = firstLiving(top, rows, limit);
    if (kept.length >= limit || top.length < look) return kept;
  }
}

/** Mostly the first are all there, and the others need no look. */
function firstLiving(top: readonly TextHit[], rows: LivingRows, limit: number): readonly TextHit[] {
  const kept: TextHit[] = [];
  for (let from = 0; from < top.length && kept.length < limit; from += limit) {
    const some = top.slice(from, from + limit);
    rows.read(some.map(({ seq }) => seq));
    kept.push(...some.filter(({ seq }) => rows.has(seq)));
  }
  return kept.slice(0, limit);
}
