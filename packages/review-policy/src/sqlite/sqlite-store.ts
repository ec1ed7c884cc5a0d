import {
  type ArtifactChange,
  createIdSource,
  type IdSource,
  type JsonObject,
  type ReviewCommit,
  type ReviewCommitted,
  type ReviewRecord,
  type ReviewStore,
  type StoredReview,
} from '@warrant/core';
import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { GENESIS, parseLine, verifyLines } from '../chain.ts';
import { eventLine, readEvent } from '../event-line.ts';

const VERSION_1 = `
CREATE TABLE review_record (
  id TEXT PRIMARY KEY,
  pending INTEGER NOT NULL,
  status TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX review_record_order ON review_record (pending DESC, id);
CREATE TABLE review_artifact (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE review_event (
  position INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  line TEXT NOT NULL
) STRICT;
`;

export type SqliteReviewStoreOptions = {
  readonly ids?: IdSource;
  /** Those of the ids that evidence may name; pages may name the store's own claims besides. @default the store cannot tell */
  readonly known?: (ids: readonly string[]) => Promise<readonly string[]>;
};

type RecordRow = { readonly version: number; readonly body: string };
const PAGE = 500;

/** Whether any proposal waits in the file's queue: a look that costs less than the queue itself. */
export function hasPendingReviews(file: SqliteFile<SqliteDb>): boolean {
  migrate(file);
  return file.read((db) => db.get('SELECT 1 FROM review_record WHERE pending = 1 LIMIT 1')) !== undefined;
}

function migrate(file: SqliteFile<SqliteDb>): void {
  file.migrate('review', [(db) => db.exec(VERSION_1)]);
}

/** A review store in a database file that other layers may share. Its tables start with `review_`. */
export function createSqliteReviewStore(
  file: SqliteFile<SqliteDb>,
  options: SqliteReviewStoreOptions = {},
): ReviewStore {
  const ids = options.ids ?? createIdSource();
  migrate(file);
  return {
    read: async (id) => file.read((db) => readRow(db, id)),
    list: async function* (query = {}) {
      let after: { readonly pending: number; readonly id: string } | null = null;
      for (;;) {
        query.signal?.throwIfAborted();
        const page: readonly ListedRow[] = file.read((db) => readPage(db, after, query.status));
        for (const row of page) yield toStored(row);
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return;
        after = last;
      }
    },
    artifact: async (kind, id) => file.read((db) => readArtifact(db, kind, id)),
    known: async (wanted, kind) => {
      if (options.known === undefined) return null;
      const elsewhere = new Set(await options.known(wanted));
      if (kind !== 'page') return wanted.filter((id) => elsewhere.has(id));
      return file.read((db) => wanted.filter((id) => elsewhere.has(id) || readArtifact(db, 'claim', id) !== undefined));
    },
    commit: (change) => file.writeSoon((db) => commit(db, change, ids)),
    events: async function* (query = {}) {
      let after = 0;
      for (;;) {
        query.signal?.throwIfAborted();
        const page: readonly EventRow[] = file.read((db) =>
          db.all<EventRow>(
            'SELECT position, line FROM review_event WHERE position > ? ORDER BY position LIMIT ?',
            after,
            PAGE,
          ),
        );
        for (const row of page) yield readEvent(parseLine(row.line) ?? {});
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.position;
      }
    },
    verify: async () =>
      file.read((db) =>
        verifyLines(db.all<{ line: string }>('SELECT line FROM review_event ORDER BY position').map((row) => row.line)),
      ),
    close: async () => undefined,
  };
}

type EventRow = { readonly position: number; readonly line: string };
type ListedRow = RecordRow & { readonly pending: number; readonly id: string };

function toStored(row: RecordRow): StoredReview {
  return { record: JSON.parse(row.body) as ReviewRecord, version: String(row.version) };
}

function readRow(db: SqliteDb, id: string): StoredReview | undefined {
  const row = db.get<RecordRow>('SELECT version, body FROM review_record WHERE id = ?', id);
  return row === undefined ? undefined : toStored(row);
}

function readPage(
  db: SqliteDb,
  after: { readonly pending: number; readonly id: string } | null,
  status: string | undefined,
): readonly ListedRow[] {
  const { pending, id } = after ?? { pending: 2, id: '' };
  return db.all<ListedRow>(
    `SELECT id, pending, version, body FROM review_record
     WHERE (pending < ? OR (pending = ? AND id > ?)) AND (? IS NULL OR status = ?)
     ORDER BY pending DESC, id LIMIT ?`,
    pending,
    pending,
    id,
    status ?? null,
    status ?? null,
    PAGE,
  );
}

function readArtifact(db: SqliteDb, kind: string, id: string): JsonObject | undefined {
  const row = db.get<{ body: string }>('SELECT body FROM review_artifact WHERE kind = ? AND id = ?', kind, id);
  return row === undefined ? undefined : (JSON.parse(row.body) as JsonObject);
}

function commit(db: SqliteDb, change: ReviewCommit, ids: IdSource): ReviewCommitted {
  const current = db.get<{ version: number }>('SELECT version FROM review_record WHERE id = ?', change.id);
  const version = current === undefined ? null : String(current.version);
  if (change.record !== null && version !== change.expected) return { type: 'conflict', actual: version };
  const conflict = change.artifacts.find((artifact) => isInTheWay(db, artifact));
  if (conflict !== undefined) return { type: 'artifact-conflict', kind: conflict.kind, id: conflict.id };
  for (const artifact of change.artifacts) putArtifact(db, artifact);
  const next = (current?.version ?? 0) + 1;
  if (change.record !== null) putRecord(db, change.id, change.record, next);
  putEvents(db, change, ids);
  return { type: 'committed', version: change.record === null ? version : String(next) };
}

function isInTheWay(db: SqliteDb, change: ArtifactChange): boolean {
  if (change.type === 'delete') return false;
  const isThere = readArtifact(db, change.kind, change.id) !== undefined;
  return change.type === 'create' ? isThere : !isThere;
}

function putArtifact(db: SqliteDb, change: ArtifactChange): void {
  if (change.type === 'delete') {
    db.run('DELETE FROM review_artifact WHERE kind = ? AND id = ?', change.kind, change.id);
    return;
  }
  db.run(
    `INSERT INTO review_artifact (kind, id, body) VALUES (?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body`,
    change.kind,
    change.id,
    JSON.stringify(change.body),
  );
}

function putRecord(db: SqliteDb, id: string, record: ReviewRecord, version: number): void {
  db.run(
    `INSERT INTO review_record (id, pending, status, version, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       pending = excluded.pending, status = excluded.status, version = excluded.version, body = excluded.body`,
    id,
    record.status === 'pending' ? 1 : 0,
    record.status,
    version,
    JSON.stringify(record),
  );
}

function putEvents(db: SqliteDb, change: ReviewCommit, ids: IdSource): void {
  const last = db.get<{ hash: string }>('SELECT hash FROM review_event ORDER BY position DESC LIMIT 1');
  let previous = last?.hash ?? GENESIS;
  for (const event of change.events) {
    const { line, hash } = eventLine(event, { id: ids.next().replaceAll('-', ''), kbId: null, previous });
    db.run('INSERT INTO review_event (hash, line) VALUES (?, ?)', hash, line);
    previous = hash;
  }
}
