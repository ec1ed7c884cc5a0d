import type { GraphApplied, GraphChange, GraphVersion } from '@warrant/core';
import { type ApplyOptions, appliedAs, idReused, isExpected } from '../apply-options.ts';
import type { Interner } from '../interner.ts';
import { type NormalChange, normalizeChanges } from '../normalize-change.ts';
import { batchDigest, type StageResult, stageChanges } from '../stage.ts';
import type { Rows, Settled, Tx } from './connection.ts';
import { type Session, settle } from './head.ts';
import { missing } from './migrate.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';
import { LOCK, MOVE, RECORD_BATCH, WRITE_HEAD } from './statements.ts';
import { askedByWriting, writeStaged } from './write.ts';

/** A larger batch is told to other processes as "everything changed". */
const MAX_LISTED = 2000;

type Head = { readonly version: GraphVersion; readonly known: string | null; readonly isEmpty: boolean };

/** Judges and writes a batch within one transaction, after every other writer of the graph. */
export async function applyBatch(
  session: Session,
  interner: Interner,
  changes: readonly GraphChange[],
  how: ApplyOptions,
): Promise<GraphApplied> {
  const normal = normalizeChanges(changes, interner);
  const digest = normal.reasons.length > 0 ? null : batchDigest(normal.changes);
  const { graph } = session;
  const applied = await session.connection.write(
    async (tx): Promise<Settled<GraphApplied>> => {
      const { version, known, isEmpty } = await lock(tx, graph, how.id);
      if (known !== null) {
        if (known !== digest) throw idReused(how.id);
        return leave({ type: 'duplicate', version });
      }
      if (!isExpected(how.expected, version)) return leave({ type: 'conflict', actual: version });
      if (digest === null) return leave({ type: 'refused', reasons: normal.reasons });
      const snapshot = createSnapshot({ tx, graph, interner, isEmpty });
      const result = await judge(normal.changes, snapshot, interner);
      if (result.type === 'refused') return leave(result);
      const { staged } = result;
      const ids = [...staged.written.keys(), ...staged.removed];
      const revision = version.revision + (ids.length > 0 ? 1 : 0);
      await writeStaged(staged, { tx, graph, reader: snapshot.reader, interner, revision });
      const changed = ids.length > MAX_LISTED ? null : ids;
      await tx.run(RECORD_BATCH, { graph, batch: how.id, digest, revision, changed });
      // Last: the node of the version is then locked no longer than the commit takes.
      if (ids.length > 0) await tx.run(MOVE, { graph, revision });
      return { commit: true, value: appliedAs(Object.freeze({ epoch: version.epoch, revision }), result.notes) };
    },
    { signal: how.signal },
  );
  // A reader does the same when this does not come about.
  if (applied.type === 'applied') await settle(session, {}).catch(() => undefined);
  return applied;
}

function leave(value: GraphApplied): Settled<GraphApplied> {
  return { commit: false, value };
}

/** Waits for the other writers of the graph; the second statement is sent along and answered after the first. */
async function lock(tx: Tx, graph: string, batch: string): Promise<Head> {
  const [, rows] = await Promise.all([tx.run(LOCK, { graph, batch }), tx.run(WRITE_HEAD, { graph, batch })]);
  return headOf(rows, graph);
}

function headOf(rows: Rows, graph: string): Head {
  const row = rows[0];
  if (row === undefined) throw missing(graph);
  const version = Object.freeze({ epoch: row.get(0) as string, revision: row.get(1) as number });
  return { version, known: row.get(2) as string | null, isEmpty: row.get(3) as boolean };
}

/** Judges again with more of the stored graph at hand until nothing that it asked for was missing. */
async function judge(changes: readonly NormalChange[], snapshot: Snapshot, interner: Interner): Promise<StageResult> {
  for (;;) {
    const result = stageChanges(changes, snapshot.reader, interner);
    if (result.type === 'staged') askedByWriting(result.staged, snapshot.reader);
    if (!(await snapshot.fetch())) return result;
  }
}
