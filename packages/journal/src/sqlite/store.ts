import type { Appended } from '@warrant/core';
import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { parseCursor } from '../cursor.ts';
import type { Expected } from '../decide-append.ts';
import { runsOf } from '../group-by.ts';
import type { Prepared, Row } from '../row.ts';
import type {
  Followed,
  FollowQuery,
  JournalStore,
  Lineage,
  PageQuery,
  Segment,
  StoredSnapshot,
  StreamSize,
  SubjectCount,
  TreeNode,
} from '../store.ts';
import { createWaiters } from '../waiters.ts';
import { appendQueueOf } from './append-queue.ts';
import { followRows } from './follow.ts';
import { knownRows } from './known-rows.ts';
import { bytesOf, ENTRY, type EntryColumns, entryRows, lineageByName, toRow } from './rows.ts';
import { STREAM_SIZES, SUBJECT_ENTRIES } from './sizes.ts';
import { forkStream, putRows } from './streams.ts';

/** How soon appends of other processes are seen by subscribers. */
const POLL_MS = 50;
const MAX = Number.MAX_SAFE_INTEGER;
/** Streams that entries say and that there are not: a step a stream, where looking at each entry takes as long as hashing it. */
const UNKNOWN = `WITH RECURSIVE said (key) AS (
    SELECT min(stream) FROM journal_entries
    UNION ALL SELECT (SELECT min(stream) FROM journal_entries WHERE stream > said.key) FROM said WHERE said.key IS NOT NULL
  ) SELECT key FROM said WHERE key NOT IN (SELECT key FROM journal_streams)`;
const JOINED = `SELECT ${ENTRY}, s.name FROM journal_entries e
  LEFT JOIN journal_streams s ON s.key = e.stream`;
const PAGE = `SELECT ${ENTRY} FROM journal_entries e WHERE stream = ? AND position BETWEEN ? AND ?`;

/** Journal tables in a file that other layers may share. @internal */
export class SqliteStore implements JournalStore {
  readonly kind = 'sqlite';
  readonly #file: SqliteFile<SqliteDb>;
  readonly #waiters = createWaiters();
  readonly #names = new Map<number, string>();

  constructor(file: SqliteFile<SqliteDb>) {
    this.#file = file;
  }

