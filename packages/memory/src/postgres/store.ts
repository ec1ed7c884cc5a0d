import type {
  Entry,
  MemoryChange,
  MemoryConflict,
  MemoryCounter,
  MemoryRecord,
  MemoryStore,
  Outbox,
  Reason,
} from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { checkChanges } from '../change-record.ts';
import { fault } from '../errors.ts';
import type { Found, Query } from '../hits.ts';
import type { Work } from './apply.ts';
import { checkRows } from './check.ts';
import { commitChanges } from './commit.ts';
import { mapPostgresError } from './errors.ts';
import { type ConflictRow, foldOf, ROW, type Row, readableRecords, toConflict, toRecords } from './rows.ts';
import { type Tables, tablesOf } from './schema.ts';
import { searchRows } from './search.ts';
import { lendersOf } from './terms.ts';

/** Memory in PostgreSQL. `outbox` holds the audit entries until somebody takes them. */
export interface PostgresMemoryStore extends MemoryStore {
  readonly outbox: Outbox;
}

const PAGE = 500;

/** Memory tables in one schema of a PostgreSQL database. @internal */
export class PostgresStore implements PostgresMemoryStore {
  readonly outbox: Outbox;
  readonly #db: Kysely<unknown>;
  readonly #schema: string;
  readonly #tables: Tables;
  readonly #pgvector: boolean;
  #closed = false;

