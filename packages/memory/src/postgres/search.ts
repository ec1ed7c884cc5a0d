import { foldName } from '@warrant/core';
import { encodeText } from '@warrant/core/kysely';
import { type RawBuilder, sql } from 'kysely';
import { cosine } from '../cosine.ts';
import { type Found, Hits, type Query, type Similar, type TextHit } from '../hits.ts';
import { timeOf } from '../times.ts';
import { termOf } from '../words.ts';
import { vectorText, type Work } from './apply.ts';
import { ROW, type Row, readableRecords } from './rows.ts';

/** Candidates of all signals, best first. */
export async function searchRows(work: Work, query: Query): Promise<readonly Found[]> {
  const { db, tables } = work;
  const hits = new Hits();
  for (const hit of await byText(work, query)) hits.byText(hit);
  for (const { seq } of await byEntity(work, query)) hits.byEntity(seq);
  for (const similar of await byVector(work, query, hits.seqs())) hits.byVector(similar);
  const best = hits.best(query.limit);
  const seqs = best.map(({ seq }) => seq);
  const rows =
    await sql<Row>`SELECT ${ROW} FROM ${tables('memory_records')} r WHERE r.seq = ANY (${seqs}::bigint[])`.execute(db);
  const readable = await readableRecords(db, tables, rows.rows);
  const bySeq = new Map(readable.map(({ row, record }) => [row.seq, record]));
  return best.flatMap(({ seq, own, context, cosine: similar }) => {
    const record = bySeq.get(seq);
    // Erased between two statements, or damaged.
    return record === undefined ? [] : [{ record, own, context, cosine: similar }];
  });
}

/** The same conditions for every signal, so that nothing takes a place that it is filtered from later. */
function live(query: Query): RawBuilder<unknown> {
  const valid = timeOf(query.validAt);
  const known = timeOf(query.knownAt);
  return sql`r.valid_from <= ${valid}::bigint AND (r.valid_to IS NULL OR r.valid_to > ${valid}::bigint)
    AND r.recorded_at <= ${known}::bigint AND (r.closed_at IS NULL OR r.closed_at > ${known}::bigint)
    AND (r.expires_at IS NULL OR r.expires_at > ${known}::bigint) AND (NOT r.archived OR r.closed_at IS NOT NULL)
    AND EXISTS (SELECT FROM unnest(${query.readable.map(encodeText)}::text[]) AS p (prefix) WHERE starts_with(r.key, p.prefix))`;
}

/** Okapi BM25 (k1 1.2, b 0.75) over own words, and over own and borrowed ones together. */
async function byText({ db, tables }: Work, query: Query): Promise<readonly TextHit[]> {
  const terms = [...new Set(query.words.map((word) => encodeText(termOf(word))))];
  if (terms.length === 0) return [];
  const found = await sql<TextHit>`
    WITH hit AS MATERIALIZED (
      SELECT term, record, own::float8 AS own, (own + context)::float8 AS total FROM ${tables('memory_terms')}
      WHERE term = ANY (${terms}::text[])
    ), size AS (
      SELECT coalesce(max(seq), 0)::float8 AS rows FROM ${tables('memory_records')}
    ), rarity AS (
      SELECT term, count(*) FILTER (WHERE own > 0)::float8 AS own, count(*)::float8 AS total FROM hit GROUP BY term
    ), document AS (
      SELECT r.seq, r.own_length::float8 AS own, (r.own_length + r.context_length)::float8 AS total
      FROM ${tables('memory_records')} r WHERE r.seq IN (SELECT record FROM hit) AND ${live(query)}
    ), mean AS (
      SELECT greatest(1, avg(own)) AS own, greatest(1, avg(total)) AS total FROM document
    )
    SELECT d.seq::float8 AS seq,
      sum(ln(1 + (greatest(size.rows, q.total) - q.own + 0.5) / (q.own + 0.5)) * h.own * 2.2
        / (h.own + 0.3 + 0.9 * d.own / m.own)) AS own,
      sum(ln(1 + (greatest(size.rows, q.total) - q.total + 0.5) / (q.total + 0.5)) * h.total * 2.2
        / (h.total + 0.3 + 0.9 * d.total / m.total)) AS context
    FROM document d JOIN hit h ON h.record = d.seq JOIN rarity q ON q.term = h.term CROSS JOIN size CROSS JOIN mean m
    GROUP BY d.seq ORDER BY context DESC, d.seq LIMIT ${query.limit}`.execute(db);
  return found.rows;
}

async function byEntity({ db, tables }: Work, query: Query): Promise<readonly { readonly seq: number }[]> {
  const entities = (query.entities ?? []).map((entity) => encodeText(foldName(entity)));
  if (entities.length === 0) return [];
  const found = await sql<{ seq: number }>`SELECT DISTINCT r.seq::float8 AS seq FROM ${tables('memory_entities')} e
    JOIN ${tables('memory_records')} r ON r.seq = e.record
    WHERE e.entity = ANY (${entities}::text[]) AND ${live(query)} ORDER BY seq DESC LIMIT ${query.limit}`.execute(db);
  return found.rows;
}

/** Similarity of what was found otherwise, and of the most similar beside it. */
async function byVector(work: Work, query: Query, found: readonly number[]): Promise<readonly Similar[]> {
  const { vector } = query;
  if (vector === undefined) return [];
  const all = await (work.pgvector ? comparedThere(work, query, vector, found) : comparedHere(work, query, vector));
  const known = new Set(found);
  return all.filter(({ seq, cosine: value }, place) => known.has(seq) || (place < query.limit && value > 0));
}

async function comparedHere({ db, tables }: Work, query: Query, vector: Float32Array): Promise<readonly Similar[]> {
  const rows = await sql<{ seq: number; vector: Uint8Array }>`SELECT r.seq::float8 AS seq, v.vector
    FROM ${tables('memory_vectors')} v JOIN ${tables('memory_records')} r ON r.seq = v.record WHERE ${live(query)}`.execute(
    db,
  );
  return rows.rows
    .map((row) => ({ seq: row.seq, cosine: cosine(vector, toVector(row.vector)) }))
    .sort((a, b) => b.cosine - a.cosine);
}

async function comparedThere(
  { db, tables }: Work,
  query: Query,
  vector: Float32Array,
  found: readonly number[],
): Promise<readonly Similar[]> {
  const asked = vectorText(vector);
  const rows = await sql<Similar>`
    WITH near AS (
      SELECT r.seq, 1 - (v.embedding <=> ${asked}::vector) AS cosine FROM ${tables('memory_vectors')} v
      JOIN ${tables('memory_records')} r ON r.seq = v.record
      WHERE v.embedding IS NOT NULL AND vector_dims(v.embedding) = ${vector.length} AND ${live(query)}
    ), best AS (SELECT * FROM near ORDER BY cosine DESC LIMIT ${query.limit})
    SELECT seq::float8 AS seq, cosine FROM best
    UNION SELECT seq::float8, cosine FROM near WHERE seq = ANY (${found}::bigint[]) ORDER BY cosine DESC`.execute(db);
  return rows.rows;
}

/** A copy, since a driver's buffers need not be aligned. */
function toVector(bytes: Uint8Array): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength >> 2);
}
