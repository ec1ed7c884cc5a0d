import { foldName, type MemoryChange, type MemoryRecord } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { erasedWith, unknownRecord } from '../change-record.ts';
import { CONTEXT_RECORDS, contextGroup, contextText } from '../neighbours.ts';
import { indexText, textOf } from '../words.ts';
import { bodyOf, COLUMNS, ms, NEVER, type Row, toRecord } from './rows.ts';

const INSERT = `INSERT INTO memory_records (id, key, fold, subject, neighbours, valid_from, valid_to, recorded_at, closed_at,
  expires_at, archived, confidence, retrievals, last_retrieved, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const LENDING = `SELECT ${COLUMNS} FROM memory_records r WHERE r.neighbours = ? AND r.seq < ? AND r.archived = 0
  AND r.closed_at = ${NEVER} ORDER BY r.seq DESC LIMIT ${CONTEXT_RECORDS}`;

/** Makes one change. Keys whose rows changed are added to `touched`. */
export function applyChange(db: SqliteDb, change: MemoryChange, touched: Set<string>): void {
  switch (change.type) {
    case 'put':
      return put(db, change.record, change.vector, touched);
    case 'put-conflict': {
      const { id, type, records, state, kept } = change.conflict;
      db.run(
        `INSERT INTO memory_conflicts (id, type, earlier, later, state, kept) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, kept = excluded.kept`,
        id,
        type,
        records[0],
        records[1],
        state,
        kept,
      );
      return;
    }
    case 'erase':
      return erase(db, change.subject, touched);
    case 'retrieved':
      return retrieved(db, change);
    case 'count':
      db.run(
        `INSERT INTO memory_counters (name, value, at) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET value = value + excluded.value, at = excluded.at`,
        change.name,
        change.by,
        ms(change.at),
      );
      return;
    case 'adjust':
      db.run('UPDATE memory_records SET confidence = ? WHERE seq = ?', change.confidence, known(db, change.id).seq);
      return;
    default:
      return move(db, change, touched);
  }
}

function known(db: SqliteDb, id: string): Row & { readonly neighbours: string | null } {
  const row = db.get<Row & { readonly neighbours: string | null }>(
    `SELECT ${COLUMNS}, r.neighbours FROM memory_records r WHERE r.id = ?`,
    id,
  );
  if (row === undefined) throw unknownRecord(id);
  return row;
}

function put(db: SqliteDb, record: MemoryRecord, vector: Float32Array | undefined, touched: Set<string>): void {
  const fold = foldName(record.key);
  const group = contextGroup(record);
  const { lastInsertRowid } = db.run(
    INSERT,
    record.id,
    record.key,
    fold,
    record.subject,
    group,
    ms(record.validFrom),
    ms(record.validTo),
    ms(record.recordedAt),
    ms(record.closedAt),
    ms(record.expiresAt),
    record.archived ? 1 : 0,
    record.confidence,
    record.retrievals,
    record.lastRetrievedAt === null ? null : ms(record.lastRetrievedAt),
    bodyOf(record),
  );
  const seq = Number(lastInsertRowid);
  const context = group === null ? '' : contextBefore(db, group, seq);
  db.run('INSERT INTO memory_text (rowid, own, context) VALUES (?, ?, ?)', seq, indexText(textOf(record)), context);
  for (const entity of new Set(record.entities.map(foldName)))
    db.run('INSERT INTO memory_entities (entity, record) VALUES (?, ?)', entity, seq);
  if (vector !== undefined)
    db.run(
      'INSERT INTO memory_vectors (record, vector) VALUES (?, ?)',
      seq,
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    );
  touched.add(fold);
}

function contextBefore(db: SqliteDb, group: string, seq: number): string {
  const before = db.all<Row>(LENDING, group, seq).map((row) => toRecord(row, []));
  return indexText(contextText(before.reverse()));
}

function move(
  db: SqliteDb,
  change: Extract<MemoryChange, { type: 'close' | 'archive' | 'restore' }>,
  touched: Set<string>,
): void {
  const row = known(db, change.id);
  const archived = change.type === 'close' ? row.archived : change.type === 'archive' ? 1 : 0;
  const closed = change.type === 'restore' ? NEVER : Math.min(row.closed_at, ms(change.at));
  db.run('UPDATE memory_records SET archived = ?, closed_at = ? WHERE seq = ?', archived, closed, row.seq);
  touched.add(foldName(row.key));
  if (row.neighbours !== null) rewriteAfter(db, row.neighbours, row.seq);
}

/** Those after a row that changed may have had its words, or get them again. */
function rewriteAfter(db: SqliteDb, group: string, seq: number): void {
  const after = db.all<{ seq: number }>(
    'SELECT seq FROM memory_records WHERE neighbours = ? AND seq > ? ORDER BY seq',
    group,
    seq,
  );
  for (const row of after) {
    const context = contextBefore(db, group, row.seq);
    const stored = db.get<{ context: string }>('SELECT context FROM memory_text WHERE rowid = ?', row.seq);
    if (stored?.context !== context) db.run('UPDATE memory_text SET context = ? WHERE rowid = ?', context, row.seq);
  }
}

function retrieved(db: SqliteDb, change: Extract<MemoryChange, { type: 'retrieved' }>): void {
  for (const id of new Set(change.ids)) {
    const row = db.get<{ seq: number }>('SELECT seq FROM memory_records WHERE id = ?', id);
    if (row === undefined) continue;
    db.run(
      'UPDATE memory_records SET retrievals = retrievals + 1, last_retrieved = ? WHERE seq = ?',
      ms(change.at),
      row.seq,
    );
    db.run('INSERT INTO memory_handed (session, record) VALUES (?, ?) ON CONFLICT DO NOTHING', change.session, row.seq);
  }
}

type Erasable = {
  readonly seq: number;
  readonly id: string;
  readonly fold: string;
  readonly subject: string | null;
  readonly neighbours: string | null;
  readonly sources: string;
};

function erase(db: SqliteDb, subject: string, touched: Set<string>): void {
  // What was made from a record may have any subject: only those with sources have to be looked at.
  const rows = db.all<Erasable>(
    `SELECT seq, id, fold, subject, neighbours, json_extract(body, '$.sources') AS sources FROM memory_records
     WHERE subject = ? OR json_array_length(body, '$.sources') > 0`,
    subject,
  );
  const erased = erasedWith(
    subject,
    rows.map((row) => ({ ...row, sources: JSON.parse(row.sources) as readonly string[] })),
  );
  const gone = rows.filter(({ id }) => erased.has(id));
  for (const { seq, id, fold } of gone) {
    db.run('DELETE FROM memory_text WHERE rowid = ?', seq);
    db.run('DELETE FROM memory_entities WHERE record = ?', seq);
    db.run('DELETE FROM memory_vectors WHERE record = ?', seq);
    db.run('DELETE FROM memory_handed WHERE record = ?', seq);
    db.run('DELETE FROM memory_conflicts WHERE earlier = ? OR later = ?', id, id);
    db.run('DELETE FROM memory_records WHERE seq = ?', seq);
    touched.add(fold);
  }
  for (const { neighbours, seq } of gone) if (neighbours !== null) rewriteAfter(db, neighbours, seq);
}
