import { type Clock, foldName, isoTime, isWarrantError, systemTimer } from '@warrant/core';
import { type ConceptMetrics, createTallies, type LocalGraphStore, mergeMetrics, sortMetrics } from '../metrics.ts';
import type { Session } from './head.ts';

const FLUSH_MS = 1000;
const COUNTS = ['checked', 'grounded', 'existence', 'depth', 'relational', 'reachability'] as const;
const UPSERT = `UNWIND $rows AS row MERGE (m:WarrantMetric {graph: $graph, key: row.key})
  ON CREATE SET m.concept = row.concept, ${COUNTS.map((count) => `m.${count} = 0`).join(', ')}
  SET ${COUNTS.map((count) => `m.${count} = m.${count} + toInteger(row.${count})`).join(', ')},
    m.lastGroundedAt = coalesce(row.lastGroundedAt, m.lastGroundedAt), m.lastFailedAt = coalesce(row.lastFailedAt, m.lastFailedAt)`;
const ALL = 'MATCH (m:WarrantMetric) WHERE m.graph = $graph RETURN properties(m)';

/** Counts in memory and writes a second later, so that no check waits for the server. */
export type MetricsWriter = Pick<LocalGraphStore, 'count' | 'metrics'> & { readonly close: () => Promise<void> };

type Counted = ConceptMetrics & { readonly key: string };

/** What cannot be written is kept for the next try, and lost at the end. A read-only store keeps its counts to itself. */
export function createMetricsWriter(session: Session, clock: Clock): MetricsWriter {
  const { timer = systemTimer } = session;
  const pending = createTallies();
  let backlog: readonly Counted[] = [];
  let sending: Promise<void> | null = null;
  let cancel: (() => void) | null = null;
  const send = async (): Promise<void> => {
    const rows = mergeMetrics(backlog, pending).map(keyed);
    pending.clear();
    backlog = [];
    try {
      if (rows.length > 0) await write(session, rows);
    } catch (error) {
      // Metrics never disturb the work. What may have been written is not written again.
      if (!isWarrantError(error, 'GRAPH_OUTCOME_UNKNOWN')) backlog = rows;
    }
  };
  const flush = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    if (session.readOnly) return;
    await sending;
    sending = send();
    await sending;
    sending = null;
  };
  return {
    count: (checks) => {
      const at = isoTime(clock);
      for (const check of checks) pending.add(check.concept, check.outcome, at);
      if (cancel === null && !session.readOnly && pending.size() > 0)
        cancel = timer.after(FLUSH_MS, () => void flush());
    },
    metrics: async () => {
      await flush();
      const { connection, graph, statementMs } = session;
      const rows = await connection.read(ALL, { graph }, { ms: statementMs });
      const stored = mergeMetrics(
        rows.map((row) => storedMetrics(row.get(0) as Partial<Counted>)),
        pending,
      );
      return sortMetrics(stored);
    },
    close: flush,
  };
}

function keyed(metrics: ConceptMetrics): Counted {
  return { ...metrics, key: foldName(metrics.concept) };
}

/** By key, so that two writers lock them in one order. */
async function write({ connection, graph }: Session, rows: readonly Counted[]): Promise<void> {
  const sorted = [...rows].sort((left, right) => (left.key < right.key ? -1 : 1));
  await connection.write(async (tx) => {
    await tx.run(UPSERT, { graph, rows: sorted });
    return { commit: true, value: undefined };
  });
}

function storedMetrics(row: Partial<Counted>): Counted {
  const { key = '', concept = '', checked = 0, grounded = 0, existence = 0, depth = 0 } = row;
  const { relational = 0, reachability = 0, lastGroundedAt = null, lastFailedAt = null } = row;
  return {
    key,
    concept,
    checked,
    grounded,
    existence,
    depth,
    relational,
    reachability,
    lastGroundedAt,
    lastFailedAt,
  };
}