  constructor(db: Kysely<unknown>, options: { readonly schema: string; readonly pgvector: boolean }) {
    this.#db = db;
    this.#schema = options.schema;
    this.#tables = tablesOf(options.schema);
    this.#pgvector = options.pgvector;
    this.outbox = { pending: (limit) => this.#pending(limit), remove: (ids) => this.#remove(ids) };
  }

  async heads(keys: readonly string[]): ReturnType<MemoryStore['heads']> {
    const folds = [...new Set(keys.map(foldOf))];
    // One statement, so that rows and revisions are of the same moment.
    const rows = await this.#rows<
      Row & { readonly fold: string; readonly revision: number; readonly seq: number | null }
    >(sql`
      SELECT k.fold, k.revision::float8 AS revision, ${ROW} FROM ${this.#tables('memory_keys')} k
      LEFT JOIN ${this.#tables('memory_records')} r ON r.fold = k.fold WHERE k.fold = ANY (${folds}::text[]) ORDER BY r.seq`);
    const held = rows.filter(({ seq }) => seq !== null);
    const records = await this.#guarded(false, () => toRecords(this.#db, this.#tables, held));
    return keys.map((key) => {
      const fold = foldOf(key);
      return {
        key,
        revision: rows.find((row) => row.fold === fold)?.revision ?? 0,
        records: records.filter((_, index) => held[index]?.fold === fold),
      };
    });
  }

  async commit(
    changes: readonly MemoryChange[],
    options: Parameters<MemoryStore['commit']>[1],
  ): ReturnType<MemoryStore['commit']> {
    this.#open();
    options.signal?.throwIfAborted();
    checkChanges(changes);
    const place = { schema: this.#schema, tables: this.#tables, pgvector: this.#pgvector };
    return commitChanges(this.#db, place, changes, options);
  }

  async *search(query: Query): AsyncGenerator<Found> {
    query.signal?.throwIfAborted();
    yield* await this.#guarded(false, () => searchRows(this.#work(), query));
  }

  async *scan(options: Parameters<MemoryStore['scan']>[0] = {}): AsyncGenerator<MemoryRecord> {
    const { prefix = '', subject } = options;
    const below = prefix.endsWith('/') ? foldOf(prefix) : '';
    const about = subject === undefined ? sql`` : sql`AND r.subject = ${encodeText(subject)}`;
    let after = options.after ?? '';
    for (;;) {
      options.signal?.throwIfAborted();
      const rows = await this.#rows<Row>(sql`SELECT ${ROW} FROM ${this.#tables('memory_records')} r
        WHERE r.id > ${encodeText(after)} AND starts_with(r.key, ${encodeText(prefix)}) AND starts_with(r.fold, ${below})
        ${about} ORDER BY r.id LIMIT ${PAGE}`);
      for (const { record } of await this.#guarded(false, () => readableRecords(this.#db, this.#tables, rows)))
        yield record;
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined) return;
      after = decodeText(last.id);
    }
  }

  async lenders(ids: readonly string[]): ReturnType<NonNullable<MemoryStore['lenders']>> {
    this.#open();
    return this.#guarded(false, () => lendersOf(this.#db, this.#tables, ids));
  }

  async records(ids: readonly string[]): Promise<readonly MemoryRecord[]> {
    const rows = await this.#rows<Row>(sql`SELECT ${ROW} FROM ${this.#tables('memory_records')} r
      WHERE r.id = ANY (${ids.map(encodeText)}::text[])`);
    const found = await this.#guarded(false, () => toRecords(this.#db, this.#tables, rows));
    const byId = new Map(found.map((record) => [record.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async *conflicts(options: Parameters<MemoryStore['conflicts']>[0] = {}): AsyncGenerator<MemoryConflict> {
    const { state, records } = options;
    const ids = records?.map(encodeText) ?? [];
    const rows = await this.#rows<ConflictRow>(sql`SELECT id, type, earlier, later, state, kept
      FROM ${this.#tables('memory_conflicts')} WHERE (${state === undefined} OR state = ${state ?? ''})
      AND (${records === undefined} OR earlier = ANY (${ids}::text[]) OR later = ANY (${ids}::text[])) ORDER BY seq`);
    for (const row of rows) yield toConflict(row);
  }

  async counters(prefix: string): Promise<readonly MemoryCounter[]> {
    const rows = await this.#rows<{ name: string; value: number; at: number }>(sql`SELECT name, value::float8 AS value,
      at::float8 AS at FROM ${this.#tables('memory_counters')} WHERE starts_with(name, ${encodeText(prefix)}) ORDER BY name`);
    return rows.map(({ name, value, at }) => ({ name: decodeText(name), value, at: new Date(at).toISOString() }));
  }

  async handedOut(session: string): Promise<readonly string[]> {
    const rows = await this.#rows<{ id: string }>(sql`SELECT r.id FROM ${this.#tables('memory_handed')} h
      JOIN ${this.#tables('memory_records')} r ON r.seq = h.record WHERE h.session = ${encodeText(session)} ORDER BY h.seq`);
    return rows.map(({ id }) => decodeText(id));
  }

  /** Reads one moment of the data, however long it takes. */
  async check(): Promise<readonly Reason[]> {
    this.#open();
    return this.#guarded(false, () =>
      this.#db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((db) => checkRows({ ...this.#work(), db })),
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#db.destroy();
  }

  async #pending(limit: number): ReturnType<Outbox['pending']> {
    const rows = await this.#rows<{ stream: string; entry: string }>(
      sql`SELECT stream, entry FROM ${this.#tables('memory_outbox')} ORDER BY seq LIMIT ${limit}`,
    );
    return rows.map(({ stream, entry }) => ({ stream, entry: JSON.parse(entry) as Entry }));
  }

  async #remove(ids: readonly string[]): Promise<void> {
    await this.#rows(
      sql`DELETE FROM ${this.#tables('memory_outbox')} WHERE id = ANY (${ids.map(encodeText)}::text[])`,
      true,
    );
  }

  #work(): Work {
    return { db: this.#db, tables: this.#tables, pgvector: this.#pgvector };
  }

  async #rows<Columns>(statement: RawBuilder<unknown>, writing = false): Promise<readonly Columns[]> {
    this.#open();
    const result = await this.#guarded(writing, () => statement.execute(this.#db));
    return result.rows as readonly Columns[];
  }

  async #guarded<T>(writing: boolean, work: () => Promise<T>): Promise<T> {
    this.#open();
    try {
      return await work();
    } catch (error) {
      throw mapPostgresError(error, writing);
    }
  }

  #open(): void {
    if (this.#closed) throw fault('MEMORY_CLOSED', 'the store is closed');
  }
}
