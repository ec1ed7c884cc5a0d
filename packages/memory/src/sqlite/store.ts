import {
  foldName,
  type MemoryChange,
  type MemoryConflict,
  type MemoryCounter,
  type MemoryRecord,
  type MemoryStore,
  type Reason,
} from '@warrant/core';
import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { checkChanges } from '../change-record.ts';
import { fault } from '../errors.ts';
import type { Found, Query } from '../hits.ts';
import { applyChange, type Work } from './apply.ts';
import { checkRows } from './check.ts';
import { FEW, headsOf, staleKeys } from './heads.ts';
import { lendersOf } from './lenders.ts';
import { PACKED_IDS, type PackedId, packedLists, packId, unpackId } from './packed-id.ts';
import { COLUMNS, type ConflictRow, readableRecord, selectRows, toConflict, toRecords } from './rows.ts';
import { searchRows } from './search.ts';
import { LAYER, STEPS } from './tables.ts';
import { Vectors } from './vectors.ts';

/** Stream of this layer's audit entries. */
const STREAM = 'memory';
const PAGE = 500;
const LOG = "the file's write-ahead log, which another process is reading: forget once more when it has finished";
const CONFLICTS = 'SELECT id, type, earlier, later, state, kept FROM memory_conflicts';
const NAMING = `seq IN (SELECT seq FROM memory_conflicts WHERE earlier IN (${PACKED_IDS})
  UNION SELECT seq FROM memory_conflicts WHERE later IN (${PACKED_IDS}))`;
/**
 * Memory in a file that was opened by `openSqlite`, beside the tables of other layers. Every commit is one transaction
 * with its audit entries in the file's outbox. Closing it leaves the file open.
 * @throws SQLITE_SCHEMA_NEWER for a file of a newer version
 */
export function createSqliteMemoryStore(file: SqliteFile<SqliteDb>): MemoryStore {
  file.migrate(LAYER, STEPS);
  return new SqliteMemoryStore(file);
}

class SqliteMemoryStore implements MemoryStore {
  readonly #file: SqliteFile<SqliteDb>;
  readonly #vectors = new Vectors();
  #closed = false;
  #overwrites: 'ON' | 'FAST' | undefined;

  constructor(file: SqliteFile<SqliteDb>) {
    this.#file = file;
  }

  async heads(keys: readonly string[]): ReturnType<MemoryStore['heads']> {
    return this.#read((db) => headsOf(db, keys));
  }

