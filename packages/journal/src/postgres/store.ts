import type { Appended } from '@warrant/core';
import { decodeText, encodeText } from '@warrant/core/kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Expected } from '../decide-append.ts';
import { fault } from '../errors.ts';
import { runsOf } from '../group-by.ts';
import { GENESIS, type Prepared, type Row } from '../row.ts';
import type {
  JournalStore,
  Lineage,
  PageQuery,
  Segment,
  StoredSnapshot,
  StreamSize,
  SubjectCount,
  TreeNode,
} from '../store.ts';
import { type Advance, createAdvance } from './advance.ts';
import { PostgresAppender } from './append.ts';
import { parseCursor } from './cursor.ts';
import { mapPostgresError } from './errors.ts';
import type { PostgresListener } from './listener.ts';
import { ENTRY, type EntryColumns, entryPage, knownRows, lineageByName, type Tables, tablesOf, toRow } from './rows.ts';
import type { Db } from './schema.ts';
import { moveSealed, SETTLE_AT_ONCE, settledBelow, settleSome } from './settle.ts';
import { bytesOnDisk, streamSizes, subjectEntries } from './sizes.ts';

/** How soon appends of other processes are seen when no notice comes. */
const POLL_MS = 500;
const MAX = Number.MAX_SAFE_INTEGER;

/** Journal tables in one schema of a PostgreSQL database. @internal */
export class PostgresStore implements JournalStore {
  readonly kind = 'postgres';
  readonly #db: Db;
  readonly #tables: Tables;
  readonly #schema: string;
  readonly #listener: PostgresListener;
  readonly #advance: Advance;
  readonly #appender: PostgresAppender;
  readonly #close: () => Promise<void>;

  constructor(db: Db, options: { pool: Pool; schema: string; listener: PostgresListener; close: () => Promise<void> }) {
    this.#db = db;
    this.#schema = options.schema;
    this.#tables = tablesOf(options.schema);
    this.#listener = options.listener;
    this.#close = options.close;
    this.#advance = createAdvance(db, options.pool, this.#tables);
    this.#appender = new PostgresAppender(db, this.#tables, options.schema, this.#advance);
  }

  async append(
    stream: string,
    entries: readonly Prepared[],
    options: { readonly expected: Expected; readonly time: number },
  ): Promise<Appended> {
    const result = await this.#appender.append(stream, entries, options);
    if (result.type === 'appended') this.#listener.announce();
    return result;
  }

  lineage(stream: string): Promise<Lineage | undefined> {
    return this.#guarded(false, () => lineageByName(this.#db, this.#tables, stream));
  }

  async known(stream: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const lineage = await this.lineage(stream);
    if (lineage === undefined) return new Map();
    return this.#guarded(false, () => knownRows(this.#db, this.#tables, lineage, ids));
  }

  page(query: PageQuery): Promise<readonly Row[]> {
    const rest = sql`WHERE e.stream = ${query.key} AND e.position BETWEEN ${query.from} AND ${Math.min(query.to, MAX)}`;
    return this.#page(rest, query.direction === 'forward' ? 'position' : 'position DESC', query.limit);
  }

  /**
   * Ordered by the number of the transaction, and only those before which no other can commit any more: what a slower
   * transaction commits late comes after everything that was ever read.
   */
  pageAll(after: string | undefined, limit: number): Promise<readonly Row[]> {
    const from = parseCursor(after);
    const rest = sql`WHERE (e.tx, e.stream, e.position) > (${from.tx}::bigint, ${from.stream}::bigint, ${from.position}::bigint)
      AND e.tx < ${settledBelow(this.#tables)}`;
    return this.#page(rest, 'tx, stream, position', limit);
  }

