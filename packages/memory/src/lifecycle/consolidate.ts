import type { MemoryRecord, Reason } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { currentOf, isLive } from '../current.ts';
import { fault } from '../errors.ts';
import type { MemoryEvent } from '../events.ts';
import { settle } from '../note-recall.ts';
import { decideAccess, readersOf } from '../permissions.ts';
import { momentOf } from '../read.ts';
import type { Setup } from '../setup.ts';
import { proposeFromCluster } from '../skills/auto-draft.ts';
import { cachedSkills } from '../skills/review-signal.ts';
import { CONSOLIDATED, sessionsOf } from '../turn/session.ts';
import { clusters, keyWords } from './cluster.ts';
import { commitMerge } from './commit-merge.ts';
import { mergedValue } from './merge.ts';
import { proposeMerge } from './propose-merge.ts';
import type { ConsolidationSettings } from './settings.ts';

/** What became of a consolidation. */
export type Consolidation = {
  readonly clusters: number;
  /** Records that were taken into another. */
  readonly merged: number;
  /** Records that took the place of a cluster. */
  readonly made: readonly string[];
  /** Proposals whose text a model wrote. */
  readonly proposed: readonly string[];
  /** Groups of records that no instruction covers. */
  readonly candidates: number;
  readonly notes: readonly Reason[];
};

const HOUR_MS = 3_600_000;
/** Records of one agent that are looked at, the oldest first. */
const MOST = 5000;

/**
 * Makes one record of those about one subject that do not contradict each other. The records stay, archived, and come
 * back with `undoConsolidation`. One transaction a cluster: stopped half-way, the next run does the rest.
 */
export async function consolidate(
  setup: Setup,
  actor: Actor,
  asked: Partial<ConsolidationSettings> = {},
): Promise<Consolidation> {
  const settings = { ...setup.consolidation, ...asked };
  if (!(settings.sinceHours >= 0))
    throw fault('MEMORY_INVALID_ARGUMENT', 'sinceHours is at least 0', { field: 'sinceHours' });
  await settle(setup);
  const found = byReaders(setup, await mergeable(setup, actor, settings)).flatMap((rows) =>
    clusters(rows, settings.grouping, settings.minClusterSize),
  );
  const made: string[] = [];
  const proposed: string[] = [];
  const notes: Reason[] = [];
  let merged = 0;
  for (const cluster of found) {
    if (settings.merge !== null) {
      const result = await proposeMerge(setup, actor, cluster, settings.merge);
      if (result.type === 'proposed') proposed.push(result.proposalId);
      else notes.push(...result.reasons);
      continue;
    }
    const id = await commitMerge(setup, actor, cluster, {
      value: mergedValue(cluster, settings.grouping),
      inferred: false,
    });
    if (id === undefined) continue;
    made.push(id);
    merged += cluster.length - 1;
  }
  await noteRun(setup, actor);
  const candidates = await tellCandidates(setup, actor, found, settings);
  return { clusters: found.length, merged, made, proposed, candidates, notes };
}

/** The agent's own living records that are old enough and that it may still write, oldest first. What people approved and what is pinned stays. */
async function mergeable(
  setup: Setup,
  actor: Actor,
  settings: ConsolidationSettings,
): Promise<readonly MemoryRecord[]> {
  const moment = momentOf(setup, {});
  const before = Date.parse(moment.knownAt) - settings.sinceHours * HOUR_MS;
  const rows: MemoryRecord[] = [];
  for await (const row of setup.store.scan({ prefix: '' })) {
    const mine =
      row.agent === actor.key && row.origin !== 'human-approved' && !row.key.startsWith('memory/working/pins/');
    if (!mine || !isLive(row, moment) || Date.parse(row.recordedAt) > before || rows.length >= MOST) continue;
    const access = { action: 'write', key: row.key, actor, record: row } as const;
    if (decideAccess(setup.permissions, access).allowed) rows.push(row);
  }
  if (setup.resolution === 'record-only') return rows;
  const heads = await setup.store.heads([...new Set(rows.map(({ key }) => key))]);
  const current = new Set(heads.map(({ records }) => currentOf(records, moment, 'supersede')?.id));
  const disputed = new Set<string>();
  for await (const conflict of setup.store.conflicts({ state: 'open', records: rows.map(({ id }) => id) }))
    for (const id of conflict.records) disputed.add(id);
  return rows.filter(({ id }) => current.has(id) && !disputed.has(id));
}

/** What some may not read does not come under a key that they may. */
function byReaders(setup: Setup, rows: readonly MemoryRecord[]): readonly (readonly MemoryRecord[])[] {
  const groups = new Map<string, MemoryRecord[]>();
  for (const row of rows) {
    const readers = readersOf(setup.permissions, row.key);
    const group = groups.get(readers);
    if (group === undefined) groups.set(readers, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

async function noteRun(setup: Setup, actor: Actor): Promise<void> {
  const name = `${CONSOLIDATED}${actor.key}`;
  const { sinceConsolidation } = await sessionsOf(setup, actor.key);
  await setup.store.commit([{ type: 'count', name, by: sinceConsolidation, at: setup.now() }], {
    expected: {},
    audit: [],
  });
}

async function tellCandidates(
  setup: Setup,
  actor: Actor,
  found: readonly (readonly MemoryRecord[])[],
  settings: ConsolidationSettings,
): Promise<number> {
  const large = found.filter((cluster) => cluster.length >= settings.candidateSize);
  if (large.length === 0) return 0;
  const covered = (await cachedSkills(setup)).map(({ id, name }) => keyWords(`${id} ${name}`));
  const events: Extract<MemoryEvent, { type: 'untracked-skill-candidate' }>[] = [];
  for (const cluster of large) {
    const words = [...new Set(cluster.flatMap(({ key }) => [...keyWords(key)]))].sort();
    if (covered.some((known) => words.some((word) => known.has(word)))) continue;
    const keys = cluster.slice(0, 3).map(({ key }) => key);
    events.push({ type: 'untracked-skill-candidate', agent: actor.key, words, size: cluster.length, keys });
  }
  setup.hub.tell(events);
  if (settings.draftSkills)
    for (const { words, keys } of events) await proposeFromCluster(setup, actor, { words, keys });
  return events.length;
}
