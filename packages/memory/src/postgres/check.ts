import { foldName, isWarrantError, type MemoryRecord, type Reason } from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { type RawBuilder, sql } from 'kysely';
import { textOf } from '../words.ts';
import type { Work } from './apply.ts';
import { foldOf, ROW, type Row, toRecord } from './rows.ts';
import type { Db, Tables } from './schema.ts';
import { countsOf, lentTerms, termsOf } from './terms.ts';

const PAGE = 500;

/** Where records, terms, entities, conflicts and keys do not agree. What hangs on a row is held there by foreign keys. */
export async function checkRows(work: Work): Promise<readonly Reason[]> {
  const { db, tables } = work;
  const records = tables('memory_records');
  const faults = [
    ...(await orphans(
      db,
      'memory_conflicts',
      sql`SELECT id AS place FROM ${tables('memory_conflicts')}
      WHERE earlier NOT IN (SELECT id FROM ${records}) OR later NOT IN (SELECT id FROM ${records})`,
    )),
    ...(await orphans(
      db,
      'memory_records',
      sql`SELECT id AS place FROM ${records}
      WHERE fold NOT IN (SELECT fold FROM ${tables('memory_keys')})`,
    )),
  ];
  for (let after = 0; ; ) {
    const page =
      await sql<Row>`SELECT ${ROW} FROM ${records} r WHERE r.seq > ${after} ORDER BY r.seq LIMIT ${PAGE}`.execute(db);
    for (const row of page.rows) faults.push(...(await rowFaults(db, tables, row)));
    const last = page.rows.at(-1);
    if (last === undefined) return faults;
    after = last.seq;
  }
}

async function orphans(db: Db, table: string, statement: RawBuilder<unknown>): Promise<readonly Reason[]> {
  const { rows } = await statement.execute(db);
  return (rows as readonly { place: string }[]).map(({ place }) => ({
    code: 'memory.orphan',
    message: 'a row belongs to nothing',
    data: { table, place: decodeText(place) },
  }));
}

async function rowFaults(db: Db, tables: Tables, row: Row): Promise<readonly Reason[]> {
  const fault = (code: string, message: string): Reason => ({
    code: `memory.${code}`,
    message,
    data: { id: decodeText(row.id) },
  });
  let record: MemoryRecord;
  let context: readonly string[];
  try {
    record = toRecord(row, []);
    context = await lentTerms(db, tables, row);
  } catch (error) {
    if (isWarrantError(error, 'MEMORY_DAMAGED')) return [fault('record-damaged', 'a stored record cannot be read')];
    throw error;
  }
  const stored = await sql<{ fold: string; terms: string; entities: readonly string[] }>`SELECT r.fold,
    (SELECT coalesce(json_agg(json_build_array(t.term, t.own, t.context)), '[]')::text FROM ${tables('memory_terms')} t
      WHERE t.record = r.seq) AS terms,
    ARRAY(SELECT e.entity FROM ${tables('memory_entities')} e WHERE e.record = r.seq) AS entities
    FROM ${tables('memory_records')} r WHERE r.seq = ${row.seq}`.execute(db);
  const held = stored.rows[0];
  const terms = [...countsOf({ own: termsOf(textOf(record)), context })].map(([term, { own, context: near }]) =>
    JSON.stringify([term, own, near]),
  );
  const indexed = (JSON.parse(held?.terms ?? '[]') as readonly unknown[]).map((one) => JSON.stringify(one));
  const entities = [...new Set(record.entities.map((entity) => encodeText(foldName(entity))))];
  return [
    ...(isSame(terms, indexed) ? [] : [fault('index-stale', 'the index holds other words than a record')]),
    ...(isSame(entities, held?.entities ?? [])
      ? []
      : [fault('entities-stale', 'a record is not filed under its entities')]),
    ...(held?.fold === foldOf(record.key) ? [] : [fault('key-stale', 'a record is filed under another key')]),
  ];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}