  async commit(
    changes: readonly MemoryChange[],
    options: Parameters<MemoryStore['commit']>[1],
  ): ReturnType<MemoryStore['commit']> {
    this.#open();
    options.signal?.throwIfAborted();
    checkChanges(changes);
    const erases = changes.some(({ type }) => type === 'erase');
    const result = await this.#file.writeSoon((db, outbox) => {
      this.#overwrite(db, erases ? 'ON' : 'FAST');
      const puts = changes.flatMap((change) => (change.type === 'put' ? [change.record.id] : []));
      const known = knownIds(db, puts);
      if (known.length > 0 && known.length === puts.length) return { type: 'duplicate' } as const;
      if (known.length > 0)
        throw fault('MEMORY_ID_REUSED', 'some records of the commit are there already', { ids: known });
      const stale = staleKeys(db, options.expected);
      if (stale.length > 0) return { type: 'stale', keys: stale } as const;
      const work: Work = { lent: new Map() };
      for (const change of changes) applyChange(db, change, work);
      if (erases) wipeFreePages(db);
      for (const entry of options.audit) outbox(STREAM, entry);
      return { type: 'committed' } as const;
    });
    // What was erased may stand in the write-ahead log still.
    return erases && !this.#file.truncateLog() && result.type !== 'stale' ? { ...result, left: [LOG] } : result;
  }

  /** What leaves a page is overwritten; where something is to be forgotten, so are the pages that become free. */
  #overwrite(db: SqliteDb, how: 'ON' | 'FAST'): void {
    if (this.#overwrites === how) return;
    db.exec(`PRAGMA secure_delete = ${how}`);
    this.#overwrites = how;
  }

  async *search(query: Query): AsyncGenerator<Found> {
    query.signal?.throwIfAborted();
    yield* this.#read((db) => searchRows(db, query, this.#vectors));
  }

  async *scan(options: Parameters<MemoryStore['scan']>[0] = {}): AsyncGenerator<MemoryRecord> {
    const { prefix = '', subject = null } = options;
    let after = options.after ?? '';
    const small = this.#read((db) => smallSubtree(db, prefix));
    for (;;) {
      options.signal?.throwIfAborted();
      const { rows, records } = this.#read((db) => {
        const page = selectRows(
          db,
          small === undefined ? SCAN : SCAN_SOME,
          packId(after),
          prefix,
          prefix,
          subject,
          subject,
          ...(small === undefined ? [] : [small]),
        );
        return { rows: page, records: page.flatMap((row) => readableRecord(db, row) ?? []) };
      });
      for (const record of records) yield record;
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined) return;
      after = last.id;
    }
  }

  async lenders(ids: readonly string[]): ReturnType<NonNullable<MemoryStore['lenders']>> {
    return this.#read((db) => lendersOf(db, ids));
  }

  async records(ids: readonly string[]): Promise<readonly MemoryRecord[]> {
    return this.#read((db) => {
      const rows = selectRows(
        db,
        `SELECT ${COLUMNS} FROM memory_records r WHERE r.id IN (${PACKED_IDS})`,
        ...packedLists(ids),
      );
      const records = new Map(toRecords(db, rows).map((record) => [record.id, record]));
      return ids.flatMap((id) => records.get(id) ?? []);
    });
  }

  async *conflicts(options: Parameters<MemoryStore['conflicts']>[0] = {}): AsyncGenerator<MemoryConflict> {
    const { state = null, records } = options;
    const rows = this.#read((db) => {
      if (records === undefined)
        return db.all<ConflictRow>(`${CONFLICTS} WHERE ? IS NULL OR state = ? ORDER BY seq`, state, state);
      const ids = packedLists(records);
      return db.all<ConflictRow>(
        `${CONFLICTS} WHERE (? IS NULL OR state = ?) AND ${NAMING} ORDER BY seq`,
        state,
        state,
        ...ids,
        ...ids,
      );
    });
    for (const row of rows) yield toConflict(row);
  }

  async counters(prefix: string): Promise<readonly MemoryCounter[]> {
    const rows = this.#read((db) =>
      db.all<{ name: string; value: number; at: number }>(
        'SELECT name, value, at FROM memory_counters WHERE name >= ? AND name < ?',
        prefix,
        `${prefix}\u{10ffff}`,
      ),
    );
    // The database orders by code point.
    const sorted = rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    return sorted.map(({ name, value, at }) => ({ name, value, at: new Date(at).toISOString() }));
  }

  async handedOut(session: string): Promise<readonly string[]> {
    const rows = this.#read((db) =>
      db.all<{ id: PackedId }>(
        'SELECT r.id AS id FROM memory_handed h JOIN memory_records r ON r.seq = h.record WHERE h.session = ? ORDER BY h.seq',
        session,
      ),
    );
    return rows.map(({ id }) => unpackId(id));
  }

  async check(): Promise<readonly Reason[]> {
    return this.#read(checkRows);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #read<T>(work: (db: SqliteDb) => T extends PromiseLike<unknown> ? never : T): T {
    this.#open();
    return this.#file.read(work);
  }

  #open(): void {
    if (this.#closed) throw fault('MEMORY_CLOSED', 'the store is closed');
  }
}

const FILTER = 'r.id > ? AND substr(r.key, 1, length(?)) = ? AND (? IS NULL OR r.subject = ?)';
const SCAN = `SELECT ${COLUMNS} FROM memory_records r WHERE ${FILTER} ORDER BY r.id LIMIT ${PAGE}`;
const SCAN_SOME = `SELECT ${COLUMNS} FROM memory_records r
  WHERE ${FILTER} AND r.seq IN (SELECT value FROM json_each(?)) ORDER BY r.id LIMIT ${PAGE}`;
/** Rows of a subtree up to which looking them up beats going through all. */
const SMALL = 2000;

/** The rows of a small subtree, as a JSON list. Other prefixes may end within a letter, which folding may change. */
function smallSubtree(db: SqliteDb, prefix: string): string | undefined {
  if (!prefix.endsWith('/')) return undefined;
  const below = foldName(prefix);
  const rows = db.arrays<[number]>(
    `SELECT seq FROM memory_records WHERE coalesce(fold, key) >= ? AND coalesce(fold, key) < ? LIMIT ${SMALL + 1}`,
    below,
    `${below}\u{10ffff}`,
  );
  return rows.length > SMALL ? undefined : JSON.stringify(rows.map(([seq]) => seq));
}

/** Free pages may hold what the text index moved elsewhere long ago: all are taken into use once, as zeros. */
function wipeFreePages(db: SqliteDb): void {
  const size = db.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 4096;
  db.exec('CREATE TABLE memory_wipe (zeros BLOB)');
  for (;;) {
    const free = db.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
    if (free === 0) break;
    db.run('INSERT INTO memory_wipe (zeros) VALUES (zeroblob(?))', Math.min(free * size, 2 ** 26));
  }
  db.exec('DROP TABLE memory_wipe');
}

function knownIds(db: SqliteDb, ids: readonly string[]): readonly string[] {
  if (ids.length <= FEW)
    return ids.filter((id) => db.get('SELECT seq FROM memory_records WHERE id = ?', packId(id)) !== undefined);
  return db
    .all<{ id: PackedId }>(`SELECT id FROM memory_records WHERE id IN (${PACKED_IDS})`, ...packedLists(ids))
    .map(({ id }) => unpackId(id));
}