  async append(
    stream: string,
    entries: readonly Prepared[],
    options: { readonly expected: Expected; readonly time: number },
  ): Promise<Appended> {
    const result = await appendQueueOf(this.#file).append(stream, entries, options);
    if (result.type === 'appended') this.#waiters.wake();
    return result;
  }

  async lineage(stream: string): Promise<Lineage | undefined> {
    return this.#file.read((db) => lineageByName(db, stream));
  }

  async known(stream: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    return this.#file.read((db) => {
      const lineage = lineageByName(db, stream);
      return lineage === undefined ? new Map<string, Row>() : knownRows(db, lineage, ids);
    });
  }

  async page(query: PageQuery): Promise<readonly Row[]> {
    const order = query.direction === 'forward' ? 'ASC' : 'DESC';
    return this.#file.read((db) => {
      const { key, from, to, limit } = query;
      const bounds = [key, from, Math.min(to, MAX), Math.min(limit, MAX)] as const;
      const rows = entryRows(db, `${PAGE} ORDER BY position ${order} LIMIT ?`, ...bounds);
      const name = this.#nameOf(db, key);
      return rows.map((columns) => toRow(columns, name));
    });
  }

  async follow(query: FollowQuery): Promise<Followed> {
    return this.#file.read((db) => followRows(db, query));
  }

  async pageAll(after: string | undefined, limit: number): Promise<readonly Row[]> {
    return this.pageLeaves(parseCursor(after), limit);
  }

  async positionAt(key: number, cursor: string): Promise<number> {
    const seq = parseCursor(cursor);
    const row = this.#file.read((db) =>
      db.get<{ position: number }>(
        'SELECT position FROM journal_entries WHERE stream = ? AND seq <= ? ORDER BY position DESC LIMIT 1',
        key,
        seq,
      ),
    );
    return row?.position ?? 0;
  }

  async streams(after: string | undefined, limit: number): Promise<readonly string[]> {
    const [behind, bounds] = after === undefined ? ['', []] : ['WHERE name > ?', [after]];
    const text = `SELECT name FROM journal_streams ${behind} ORDER BY name LIMIT ?`;
    return this.#file.read((db) => db.all<{ name: string }>(text, ...bounds, limit).map((row) => row.name));
  }

  async fork(stream: string, position: number, target: string): ReturnType<JournalStore['fork']> {
    const result = this.#file.write((db) => forkStream(db, stream, position, target));
    if (result.type === 'forked') this.#waiters.wake();
    return result;
  }

  async restore(rows: readonly Omit<Row, 'cursor'>[]): Promise<void> {
    this.#file.write((db) => {
      for (const run of runsOf(rows, (row) => row.stream)) putRows(db, (run[0] as Row).stream, run);
    });
    this.#waiters.wake();
  }

  version(): number {
    return this.#file.dataVersion();
  }

  async changed(seen: number, signal: AbortSignal | undefined): Promise<void> {
    const woken = this.#waiters.version();
    if (this.#file.dataVersion() === seen) await this.#waiters.wait(woken, signal, POLL_MS);
  }

  async settle(): Promise<number> {
    return this.#file.read((db) => db.get<{ size: number }>('SELECT max(seq) AS size FROM journal_entries')?.size ?? 0);
  }

  async leaves(from: number, limit: number): Promise<readonly string[]> {
    return this.#file.read((db) =>
      db
        .arrays<[digest: string]>(
          'SELECT lower(hex(digest)) FROM journal_entries WHERE seq > ? AND seq <= ? ORDER BY seq',
          from,
          Math.min(from + limit, MAX),
        )
        .map(([digest]) => digest),
    );
  }

  async leafOf(key: number, position: number): Promise<number | undefined> {
    const text = 'SELECT seq FROM journal_entries WHERE stream = ? AND position = ?';
    const row = this.#file.read((db) => db.get<{ seq: number }>(text, key, position));
    return row && row.seq - 1;
  }

  async sealed(): Promise<number> {
    return this.#file.read((db) => db.get<{ size: number }>('SELECT size FROM journal_sealed')?.size ?? 0);
  }

  async node(level: number, index: number): Promise<string | undefined> {
    const text = 'SELECT lower(hex(hash)) AS hash FROM journal_nodes WHERE level = ? AND place = ?';
    return this.#file.read((db) => db.get<{ hash: string }>(text, level, index)?.hash);
  }

  async saveSealed(from: number, to: number, nodes: readonly TreeNode[]): Promise<boolean> {
    return this.#file.write((db) => {
      const { changes } = db.run('UPDATE journal_sealed SET size = ? WHERE size = ?', to, from);
      if (changes === 0) return false;
      for (const { level, index, hash } of nodes) {
        db.run(
          'INSERT OR REPLACE INTO journal_nodes (level, place, hash) VALUES (?, ?, ?)',
          level,
          index,
          bytesOf(hash),
        );
      }
      return true;
    });
  }

  async checkpoints(): Promise<readonly string[]> {
    return this.#file.read((db) =>
      db.all<{ note: string }>('SELECT note FROM journal_checkpoints ORDER BY size').map((row) => row.note),
    );
  }

  async saveCheckpoint(size: number, note: string): Promise<void> {
    this.#file.write((db) =>
      db.run('INSERT INTO journal_checkpoints (size, note) VALUES (?, ?) ON CONFLICT DO NOTHING', size, note),
    );
  }

  async loadSnapshot(stream: string, program: string): Promise<StoredSnapshot | undefined> {
    const text = `SELECT stream, program, position, body, digest FROM journal_snapshots WHERE stream = ? AND program = ?`;
    return this.#file.read((db) => db.get<StoredSnapshot>(text, stream, program));
  }

  async saveSnapshot(snapshot: StoredSnapshot): Promise<void> {
    const { stream, program, position, digest, body } = snapshot;
    this.#file.write((db) =>
      db.run(
        'INSERT OR REPLACE INTO journal_snapshots (stream, program, position, digest, body) VALUES (?, ?, ?, ?, ?)',
        stream,
        program,
        position,
        digest,
        body,
      ),
    );
  }

  async snapshotStreams(): Promise<readonly string[]> {
    return this.#file.read((db) =>
      db.all<{ stream: string }>('SELECT stream FROM journal_snapshots ORDER BY stream').map((row) => row.stream),
    );
  }

  async subjects(segment: Segment): Promise<readonly string[]> {
    const text = `SELECT DISTINCT subject FROM journal_entries
      WHERE stream = ? AND subject IS NOT NULL AND position BETWEEN ? AND ? ORDER BY subject`;
    return this.#file.read((db) =>
      db.all<{ subject: string }>(text, segment.key, segment.from, Math.min(segment.to, MAX)).map((row) => row.subject),
    );
  }

  async subjectEntries(subject: string): Promise<readonly SubjectCount[]> {
    return this.#file.read((db) => db.all<SubjectCount>(SUBJECT_ENTRIES, subject));
  }

  async detach(from: number, to: number, segment: string): Promise<void> {
    this.#file.write((db) =>
      db.run(
        "UPDATE journal_entries SET data = NULL, sealed = iif(sealed IS NULL, NULL, ''), segment = ? WHERE seq > ? AND seq <= ?",
        segment,
        from,
        to,
      ),
    );
  }

  async pageLeaves(from: number, limit: number): Promise<readonly Row[]> {
    return this.#file.read((db) =>
      entryRows(db, `${JOINED} WHERE e.seq > ? ORDER BY e.seq LIMIT ?`, from, Math.min(limit, MAX)).map((columns) =>
        toRow(columns, columns[14] ?? ''),
      ),
    );
  }

  async sizes(after: string | undefined, limit: number): Promise<readonly StreamSize[]> {
    return this.#file.read((db) => db.all<StreamSize>(STREAM_SIZES, after ?? '', limit));
  }

  async bytes(): Promise<number | undefined> {
    const text = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()';
    return this.#file.read((db) => db.get<{ bytes: number }>(text)?.bytes);
  }

  async orphans(limit: number): Promise<readonly Row[]> {
    return this.#file.read((db) =>
      db
        .arrays<EntryColumns>(`${JOINED} WHERE e.stream IN (${UNKNOWN}) ORDER BY e.seq LIMIT ?`, limit)
        .map((columns) => toRow(columns, '')),
    );
  }

  async count(): Promise<number> {
    return this.#file.read(
      (db) => db.get<{ count: number }>('SELECT count(*) AS count FROM journal_entries')?.count ?? 0,
    );
  }

  async close(): Promise<void> {
    this.#waiters.close();
  }

  /** Streams are never renamed nor removed. */
  #nameOf(db: SqliteDb, key: number): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = db.get<{ name: string }>('SELECT name FROM journal_streams WHERE key = ?', key)?.name ?? '';
    if (this.#names.size >= 10_000) this.#names.clear();
    this.#names.set(key, name);
    return name;
  }
}
