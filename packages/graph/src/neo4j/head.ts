import { type GraphVersion, systemTimer, type Timer } from '@warrant/core';
import type { ConceptCache } from './cache.ts';
import type { Connection } from './connection.ts';
import { neo4jError } from './errors.ts';
import { type Head, headOf } from './migrate.ts';
import { CHANGED_SINCE, HEAD, SETTLE } from './statements.ts';

/** What the parts of one store share. */
export type Session = {
  readonly connection: Connection;
  readonly graph: string;
  readonly readOnly: boolean;
  /** In milliseconds, for a version probe. */
  readonly connectMs: number;
  /** In milliseconds, for any other statement. */
  readonly statementMs: number;
  readonly timer?: Timer;
};
type Cancelled = { readonly signal?: AbortSignal | undefined };

/** More batches than this since the last look, and it is cheaper to start anew. */
const MAX_BATCHES = 1000;
const MAX_CHANGED = 10_000;
const MAX_ROUNDS = 20;
/** How long one who may not write waits for a commit to become visible as a whole; a commit takes a fraction of it. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 100;

/** The version probe: one statement. */
export async function readHead(session: Session, { signal }: Cancelled): Promise<Head> {
  const { connection, graph, connectMs } = session;
  return headOf(await connection.read(HEAD, { graph }, { ms: connectMs, signal }), graph);
}

/** Brings the cache to the present version, keeping what did not change; one statement when nothing did. */
export async function synchronize(session: Session, cache: ConceptCache, how: Cancelled): Promise<GraphVersion> {
  let isOlder = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const from = cache.version();
    const head = await readSettled(session, how);
    if (cache.version() !== from) continue;
    if (head.epoch === from.epoch && head.revision === from.revision) return from;
    if (head.epoch === from.epoch && head.revision < from.revision && !isOlder) {
      // A probe that another call overtook, or a backup that was put back: the next probe tells.
      isOlder = true;
      continue;
    }
    const changed = await changedSince(session, from, head, how);
    if (cache.version() !== from) continue;
    cache.move(head, changed);
    return cache.version();
  }
  throw busy();
}

/** The error for a graph that changes faster than it can be read. */
export function busy(): Error {
  return neo4jError('GRAPH_BUSY', 'the graph changed again and again while it was read');
}

/** The head of a revision that is visible as a whole. */
async function readSettled(session: Session, how: Cancelled): Promise<Head> {
  let head = await readHead(session, how);
  for (let waited = 0; head.settled < head.revision; waited += PAUSE_MS) {
    if (!session.readOnly) await settle(session, how);
    else if (waited >= PATIENCE_MS) return head;
    else await pause(session);
    head = await readHead(session, how);
  }
  return head;
}

/** Waits until the present revision is visible as a whole, and tells the others. */
export async function settle({ connection, graph }: Session, how: Cancelled): Promise<void> {
  await connection.write(async (tx) => {
    await tx.run(SETTLE, { graph });
    return { commit: true, value: undefined };
  }, how);
}

/** Waits a little longer than a commit takes to become visible. */
export async function pause({ timer = systemTimer }: Session): Promise<void> {
  await new Promise<void>((resolve) => timer.after(PAUSE_MS, resolve));
}

/** The ids of what others changed, or null when they are too many to go through or not known. */
async function changedSince(
  session: Session,
  from: GraphVersion,
  to: GraphVersion,
  { signal }: Cancelled,
): Promise<readonly string[] | null> {
  if (from.epoch !== to.epoch || from.revision > to.revision) return null;
  const { connection, graph, statementMs } = session;
  const parameters = { graph, from: from.revision, to: to.revision, limit: MAX_BATCHES + 1 };
  const rows = await connection.read(CHANGED_SINCE, parameters, { ms: statementMs, signal });
  const revisions = new Set<number>();
  const changed: string[] = [];
  for (const row of rows) {
    const ids = row.get(1) as readonly string[] | null;
    if (ids === null || changed.length + ids.length > MAX_CHANGED) return null;
    revisions.add(row.get(0) as number);
    for (const id of ids) changed.push(id);
  }
  return rows.length > MAX_BATCHES || revisions.size < to.revision - from.revision ? null : changed;
}
