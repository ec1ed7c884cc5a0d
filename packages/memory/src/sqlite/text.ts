import { isWarrantError } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { CONTEXT_RECORDS } from '../neighbours.ts';
import { indexText, isCutAlike, textOf } from '../words.ts';
import { COLUMNS, type Row, selectRows, textPartsOf } from './rows.ts';

/** A row's entry in the text index. */
export type TextEntry = { readonly own: string; readonly context: string };

const LENDS = 'r.archived = 0 AND r.closed_at IS NULL';
const LENDING = `SELECT ${COLUMNS} FROM memory_records r WHERE r.grouping = ? AND r.seq < ? AND ${LENDS}
  ORDER BY r.seq DESC LIMIT ${CONTEXT_RECORDS}`;
const AFTER = `SELECT r.seq AS seq, ${LENDS} AS lends FROM memory_records r WHERE r.grouping = ? AND r.seq > ? ORDER BY r.seq`;
const PAGE = 64;

/** The words that a row is found by, and the same again for the row's `words` when it has to keep them. */
export function wordsToStore(text: string): { readonly own: string; readonly kept: string | null } {
  const own = indexText(text);
  return { own, kept: isCutAlike(text) ? null : own };
}

/** The words that stand in the index for a row; `undefined` when it cannot be read. */
function ownWords(row: Row): string | undefined {
  try {
    const text = textOf(textPartsOf(row));
    return row.words ?? indexText(text);
  } catch (error) {
    if (isWarrantError(error, 'MEMORY_DAMAGED')) return undefined;
    throw error;
  }
}

/** Words of the records before a row that lend it theirs, oldest first; `undefined` for one that cannot be read. */
export function lentWords(db: SqliteDb, grouping: number | null, seq: number): readonly (string | undefined)[] {
  return grouping === null ? [] : selectRows(db, LENDING, grouping, seq).map(ownWords).reverse();
}

function joined(words: readonly (string | undefined)[]): string {
  return words.filter((one) => one !== undefined).join(' ');
}

export function putText(db: SqliteDb, seq: number, { own, context }: TextEntry): void {
  db.run('INSERT INTO memory_text (rowid, own, context) VALUES (?, ?, ?)', seq, own, context);
}

/** Takes an entry out. It has to be what was put in: the index holds no copy to go by. */
function removeText(db: SqliteDb, seq: number, { own, context }: TextEntry): void {
  db.run(`INSERT INTO memory_text (memory_text, rowid, own, context) VALUES ('delete', ?, ?, ?)`, seq, own, context);
}

/** Rows after one that have its words in their context, or would have if it lent them. */
export function borrowersOf(db: SqliteDb, grouping: number | null, seq: number): readonly number[] {
  const borrowers: number[] = [];
  if (grouping === null) return borrowers;
  let lending = 0;
  for (let after = seq; ; ) {
    const page = db.all<{ seq: number; lends: number }>(`${AFTER} LIMIT ${PAGE}`, grouping, after);
    for (const row of page) {
      borrowers.push(row.seq);
      lending += row.lends;
      if (lending >= CONTEXT_RECORDS) return borrowers;
    }
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return borrowers;
    after = last.seq;
  }
}

/**
 * Makes a change after which the entries of some rows may be others, or be gone with their rows. Where a row cannot be
 * read, nobody can say which words of it the index holds, and all of the index is written anew.
 */
export function reindexing(db: SqliteDb, seqs: readonly number[], change: () => void): void {
  const before = new Map(seqs.map((seq) => [seq, entryOf(db, seq)]));
  change();
  if ([...before.values()].some((entry) => entry?.whole === false)) return rebuildText(db);
  for (const [seq, old] of before) {
    const now = entryOf(db, seq);
    if (old === undefined || (now?.own === old.own && now.context === old.context)) continue;
    removeText(db, seq, old);
    if (now !== undefined) putText(db, seq, now);
  }
}

type FoundEntry = TextEntry & { /** False when a row of it cannot be read. */ readonly whole: boolean };

/** The entry that a row has to have. `undefined` for no row. */
function entryOf(db: SqliteDb, seq: number): FoundEntry | undefined {
  const [row] = selectRows(db, `SELECT ${COLUMNS} FROM memory_records r WHERE r.seq = ?`, seq);
  return row === undefined ? undefined : entryOfRow(db, row);
}

function entryOfRow(db: SqliteDb, row: Row): FoundEntry {
  const own = ownWords(row);
  const lent = lentWords(db, row.grouping, row.seq);
  return { own: own ?? '', context: joined(lent), whole: own !== undefined && !lent.includes(undefined) };
}

/** Writes the whole index anew. */
function rebuildText(db: SqliteDb): void {
  db.run(`INSERT INTO memory_text (memory_text) VALUES ('delete-all')`);
  for (const { row, entry } of expectedEntries(db)) putText(db, row.seq, entry);
}

/** Every row with the entry that it has to have. */
export function* expectedEntries(db: SqliteDb): Generator<{ readonly row: Row; readonly entry: FoundEntry }> {
  for (let after = 0; ; ) {
    const page = selectRows(db, PAGE_OF_ROWS, after);
    for (const row of page) yield { row, entry: entryOfRow(db, row) };
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

const PAGE_OF_ROWS = `SELECT ${COLUMNS} FROM memory_records r WHERE r.seq > ? ORDER BY r.seq LIMIT 500`;
