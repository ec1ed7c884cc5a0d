import { foldName, type MemoryChange, type MemoryConflict, type MemoryRecord } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { erasedWith, unknownRecord } from '../change-record.ts';
import { CONTEXT_RECORDS, contextGroup, lends } from '../neighbours.ts';
import { ms } from '../times.ts';
import { textOf } from '../words.ts';
import { type PackedId, packId, unpackId } from './packed-id.ts';
import { valuesOf } from './rows.ts';
import { borrowersOf, lentWords, putText, reindexing, wordsToStore } from './text.ts';

const INSERT = `INSERT INTO memory_records (fold, grouping, words, id, key, origin, agent, subject, recorded_at, valid_from,
  valid_to, closed_at, expires_at, archived, confidence, retrievals, last_retrieved, audit, value, extra, disputed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`;

/** What the changes of one transaction share. */
export type Work = {
  /** Words of the last lending records of a grouping, oldest first, as far as they were looked up or put. */
  readonly lent: Map<number, readonly string[]>;
};

/** Makes one change. */
export function applyChange(db: SqliteDb, change: MemoryChange, work: Work): void {
  switch (change.type) {
    case 'put':
      return put(db, change.record, change.vector, work);
    case 'put-conflict':
      return putConflict(db, change.conflict);
    case 'erase':
      return erase(db, change.subject, work);
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
      return move(db, change, work);
  }
}

type Known = {
  readonly seq: number;
  readonly grouping: number | null;
  readonly archived: number;
  readonly closed_at: number | null;
};

function known(db: SqliteDb, id: string): Known {
  const row = db.get<Known>('SELECT seq, grouping, archived, closed_at FROM memory_records WHERE id = ?', packId(id));
  if (row === undefined) throw unknownRecord(id);
  return row;
}

function put(db: SqliteDb, record: MemoryRecord, vector: Float32Array | undefined, work: Work): void {
  const fold = foldName(record.key);
  const grouping = groupingOf(db, record);
  const { own, kept } = wordsToStore(textOf(record));
  const { lastInsertRowid } = db.run(INSERT, fold === record.key ? null : fold, grouping, kept, ...valuesOf(record));
  const seq = Number(lastInsertRowid);
  putText(db, seq, { own, context: grouping === null ? '' : borrow(db, grouping, { seq, own, record }, work) });
  if (record.entities.length > 0)
    for (const entity of new Set(record.entities.map(foldName)))
      db.run('INSERT INTO memory_entities (entity, record) VALUES (?, ?)', entity, seq);
  if (vector !== undefined)
    db.run(
      'INSERT INTO memory_vectors (record, vector) VALUES (?, ?)',
      seq,
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    );
}

/** What a new record borrows; it lends its own words to the next. */
function borrow(
  db: SqliteDb,
  grouping: number,
  put: { readonly seq: number; readonly own: string; readonly record: MemoryRecord },
  { lent }: Work,
): string {
  const words = lent.get(grouping) ?? lentWords(db, grouping, put.seq).filter((one) => one !== undefined);
  lent.set(grouping, lends(put.record) ? [...words, put.own].slice(-CONTEXT_RECORDS) : words);
  return words.join(' ');
}

/** The number of the records that may lend each other words; made when it is the first. */
function groupingOf(db: SqliteDb, record: MemoryRecord): number | null {
  const name = contextGroup(record);
  if (name === null) return null;
  const found = db.get<{ number: number }>('SELECT number FROM memory_groupings WHERE name = ?', name);
  return found?.number ?? Number(db.run('INSERT INTO memory_groupings (name) VALUES (?)', name).lastInsertRowid);
}

function putConflict(db: SqliteDb, { id, type, records, state, kept }: MemoryConflict): void {
  const [earlier, later] = records.map(packId) as [PackedId, PackedId];
  db.run(
    `INSERT INTO memory_conflicts (id, type, earlier, later, state, kept) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, kept = excluded.kept`,
    packId(id),
    type,
    earlier,
    later,
    state,
    kept === null ? null : packId(kept),
  );
  for (const record of [earlier, later])
    db.run('UPDATE memory_records SET disputed = 1 WHERE id = ? AND disputed = 0', record);
}

function move(
  db: SqliteDb,
  change: Extract<MemoryChange, { type: 'close' | 'archive' | 'restore' }>,
  work: Work,
): void {
  const row = known(db, change.id);
  const archived = change.type === 'close' ? row.archived : change.type === 'archive' ? 1 : 0;
  const closed = change.type === 'restore' ? null : (row.closed_at ?? ms(change.at));
  const update = (): void =>
    void db.run('UPDATE memory_records SET archived = ?, closed_at = ? WHERE seq = ?', archived, closed, row.seq);
  const lent = row.archived === 0 && row.closed_at === null;
  if (row.grouping === null || lent === (archived === 0 && closed === null)) return update();
  work.lent.clear();
  reindexing(db, borrowersOf(db, row.grouping, row.seq), update);
}

function retrieved(db: SqliteDb, change: Extract<MemoryChange, { type: 'retrieved' }>): void {
  for (const id of new Set(change.ids)) {
    const row = db.get<{ seq: number }>('SELECT seq FROM memory_records WHERE id = ?', packId(id));
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
  readonly id: PackedId;
  readonly subject: string | null;
  readonly grouping: number | null;
  readonly sources: string | null;
};

function erase(db: SqliteDb, subject: string, { lent }: Work): void {
  lent.clear();
  // What was made from a record may have any subject: only those with sources have to be looked at.
  const rows = db.all<Erasable>(
    `SELECT seq, id, subject, grouping, CASE json_valid(extra) WHEN 1 THEN json_extract(extra, '$.sources') END AS sources
     FROM memory_records WHERE subject = ? OR (json_valid(extra) AND json_array_length(extra, '$.sources') > 0)`,
    subject,
  );
  const erased = erasedWith(
    subject,
    rows.map((row) => ({
      id: unpackId(row.id),
      subject: row.subject,
      sources: row.sources === null ? [] : (JSON.parse(row.sources) as readonly string[]),
    })),
  );
  const gone = rows.filter(({ id }) => erased.has(unpackId(id)));
  const near = gone.flatMap(({ grouping, seq }) => borrowersOf(db, grouping, seq));
  reindexing(db, [...new Set([...gone.map(({ seq }) => seq), ...near])], () => {
    for (const row of gone) eraseRow(db, row);
    db.run(
      'DELETE FROM memory_entities WHERE record IN (SELECT value FROM json_each(?))',
      JSON.stringify(gone.map(({ seq }) => seq)),
    );
    for (const grouping of new Set(gone.map((row) => row.grouping)))
      db.run(
        'DELETE FROM memory_groupings WHERE number = ? AND number NOT IN (SELECT grouping FROM memory_records WHERE grouping = ?)',
        grouping,
        grouping,
      );
  });
}

function eraseRow(db: SqliteDb, { seq, id }: Erasable): void {
  db.run('DELETE FROM memory_vectors WHERE record = ?', seq);
  db.run('DELETE FROM memory_handed WHERE record = ?', seq);
  db.run('DELETE FROM memory_conflicts WHERE earlier = ? OR later = ?', id, id);
  db.run('DELETE FROM memory_records WHERE seq = ?', seq);
}
