import { foldName, isWarrantError, type MemoryRecord, type Reason } from '@warrant/core';
import { openSqlite, type SqliteDb } from '@warrant/core/sqlite';
import { type PackedId, unpackId } from './packed-id.ts';
import { type Row, toRecord } from './rows.ts';
import { STEPS } from './tables.ts';
import { expectedEntries, putText, type TextEntry } from './text.ts';

const ORPHANS: readonly (readonly [table: string, sql: string])[] = [
  ['memory_text', 'SELECT id AS place FROM memory_text_docsize WHERE id NOT IN (SELECT seq FROM memory_records)'],
  ['memory_vectors', 'SELECT record AS place FROM memory_vectors WHERE record NOT IN (SELECT seq FROM memory_records)'],
  [
    'memory_entities',
    'SELECT record AS place FROM memory_entities WHERE record NOT IN (SELECT seq FROM memory_records)',
  ],
  ['memory_handed', 'SELECT record AS place FROM memory_handed WHERE record NOT IN (SELECT seq FROM memory_records)'],
  [
    'memory_conflicts',
    'SELECT id AS place FROM memory_conflicts WHERE earlier NOT IN (SELECT id FROM memory_records) OR later NOT IN (SELECT id FROM memory_records)',
  ],
  [
    'memory_conflicts',
    `SELECT c.id AS place FROM memory_conflicts c JOIN memory_records r ON r.id IN (c.earlier, c.later) WHERE r.disputed = 0`,
  ],
  [
    'memory_groupings',
    'SELECT number AS place FROM memory_groupings WHERE number NOT IN (SELECT grouping FROM memory_records WHERE grouping IS NOT NULL)',
  ],
];
/** Rows whose words are held against the index at once. */
const BATCH = 2000;

/** Where records, text index, vectors, entities, conflicts and keys do not agree. */
export function checkRows(db: SqliteDb): readonly Reason[] {
  const orphans = ORPHANS.flatMap(([table, sql]) =>
    db.all<{ place: PackedId | number }>(sql).map(({ place }) => ({
      code: 'memory.orphan',
      message: 'a row belongs to nothing',
      data: { table, place: typeof place === 'number' ? place : unpackId(place) },
    })),
  );
  return [...orphans, ...rowFaults(db)];
}

/** What the index holds is compared with what a fresh index makes of the rows, since it keeps no texts to read. */
function rowFaults(db: SqliteDb): readonly Reason[] {
  const held = fingerprints(db);
  const indexed = new Set(db.arrays<[number]>('SELECT id FROM memory_text_docsize').map(([seq]) => seq));
  const faults: Reason[] = [];
  let batch: { readonly row: Row; readonly entry: TextEntry }[] = [];
  const compare = (): void => {
    const wanted = freshFingerprints(batch);
    for (const { row } of batch)
      if (indexed.has(row.seq) && held.get(row.seq) !== wanted.get(row.seq))
        faults.push(fault(row, 'index-stale', 'the text index holds other words than a record'));
    batch = [];
  };
  for (const { row, entry } of expectedEntries(db)) {
    const record = readable(row);
    if (record === undefined) faults.push(fault(row, 'record-damaged', 'a stored record cannot be read'));
    if (!indexed.has(row.seq)) faults.push(fault(row, 'index-missing', 'a record is not in the text index'));
    if (record !== undefined) faults.push(...columnFaults(db, row, record));
    if (entry.whole) batch.push({ row, entry });
    if (batch.length === BATCH) compare();
  }
  compare();
  return faults;
}

function readable(row: Row): MemoryRecord | undefined {
  try {
    return toRecord(row, []);
  } catch (error) {
    if (isWarrantError(error, 'MEMORY_DAMAGED')) return undefined;
    throw error;
  }
}

function columnFaults(db: SqliteDb, row: Row, record: MemoryRecord): readonly Reason[] {
  const filed = db.get<{ fold: string }>(FILED, row.seq);
  const tags = record.entities.length;
  const wanted = new Set(record.entities.map(foldName));
  const stored = tags === 0 ? 0 : countTags(db, row.seq, [...wanted]);
  return [
    ...(filed?.fold === foldName(row.key) ? [] : [fault(row, 'key-stale', 'a record is filed under another key')]),
    ...(stored === wanted.size ? [] : [fault(row, 'entities-stale', 'a record is not filed under its entities')]),
  ];
}

const FILED = 'SELECT coalesce(fold, key) AS fold FROM memory_records WHERE seq = ?';

function countTags(db: SqliteDb, seq: number, entities: readonly string[]): number {
  const sql =
    'SELECT count(*) AS count FROM memory_entities WHERE record = ? AND entity IN (SELECT value FROM json_each(?))';
  return db.get<{ count: number }>(sql, seq, JSON.stringify(entities))?.count ?? 0;
}

function fault(row: Row, code: string, message: string): Reason {
  return { code: `memory.${code}`, message, data: { id: row.id } };
}

/** What an index that was made from these entries alone holds. */
function freshFingerprints(
  entries: readonly { readonly row: Row; readonly entry: TextEntry }[],
): ReadonlyMap<number, number> {
  const file = openSqlite(':memory:');
  try {
    file.migrate('memory', STEPS);
    file.write((db) => {
      for (const { row, entry } of entries) putText(db, row.seq, entry);
    });
    return file.read<unknown>(fingerprints) as ReadonlyMap<number, number>;
  } finally {
    file.close();
  }
}

/** A number for the words, columns and places of each indexed row; the same for the same, whatever their order. */
function fingerprints(db: SqliteDb): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [from, to] of termRanges(db)) {
    const places = db.arrays<[term: string, seq: number, column: string, place: number]>(
      'SELECT term, doc, col, "offset" FROM memory_text_places WHERE term >= ? AND term <= ?',
      from,
      to,
    );
    for (const [term, seq, column, place] of places)
      found.set(seq, (found.get(seq) ?? 0) + hashed(`${column}\n${place}\n${term}`));
  }
  return found;
}

/** The index's words in pieces of about so many places, so that no piece is large. */
function termRanges(db: SqliteDb): readonly (readonly [from: string, to: string])[] {
  const ranges: [string, string][] = [];
  let count = Number.POSITIVE_INFINITY;
  for (const [term, places] of db.arrays<[string, number]>('SELECT term, cnt FROM memory_text_terms ORDER BY term')) {
    if (count + places > 20_000) {
      ranges.push([term, term]);
      count = 0;
    }
    (ranges.at(-1) as [string, string])[1] = term;
    count += places;
  }
  return ranges;
}

/** FNV-1a, 32 bits. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
