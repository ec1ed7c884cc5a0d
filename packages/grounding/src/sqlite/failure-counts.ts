import { type Clock, type DepthLevel, isoTime, type RelationType, systemClock } from '@warrant/core';
import type { OpenedSqlite, SqliteDb } from '@warrant/core/sqlite';
import type { CountedFailure, FailureCount, FailureCounts } from '../failures/counts.ts';

/** Counts in a file, which other layers and processes may share. Close it before the file. */
export interface SqliteFailureCounts extends FailureCounts {
  /** Writes what is left. */
  close(): void;
}

type Pending = CountedFailure & { count: number; readonly firstAt: string; lastAt: string };
type Row = {
  readonly proposal: string;
  readonly entry: string;
  readonly source: string;
  readonly source_depth: DepthLevel;
  readonly relation: RelationType;
  readonly target: string;
  readonly target_depth: DepthLevel;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
};

const FLUSH_MS = 1000;
/** Edges that wait to be written; more are dropped. */
const MAX_PENDING = 10_000;
const STEPS = [
  (db: SqliteDb) =>
    db.exec(`CREATE TABLE failure_count (
      proposal TEXT PRIMARY KEY,
      entry TEXT NOT NULL,
      source TEXT NOT NULL,
      source_depth INTEGER NOT NULL,
      relation TEXT NOT NULL,
      target TEXT NOT NULL,
      target_depth INTEGER NOT NULL,
      count INTEGER NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`),
];
const UPSERT = `INSERT INTO failure_count
  (proposal, entry, source, source_depth, relation, target, target_depth, count, first_at, last_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (proposal) DO UPDATE SET count = count + excluded.count, entry = excluded.entry,
    first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`;

/**
 * Counts failures beside a graph: in memory first, in the file a second later, so that no call waits for the disk. What
 * cannot be written is kept for the next try, and lost at the end.
 * @throws SQLITE_SCHEMA_NEWER, SQLITE_CORRUPT, SQLITE_BUSY
 */
export function createSqliteFailureCounts(
  file: Pick<OpenedSqlite, 'migrate' | 'read' | 'write' | 'readOnly' | 'layers'>,
  options: { readonly clock?: Clock } = {},
): SqliteFailureCounts {
  const { clock = systemClock } = options;
  // A file that was never counted in is read as one without counts.
  const isThere = !file.readOnly || file.layers()['failure'] !== undefined;
  if (isThere) file.migrate('failure', STEPS);
  const pending = new Map<string, Pending>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0 || file.readOnly) return;
    try {
      file.write((db) => {
        for (const one of pending.values()) db.run(UPSERT, ...valuesOf(one));
      });
      pending.clear();
    } catch {
      // A metric never disturbs the work.
    }
  };
  return {
    count: (failure) => {
      const at = isoTime(clock);
      const known = pending.get(failure.proposalId);
      if (known !== undefined) {
        known.count += 1;
        known.lastAt = at;
      } else if (pending.size < MAX_PENDING) {
        pending.set(failure.proposalId, { ...failure, count: 1, firstAt: at, lastAt: at });
      }
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    list: async () => {
      flush();
      const rows = isThere ? file.read((db) => db.all<Row>('SELECT * FROM failure_count')) : [];
      return merged(rows.map(countOf), [...pending.values()]);
    },
    close: flush,
  };
}

function valuesOf({ proposalId, entry, edge, count, firstAt, lastAt }: Pending) {
  const { source, sourceDepth, relation, target, targetDepth } = edge;
  return [proposalId, entry, source, sourceDepth, relation, target, targetDepth, count, firstAt, lastAt] as const;
}

function countOf(row: Row): FailureCount {
  const { proposal: proposalId, entry, source, relation, target, count } = row;
  const edge = { source, sourceDepth: row.source_depth, relation, target, targetDepth: row.target_depth };
  return { proposalId, entry, edge, count, firstAt: row.first_at, lastAt: row.last_at };
}

/** What is stored with what could not be written. */
function merged(stored: readonly FailureCount[], pending: readonly FailureCount[]): readonly FailureCount[] {
  const all = new Map(stored.map((one) => [one.proposalId, one]));
  for (const more of pending) {
    const known = all.get(more.proposalId);
    const sum = known === undefined ? more : { ...more, count: known.count + more.count, firstAt: known.firstAt };
    all.set(more.proposalId, sum);
  }
  return [...all.values()].sort((a, b) => b.count - a.count || (a.proposalId < b.proposalId ? -1 : 1));
}
