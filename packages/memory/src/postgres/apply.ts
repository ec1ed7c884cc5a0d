import { foldName, type MemoryChange, type MemoryConflict, type MemoryRecord } from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { sql } from 'kysely';
import { erasedWith, unknownRecord } from '../change-record.ts';
import { contextGroup } from '../neighbours.ts';
import { ms } from '../times.ts';
import { textOf } from '../words.ts';
import { foldOf, ROW, type Row } from './rows.ts';
import type { Db, Tables } from './schema.ts';
import { borrowAnew, borrowersOf, lentTerms, putTerms, termsOf } from './terms.ts';

/** A transaction that has locked every key and grouping it touches. */
export type Work = { readonly db: Db; readonly tables: Tables; readonly pgvector: boolean };

/** Makes one change. */
export async function applyChange(work: Work, change: MemoryChange): Promise<void> {
  const { db, tables } = work;
  switch (change.type) {
    case 'put':
      return put(work, change.record, change.vector);
    case 'put-conflict':
      return putConflict(work, change.conflict);
    case 'erase':
      return erase(work, change.subject);
    case 'retrieved':
      return retrieved(work, change);
    case 'count':
      await sql`INSERT INTO ${tables('memory_counters')} AS c (name, value, at)
        VALUES (${encodeText(change.name)}, ${change.by}, ${ms(change.at)})
        ON CONFLICT (name) DO UPDATE SET value = c.value + excluded.value, at = excluded.at`.execute(db);
      return;
    case 'adjust': {
      const done = await sql<{ seq: number }>`UPDATE ${tables('memory_records')} SET confidence = ${change.confidence}
        WHERE id = ${encodeText(change.id)} RETURNING seq::float8 AS seq`.execute(db);
      if (done.rows.length === 0) throw unknownRecord(change.id);
      return;
    }
    default:
      return move(work, change);
  }
}

async function put(work: Work, record: MemoryRecord, vector: Float32Array | undefined): Promise<void> {
  const { db, tables } = work;
  const group = contextGroup(record);
  const grouping = group === null ? null : encodeText(group);
  const subject = record.subject === null ? null : encodeText(record.subject);
  const made = await sql<{
    seq: number;
  }>`INSERT INTO ${tables('memory_records')} (id, key, fold, subject, grouping, recorded_at,
    valid_from, valid_to, closed_at, expires_at, archived, confidence, retrievals, last_retrieved, made, own_length,
    context_length, body) VALUES (${encodeText(record.id)}, ${encodeText(record.key)}, ${foldOf(record.key)}, ${subject},
    ${grouping}, ${ms(record.recordedAt)}, ${ms(record.validFrom)}, ${ms(record.validTo)}, ${ms(record.closedAt)},
    ${ms(record.expiresAt)}, ${record.archived}, ${record.confidence}, ${record.retrievals}, ${ms(record.lastRetrievedAt)},
    ${record.sources.length > 0}, 0, 0, ${JSON.stringify(record)}) RETURNING seq::float8 AS seq`.execute(db);
  const seq = made.rows[0]?.seq as number;
  const context = await lentTerms(db, tables, { seq, grouping });
  await putTerms(db, tables, seq, { own: termsOf(textOf(record)), context });
  const entities = [...new Set(record.entities.map((entity) => encodeText(foldName(entity))))];
  if (entities.length > 0)
    await sql`INSERT INTO ${tables('memory_entities')} (entity, record)
      SELECT entity, ${seq}::bigint FROM unnest(${entities}::text[]) AS entity`.execute(db);
  if (vector !== undefined) await putVector(work, seq, vector);
}

async function putVector({ db, tables, pgvector }: Work, seq: number, vector: Float32Array): Promise<void> {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  await sql`INSERT INTO ${tables('memory_vectors')} (record, vector) VALUES (${seq}, ${bytes})`.execute(db);
  if (pgvector)
    await sql`UPDATE ${tables('memory_vectors')} SET embedding = ${vectorText(vector)}::vector WHERE record = ${seq}`.execute(
      db,
    );
}

