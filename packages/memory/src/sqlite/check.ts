import type { Reason } from '@warrant/core';
import { isWarrantError } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { indexText, textOf } from '../words.ts';
import { COLUMNS, type Row, toRecord } from './rows.ts';

/** Where records, text index, vectors, entities, conflicts and keys do not agree. */
export function checkRows(db: SqliteDb): readonly Reason[] {
  return [
    ...orphans(
      db,
      'memory_text',
      'SELECT rowid AS place FROM memory_text WHERE rowid NOT IN (SELECT seq FROM memory_records)',
    ),
    ...orphans(
      db,
      'memory_vectors',
      'SELECT record AS place FROM memory_vectors WHERE record NOT IN (SELECT seq FROM memory_records)',
    ),
    ...orphans(
      db,
      'memory_entities',
      'SELECT record AS place FROM memory_entities WHERE record NOT IN (SELECT seq FROM memory_records)',
    ),
    ...orphans(
      db,
      'memory_handed',
      'SELECT record AS place FROM memory_handed WHERE record NOT IN (SELECT seq FROM memory_records)',
    ),
    ...orphans(
      db,
      'memory_conflicts',
      'SELECT id AS place FROM memory_conflicts WHERE earlier NOT IN (SELECT id FROM memory_records) OR later NOT IN (SELECT id FROM memory_records)',
    ),
    ...orphans(
      db,
      'memory_records',
      'SELECT id AS place FROM memory_records WHERE fold NOT IN (SELECT fold FROM memory_keys)',
    ),
    ...db.all<Row & { own: string | null }>(WITH_TEXT).flatMap(recordFaults),
  ];
}

const WITH_TEXT = `SELECT ${COLUMNS}, t.own FROM memory_records r LEFT JOIN memory_text t ON t.rowid = r.seq`;

function recordFaults(row: Row & { readonly own: string | null }): readonly Reason[] {
  const reason = (code: string, message: string): readonly Reason[] => [
    { code: `memory.${code}`, message, data: { id: row.id } },
  ];
  if (row.own === null) return reason('index-missing', 'a record is not in the text index');
  try {
    if (row.own !== indexText(textOf(toRecord(row, []))))
      return reason('index-stale', 'the text index holds other words than a record');
  } catch (error) {
    if (isWarrantError(error, 'MEMORY_DAMAGED')) return reason('record-damaged', 'a stored record cannot be read');
    throw error;
  }
  return [];
}

function orphans(db: SqliteDb, table: string, sql: string): readonly Reason[] {
  return db.all<{ place: string | number }>(sql).map(({ place }) => ({
    code: 'memory.orphan',
    message: 'a row belongs to nothing',
    data: { table, place },
  }));
}