  async positionAt(key: number, cursor: string): Promise<number> {
    const at = parseCursor(cursor);
    const rows = await this.#rows<{ position: number }>(sql`
      SELECT position::float8 AS position FROM ${this.#tables('journal_entries')} WHERE stream = ${key}
      AND (tx, stream, position) <= (${at.tx}::bigint, ${at.stream}::bigint, ${at.position}::bigint)
      ORDER BY position DESC LIMIT 1`);
    return rows[0]?.position ?? 0;
  }

  async streams(after: string | undefined, limit: number): Promise<readonly string[]> {
    const rows = await this.#rows<{ name: string }>(sql`SELECT name FROM ${this.#tables('journal_streams')}
      WHERE name > ${encodeText(after ?? '')} OR ${after === undefined} ORDER BY name LIMIT ${limit}`);
    return rows.map((row) => decodeText(row.name));
  }

  async fork(stream: string, position: number, target: string): ReturnType<JournalStore['fork']> {
    const lineage = await this.lineage(stream);
    const segment = lineage?.segments.find((one) => position >= one.from && position <= one.to);
    const at = { from: position, to: position, limit: 1, direction: 'forward' as const };
    const [row] = segment === undefined ? [] : await this.page({ key: segment.key, ...at });
    if (lineage === undefined || row === undefined) {
      return { type: 'no-such-position', head: lineage?.row.position ?? 0 };
    }
    const made = await this.#rows<{ key: string }>(
      sql`INSERT INTO ${this.#tables('journal_streams')}
          (name, position, digest, parent, parent_position, parent_digest)
        VALUES (${encodeText(target)}, ${position}, ${row.digest}, ${lineage.row.key}, ${position}, ${row.digest})
        ON CONFLICT (name) DO NOTHING RETURNING key::text AS key`,
      true,
    );
    if (made.length === 0) return { type: 'exists' };
    this.#listener.announce();
    return { type: 'forked' };
  }

  /** A transaction a run, since it is the transaction's number that orders the log. */
  async restore(rows: readonly Omit<Row, 'cursor'>[]): Promise<void> {
    for (const run of runsOf(rows, (row) => row.stream)) {
      const { stream, position, previous } = run[0] as Row;
      const head = { stream, position: position - 1, digest: position === 1 ? GENESIS : previous };
      const put = await this.#guarded(true, () => this.#advance.alone(head, run));
      if (put === undefined) {
        throw fault('JOURNAL_UNAVAILABLE', `stream ${stream} was written to meanwhile`, { stream, position });
      }
    }
    this.#listener.announce();
  }

  version(): number {
    return this.#listener.version();
  }

  changed(seen: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#listener.wait(seen, signal, POLL_MS);
  }

  async settle(): Promise<number> {
    for (;;) {
      const { added, size } = await this.#guarded(true, () => settleSome(this.#db, this.#tables, this.#schema));
      if (added < SETTLE_AT_ONCE) return size + added;
    }
  }

  async leaves(from: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#rows<{ digest: string }>(sql`
      SELECT e.digest FROM ${this.#tables('journal_leaves')} l
      JOIN ${this.#tables('journal_entries')} e ON e.stream = l.stream AND e.position = l.position
      WHERE l.leaf >= ${from} AND l.leaf < ${Math.min(from + limit, MAX)} ORDER BY l.leaf`);
    return rows.map((row) => row.digest);
  }

  async leafOf(key: number, position: number): Promise<number | undefined> {
    const rows = await this.#rows<{ leaf: number }>(sql`SELECT leaf::float8 AS leaf
      FROM ${this.#tables('journal_leaves')} WHERE stream = ${key} AND position = ${position}`);
    return rows[0]?.leaf;
  }

  async sealed(): Promise<number> {
    const rows = await this.#rows<{ sealed: number }>(
      sql`SELECT sealed::float8 AS sealed FROM ${this.#tables('journal_base')}`,
    );
    return rows[0]?.sealed ?? 0;
  }

  async node(level: number, index: number): Promise<string | undefined> {
    const rows = await this.#rows<{ hash: string }>(
      sql`SELECT hash FROM ${this.#tables('journal_nodes')} WHERE level = ${level} AND place = ${index}`,
    );
    return rows[0]?.hash;
  }

  async saveSealed(from: number, to: number, nodes: readonly TreeNode[]): Promise<boolean> {
    const rows = await this.#rows<{ done: number }>(moveSealed(this.#tables, from, to, nodes), true);
    return rows.length === 1;
  }

  async checkpoints(): Promise<readonly string[]> {
    const rows = await this.#rows<{ note: string }>(
      sql`SELECT note FROM ${this.#tables('journal_checkpoints')} ORDER BY size`,
    );
    return rows.map((row) => row.note);
  }

  async saveCheckpoint(size: number, note: string): Promise<void> {
    await this.#rows(
      sql`INSERT INTO ${this.#tables('journal_checkpoints')} (size, note) VALUES (${size}, ${note}) ON CONFLICT DO NOTHING`,
      true,
    );
  }

  async loadSnapshot(stream: string, program: string): Promise<StoredSnapshot | undefined> {
    const rows = await this.#rows<{ position: number; digest: string; body: string }>(sql`
      SELECT position::float8 AS position, digest, body FROM ${this.#tables('journal_snapshots')}
      WHERE stream = ${encodeText(stream)} AND program = ${encodeText(program)}`);
    return rows[0] && { stream, program, ...rows[0] };
  }

  async saveSnapshot(snapshot: StoredSnapshot): Promise<void> {
    const { stream, program, position, digest, body } = snapshot;
    await this.#rows(
      sql`INSERT INTO ${this.#tables('journal_snapshots')} (stream, program, position, digest, body)
        VALUES (${encodeText(stream)}, ${encodeText(program)}, ${position}, ${digest}, ${body})
        ON CONFLICT (stream, program) DO UPDATE SET position = excluded.position, digest = excluded.digest, body = excluded.body`,
      true,
    );
  }

  async snapshotStreams(): Promise<readonly string[]> {
    const rows = await this.#rows<{ stream: string }>(
      sql`SELECT stream FROM ${this.#tables('journal_snapshots')} ORDER BY stream`,
    );
    return rows.map((row) => decodeText(row.stream));
  }

  async subjects(segment: Segment): Promise<readonly string[]> {
    const rows = await this.#rows<{ subject: string }>(sql`
      SELECT DISTINCT subject FROM ${this.#tables('journal_entries')} WHERE stream = ${segment.key}
      AND subject IS NOT NULL AND position BETWEEN ${segment.from} AND ${Math.min(segment.to, MAX)} ORDER BY subject`);
    return rows.map((row) => decodeText(row.subject));
  }

  async subjectEntries(subject: string): Promise<readonly SubjectCount[]> {
    const rows = await this.#rows<SubjectCount>(subjectEntries(this.#tables, subject));
    return rows.map((row) => ({ ...row, stream: decodeText(row.stream) }));
  }

  async detach(from: number, to: number, segment: string): Promise<void> {
    await this.#rows(
      sql`UPDATE ${this.#tables('journal_entries')} e SET data = NULL, sealed = CASE WHEN sealed IS NULL THEN NULL ELSE '' END, segment = ${encodeText(segment)}
        FROM ${this.#tables('journal_leaves')} l WHERE l.stream = e.stream AND l.position = e.position
        AND l.leaf >= ${from} AND l.leaf < ${to}`,
      true,
    );
  }

  async pageLeaves(from: number, limit: number): Promise<readonly Row[]> {
    const leaves = sql`JOIN (SELECT leaf, stream AS its_stream, position AS its_position
      FROM ${this.#tables('journal_leaves')}) l ON l.its_stream = e.stream AND l.its_position = e.position
      WHERE l.leaf >= ${from}`;
    return this.#page(leaves, 'leaf', limit);
  }

  async sizes(after: string | undefined, limit: number): Promise<readonly StreamSize[]> {
    const rows = await this.#rows<StreamSize>(streamSizes(this.#tables, after, limit));
    return rows.map((row) => ({ ...row, stream: decodeText(row.stream) }));
  }

  async bytes(): Promise<number | undefined> {
    const rows = await this.#rows<{ bytes: number }>(bytesOnDisk(this.#schema));
    return rows[0]?.bytes;
  }

  orphans(limit: number): Promise<readonly Row[]> {
    const tables = this.#tables;
    return this.#entries(sql`SELECT ${ENTRY} FROM ${tables('journal_entries')} e
      LEFT JOIN ${tables('journal_streams')} s ON s.key = e.stream WHERE s.key IS NULL ORDER BY e.tx LIMIT ${limit}`);
  }

  async count(): Promise<number> {
    const rows = await this.#rows<{ count: number }>(
      sql`SELECT count(*)::float8 AS count FROM ${this.#tables('journal_entries')}`,
    );
    return rows[0]?.count ?? 0;
  }

  async close(): Promise<void> {
    this.#listener.close();
    await this.#close();
  }

  #page(rest: RawBuilder<unknown>, order: string, limit: number): Promise<readonly Row[]> {
    return this.#entries(entryPage(this.#tables, rest, order, Math.min(limit, MAX)));
  }

  async #entries(statement: RawBuilder<unknown>): Promise<readonly Row[]> {
    return (await this.#rows<EntryColumns>(statement)).map(toRow);
  }

  async #rows<Columns>(statement: RawBuilder<unknown>, writing = false): Promise<readonly Columns[]> {
    const result = await this.#guarded(writing, () => statement.execute(this.#db));
    return result.rows as readonly Columns[];
  }

  async #guarded<T>(writing: boolean, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw mapPostgresError(error, writing);
    }
  }
}