/** How pgvector writes a vector. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector).join(',')}]`;
}

async function putConflict({ db, tables }: Work, conflict: MemoryConflict): Promise<void> {
  const { id, type, records, state, kept } = conflict;
  await sql`INSERT INTO ${tables('memory_conflicts')} (id, type, earlier, later, state, kept)
    VALUES (${encodeText(id)}, ${type}, ${encodeText(records[0])}, ${encodeText(records[1])}, ${state},
      ${kept === null ? null : encodeText(kept)})
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, kept = excluded.kept`.execute(db);
}

async function move(
  { db, tables }: Work,
  change: Extract<MemoryChange, { type: 'close' | 'archive' | 'restore' }>,
): Promise<void> {
  const found = await sql<Row>`SELECT ${ROW} FROM ${tables('memory_records')} r WHERE r.id = ${encodeText(change.id)}
    FOR UPDATE`.execute(db);
  const row = found.rows[0];
  if (row === undefined) throw unknownRecord(change.id);
  const archived = change.type === 'close' ? row.archived : change.type === 'archive';
  const closed = change.type === 'restore' ? null : (row.closed_at ?? ms(change.at));
  await sql`UPDATE ${tables('memory_records')} SET archived = ${archived}, closed_at = ${closed} WHERE seq = ${row.seq}`.execute(
    db,
  );
  const lent = !row.archived && row.closed_at === null;
  if (lent !== (!archived && closed === null)) await borrowAnew(db, tables, await borrowersOf(db, tables, row));
}

async function retrieved({ db, tables }: Work, change: Extract<MemoryChange, { type: 'retrieved' }>): Promise<void> {
  const ids = [...new Set(change.ids)].map(encodeText);
  const session = encodeText(change.session);
  // In the order of the ids, so that two that note the same records wait for each other and never cross.
  await sql`SELECT 1 FROM ${tables('memory_records')} WHERE id = ANY (${ids}::text[]) ORDER BY seq FOR UPDATE`.execute(
    db,
  );
  await sql`UPDATE ${tables('memory_records')} SET retrievals = retrievals + 1, last_retrieved = ${ms(change.at)}
    WHERE id = ANY (${ids}::text[])`.execute(db);
  await sql`INSERT INTO ${tables('memory_handed')} (session, record)
    SELECT ${session}, r.seq FROM unnest(${ids}::text[]) WITH ORDINALITY AS asked (id, place)
    JOIN ${tables('memory_records')} r ON r.id = asked.id ORDER BY asked.place ON CONFLICT DO NOTHING`.execute(db);
}

/** Rows, and with them by their foreign keys terms, vectors, entities and what was handed out; then what neighbours borrowed. */
async function erase({ db, tables }: Work, subject: string): Promise<void> {
  const gone = await erasable(db, tables, subject);
  const near = new Map<number, Row>();
  for (const row of gone) for (const one of await borrowersOf(db, tables, row)) near.set(one.seq, one);
  for (const { seq } of gone) near.delete(seq);
  const ids = gone.map(({ id }) => id);
  await sql`DELETE FROM ${tables('memory_conflicts')} WHERE earlier = ANY (${ids}::text[]) OR later = ANY (${ids}::text[])`.execute(
    db,
  );
  await sql`DELETE FROM ${tables('memory_records')} WHERE id = ANY (${ids}::text[])`.execute(db);
  await borrowAnew(db, tables, [...near.values()]);
}

type Erasable = Row & { readonly subject: string | null; readonly sources: readonly string[] };

/** What goes with a subject. What was made from a record may have any subject: rows with sources are all looked at. */
async function erasable(db: Db, tables: Tables, subject: string): Promise<readonly Erasable[]> {
  const found = await sql<Row & { readonly subject: string | null; readonly made: boolean }>`
    SELECT ${ROW}, r.subject, r.made FROM ${tables('memory_records')} r WHERE r.made OR r.subject = ${encodeText(subject)}
    ORDER BY r.seq`.execute(db);
  const rows = found.rows.map((row) => ({ ...row, sources: row.made ? sourcesOf(row) : [] }));
  const erased = erasedWith(
    subject,
    rows.map((row) => ({
      id: decodeText(row.id),
      subject: row.subject === null ? null : decodeText(row.subject),
      sources: row.sources,
    })),
  );
  return rows.filter(({ id }) => erased.has(decodeText(id)));
}

/** A row that cannot be read is made from nothing that is known. */
function sourcesOf(row: Row): readonly string[] {
  try {
    return (JSON.parse(row.body) as MemoryRecord).sources;
  } catch {
    return [];
  }
}

/** Folds of every key whose rows the changes touch, and groupings that they read. */
export async function touchedBy(
  { db, tables }: Work,
  changes: readonly MemoryChange[],
): Promise<{ readonly folds: readonly string[]; readonly groupings: readonly string[] }> {
  const folds = new Set<string>();
  const groupings = new Set<string>();
  const moved: string[] = [];
  for (const change of changes) {
    if (change.type === 'put') {
      folds.add(foldOf(change.record.key));
      const group = contextGroup(change.record);
      if (group !== null) groupings.add(encodeText(group));
    }
    if (change.type === 'close' || change.type === 'archive' || change.type === 'restore')
      moved.push(encodeText(change.id));
    if (change.type === 'erase') moved.push(...(await erasable(db, tables, change.subject)).map(({ id }) => id));
  }
  const found = await sql<{ fold: string; grouping: string | null }>`SELECT DISTINCT fold, grouping
    FROM ${tables('memory_records')} WHERE id = ANY (${moved}::text[])`.execute(db);
  for (const { fold, grouping } of found.rows) {
    folds.add(fold);
    if (grouping !== null) groupings.add(grouping);
  }
  return { folds: [...folds], groupings: [...groupings] };
}
