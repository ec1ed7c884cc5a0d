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
import { applyChange } from './apply.ts';
import { checkRows } from './check.ts';
import { COLUMNS, type ConflictRow, type Row, toConflict, toRecords } from './rows.ts';
import { type Found, type Query, searchRows } from './search.ts';
import { LAYER, STEPS } from './tables.ts';

/** Stream of this layer's audit entries. */
const STREAM = 'memory';
const PAGE = 500;
const CONFLICTS = 'SELECT id, type, earlier, later, state, kept FROM memory_conflicts';
const NAMING = `seq IN (SELECT seq FROM memory_conflicts WHERE earlier IN (SELECT value FROM json_each(?))
  UNION SELECT seq FROM memory_conflicts WHERE later IN (SELECT value FROM json_each(?)))`;
const REVISIONS = 'SELECT fold, revision FROM memory_keys WHERE fold IN (SELECT value FROM json_each(?))';
const HEADS = `SELECT ${COLUMNS}, r.fold FROM memory_records r WHERE r.fold IN (SELECT value FROM json_each(?)) ORDER BY r.seq`;

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
  #closed = false;
  #secure = false;

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
      this.#overwriteDeleted(db);
      const puts = changes.flatMap((change) => (change.type === 'put' ? [change.record.id] : []));
      const known = db.all<{ id: string }>(
        'SELECT id FROM memory_records WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(puts),
      );
      if (known.length > 0 && known.length === puts.length) return { type: 'duplicate' } as const;
      if (known.length > 0)
        throw fault('MEMORY_ID_REUSED', 'some records of the commit are there already', {
          ids: known.map(({ id }) => id),
        });
      const stale = Object.entries(options.expected).filter(([key, revision]) => revisionOf(db, key) !== revision);
      if (stale.length > 0) return { type: 'stale', keys: stale.map(([key]) => key) } as const;
      const touched = new Set<string>();
      for (const change of changes) applyChange(db, change, touched);
      for (const fold of touched)
        db.run(
          'INSERT INTO memory_keys (fold, revision) VALUES (?, 1) ON CONFLICT (fold) DO UPDATE SET revision = revision + 1',
          fold,
        );
      for (const entry of options.audit) outbox(STREAM, entry);
      return { type: 'committed' } as const;
    });
    // What was erased may stand in the write-ahead log still.
    if (erases) this.#file.truncateLog();
    return result;
  }

  /** Freed pages are overwritten, so that what is erased is not in the file any more. */
  #overwriteDeleted(db: SqliteDb): void {
    if (this.#secure) return;
    db.exec('PRAGMA secure_delete = ON');
    this.#secure = true;
  }

  async *search(query: Query): AsyncGenerator<Found> {
    query.signal?.throwIfAborted();
    yield* this.#read((db) => searchRows(db, query));
  }

  async *scan(options: Parameters<MemoryStore['scan']>[0] = {}): AsyncGenerator<MemoryRecord> {
    const { prefix = '', subject = null } = options;
    // A subtree is a range of the index over folded keys; other prefixes may end within a letter.
    const below = prefix.endsWith('/') ? foldName(prefix) : null;
    let after = options.after ?? '';
    for (;;) {
      options.signal?.throwIfAborted();
      const page = this.#read((db) =>
        toRecords(
          db,
          db.all<Row>(
            `SELECT ${COLUMNS} FROM memory_records r WHERE r.id > ? AND substr(r.key, 1, length(?)) = ? AND (? IS NULL OR r.subject = ?)
             ${below === null ? '' : 'AND r.seq IN (SELECT seq FROM memory_records WHERE fold >= ? AND fold < ?)'}
             ORDER BY r.id LIMIT ${PAGE}`,
            after,
            prefix,
            prefix,
            subject,
            subject,
            ...(below === null ? [] : [below, `${below}\u{10ffff}`]),
          ),
        ),
      );
      yield* page;
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) return;
      after = last.id;
    }
  }

  async records(ids: readonly string[]): Promise<readonly MemoryRecord[]> {
    return this.#read((db) => {
      const rows = db.all<Row>(
        `SELECT ${COLUMNS} FROM memory_records r WHERE r.id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
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
      const ids = JSON.stringify(records);
      return db.all<ConflictRow>(
        `${CONFLICTS} WHERE (? IS NULL OR state = ?) AND ${NAMING} ORDER BY seq`,
        state,
        state,
        ids,
        ids,
      );
    });
    for (const row of rows) yield toConflict(row);
  }

  async counters(prefix: string): Promise<readonly MemoryCounter[]> {
    const rows = this.#read((db) =>
      db.all<{ name: string; value: number; at: number }>(
        'SELECT name, value, at FROM memory_counters WHERE substr(name, 1, length(?)) = ? ORDER BY name',
        prefix,
        prefix,
      ),
    );
    return rows.map(({ name, value, at }) => ({ name, value, at: new Date(at).toISOString() }));
  }

  async handedOut(session: string): Promise<readonly string[]> {
    const rows = this.#read((db) =>
      db.all<{ id: string }>(
        'SELECT r.id AS id FROM memory_handed h JOIN memory_records r ON r.seq = h.record WHERE h.session = ? ORDER BY h.seq',
        session,
      ),
    );
    return rows.map(({ id }) => id);
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

function revisionOf(db: SqliteDb, key: string): number {
  return db.get<{ revision: number }>('SELECT revision FROM memory_keys WHERE fold = ?', foldName(key))?.revision ?? 0;
}

function headsOf(db: SqliteDb, keys: readonly string[]): Awaited<ReturnType<MemoryStore['heads']>> {
  const folds = keys.map(foldName);
  const asked = JSON.stringify([...new Set(folds)]);
  const revisions = new Map(
    db.all<{ fold: string; revision: number }>(REVISIONS, asked).map((row) => [row.fold, row.revision]),
  );
  const rows = db.all<Row & { readonly fold: string }>(HEADS, asked);
  const byFold = new Map<string, MemoryRecord[]>();
  for (const [index, record] of toRecords(db, rows).entries()) {
    const fold = (rows[index] as { readonly fold: string }).fold;
    const known = byFold.get(fold);
    if (known === undefined) byFold.set(fold, [record]);
    else known.push(record);
  }
  return keys.map((key, index) => {
    const fold = folds[index] as string;
    return { key, revision: revisions.get(fold) ?? 0, records: byFold.get(fold) ?? [] };
  });
}
