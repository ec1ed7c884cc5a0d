import { type Clock, isoTime } from '@warrant/core';
import type { OpenedSqlite, SqliteDb } from '@warrant/core/sqlite';
import {
  type ConceptMetrics,
  createTallies,
  type LocalGraphStore,
  mergeMetrics,
  sortMetrics,
  type Tallies,
} from '../metrics.ts';

const FLUSH_MS = 1000;
const UPSERT = `INSERT INTO graph_metric
  (key, concept, checked, grounded, existence, depth, relational, reachability, last_grounded_at, last_failed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET
    checked = checked + excluded.checked,
    grounded = grounded + excluded.grounded,
    existence = existence + excluded.existence,
    depth = depth + excluded.depth,
    relational = relational + excluded.relational,
    reachability = reachability + excluded.reachability,
    last_grounded_at = coalesce(excluded.last_grounded_at, last_grounded_at),
    last_failed_at = coalesce(excluded.last_failed_at, last_failed_at)`;
const ALL = `SELECT concept, checked, grounded, existence, depth, relational, reachability,
  last_grounded_at AS lastGroundedAt, last_failed_at AS lastFailedAt, key FROM graph_metric`;

/** Counts in memory and writes a second later, so that no check waits for the disk. */
export type MetricsWriter = Pick<LocalGraphStore, 'count' | 'metrics'> & { readonly close: () => void };

/** What cannot be written (a read-only, locked or vanished file) is kept for the next try, and lost at the end. */
export function createMetricsWriter(file: Pick<OpenedSqlite, 'read' | 'writeRelaxed'>, clock: Clock): MetricsWriter {
  const pending = createTallies();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size() === 0) return;
    try {
      file.writeRelaxed((db) => writeTallies(db, pending));
      pending.clear();
    } catch {
      // Metrics never disturb the work: a file that cannot be written still grounds.
    }
  };
  return {
    count: (checks) => {
      const at = isoTime(clock);
      for (const check of checks) pending.add(check.concept, check.outcome, at);
      if (timer !== undefined || pending.size() === 0) return;
      timer = setTimeout(flush, FLUSH_MS);
      timer.unref();
    },
    metrics: async () => {
      flush();
      const rows = file.read((db) => db.all<ConceptMetrics & { key: string }>(ALL));
      return sortMetrics(mergeMetrics(rows, pending));
    },
    close: flush,
  };
}

function writeTallies(db: SqliteDb, pending: Tallies): void {
  for (const [key, metrics] of pending.entries()) {
    const { concept, checked, grounded, existence, depth, relational, reachability } = metrics;
    const counts = [checked, grounded, existence, depth, relational, reachability];
    db.run(UPSERT, key, concept, ...counts, metrics.lastGroundedAt, metrics.lastFailedAt);
  }
}
