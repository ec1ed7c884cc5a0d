import { type Digest, digestBytes, type Primitive, type Reason } from '@warrant/core';
import { findCycles } from './cycles.ts';
import { createDraft, type Draft } from './draft.ts';
import type { Interner } from './interner.ts';
import { GRAPH_LIMITS } from './limits.ts';
import type { NormalChange } from './normalize-change.ts';
import type { GraphReader, Staged } from './reader.ts';
import { boundReasons, graphReason } from './reasons.ts';
import { type StoredPrimitive, storePrimitive } from './stored.ts';
import { compareCodePoints, quote } from './text.ts';

const MAX_CYCLES = 10;
const MAX_ASKED = 500;

/** The outcome of playing a batch over what is stored, before anything is written. */
export type StageResult =
  | { readonly type: 'staged'; readonly staged: Staged; readonly notes: readonly Reason[] }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** A primitive within the batch: as put, under change, or gone. */
type Working = StoredPrimitive | Draft;
type Stage = {
  readonly reader: GraphReader;
  readonly interner: Interner;
  readonly working: Map<string, Working>;
  readonly removed: Map<string, 'refuse' | 'remove'>;
  readonly reasons: Reason[];
};

/** Plays a batch; references, names and cycles are judged on its final state. Pure but for the interner. */
export function stageChanges(changes: readonly NormalChange[], reader: GraphReader, interner: Interner): StageResult {
  const stage: Stage = { reader, interner, working: new Map(), removed: new Map(), reasons: [] };
  for (const change of changes) play(change, stage);
  if (stage.reasons.length > 0) return refuse(stage.reasons);
  const stripped = stripRemoved(stage);
  const staged = finish(stage);
  const reasons = [...cycleReasons(staged, reader), ...nameReasons(staged, reader), ...targetReasons(staged, stage)];
  if (reasons.length > 0) return refuse(reasons);
  const notes = [...stripped].map(([id, holders]) => relataRemoved(id, holders, staged, reader));
  return { type: 'staged', staged, notes: boundReasons(notes) };
}

function refuse(reasons: readonly Reason[]): StageResult {
  return { type: 'refused', reasons: boundReasons(reasons) };
}

function play(change: NormalChange, stage: Stage): void {
  switch (change.type) {
    case 'put-primitive':
      stage.working.set(change.stored.primitive.id, change.stored);
      stage.removed.delete(change.stored.primitive.id);
      return;
    case 'put-depth':
      draftOf(change.primitive, stage)?.putDepth(change.depth);
      return;
    case 'put-relatum':
      if (draftOf(change.edge.source, stage)?.putRelatum(change.edge, change.provenance) === false) {
        stage.reasons.push(unknownLevel(change.edge.source, change.edge.sourceDepth));
      }
      return;
    case 'remove-relatum': {
      const outcome = draftOf(change.edge.source, stage)?.removeRelatum(change.edge);
      if (outcome === 'no-level') {
        stage.reasons.push(unknownLevel(change.edge.source, change.edge.sourceDepth));
      } else if (outcome === 'no-relatum') {
        stage.reasons.push(
          graphReason('graph.unknown-relatum', 'there is no such relatum to remove', { edge: change.edge }),
        );
      }
      return;
    }
    case 'remove-primitive':
      if (!isThere(change.primitive, stage)) {
        stage.reasons.push(unknownPrimitive(change.primitive));
        return;
      }
      stage.working.delete(change.primitive);
      stage.removed.set(change.primitive, change.dangling);
  }
}

function isThere(id: string, stage: Stage): boolean {
  return stage.working.has(id) || (!stage.removed.has(id) && stage.reader.has(id));
}

function draftOf(id: string, stage: Stage): Draft | undefined {
  const working = stage.working.get(id);
  if (working !== undefined && isDraft(working)) return working;
  const stored = working ?? (stage.removed.has(id) ? undefined : stage.reader.get(id));
  if (stored === undefined) {
    stage.reasons.push(unknownPrimitive(id));
    return undefined;
  }
  const draft = createDraft(stored.primitive);
  stage.working.set(id, draft);
  return draft;
}

function isDraft(working: Working): working is Draft {
  return 'finish' in working;
}

function unknownPrimitive(id: string): Reason {
  return graphReason('graph.unknown-primitive', `no primitive has the id ${quote(id)}`, { primitive: id });
}

function unknownLevel(id: string, level: number): Reason {
  const message = `the primitive ${quote(id)} has no level ${level} to hold the relatum`;
  return graphReason(
    'graph.unknown-level',
    message,
    { primitive: id, level },
    { action: 'put-depth', primitive: id, level },
  );
}

/**
 * Takes relata to what goes with `dangling: 'remove'` out of everything that holds one.
 * @returns by the id of what goes, who held relata to it
 */
function stripRemoved(stage: Stage): ReadonlyMap<string, readonly string[]> {
  const stripped = new Map<string, string[]>();
  const gone = new Set([...stage.removed].filter(([, dangling]) => dangling === 'remove').map(([id]) => id));
  if (gone.size === 0) return stripped;
  const holders = new Set<string>();
  for (const id of gone) for (const dependant of stage.reader.dependants(id)) holders.add(dependant);
  for (const [id, working] of stage.working) {
    if (isDraft(working) || working.targets.some((target) => gone.has(target))) holders.add(id);
  }
  for (const id of holders) {
    if (stage.removed.has(id)) continue;
    for (const target of draftOf(id, stage)?.dropTargets(gone) ?? []) note(stripped, target, id);
  }
  return stripped;
}

function finish(stage: Stage): Staged {
  const written = new Map<string, StoredPrimitive>();
  for (const [id, working] of stage.working) {
    const stored = isDraft(working) ? storePrimitive(working.finish(), stage.interner) : working;
    if (stage.reader.digestOf(id) !== stored.digest) written.set(id, stored);
  }
  const removed = new Set([...stage.removed.keys()].filter((id) => stage.reader.has(id)));
  return { written, removed };
}

function nameOf(id: string, staged: Staged, reader: GraphReader): string {
  return (staged.written.get(id) ?? reader.get(id))?.primitive.name ?? id;
}

function cycleReasons(staged: Staged, reader: GraphReader): readonly Reason[] {
  const starts = cycleStarts(staged, reader);
  const prerequisites = (id: string): readonly string[] =>
    staged.written.get(id)?.prerequisites ?? (staged.removed.has(id) ? [] : reader.prerequisites(id));
  return findCycles(starts, prerequisites, MAX_CYCLES).map((ids) => {
    const path = ids.map((id) => nameOf(id, staged, reader));
    const message = `the transitive relations would form a cycle of ${ids.length - 1}: ${pathText(path)}`;
    return graphReason('graph.cycle', message, { path, ids });
  });
}

/** Primitives that a new cycle may lead through: they gained a prerequisite, and something leans on them. */
function cycleStarts(staged: Staged, reader: GraphReader): readonly string[] {
  const starts: string[] = [];
  for (const [id, { prerequisites }] of staged.written) {
    if (prerequisites.length > 0) starts.push(id);
  }
  // Everything is at hand in a large batch: walking it is cheaper than asking for each.
  if (starts.length > MAX_ASKED) return starts;
  const leanedOn = new Set<string>();
  for (const { prerequisites } of staged.written.values()) for (const id of prerequisites) leanedOn.add(id);
  return starts.filter((id) => {
    const before = reader.get(id)?.prerequisites ?? [];
    const gains = staged.written.get(id)?.prerequisites.some((target) => !before.includes(target));
    return gains === true && (leanedOn.has(id) || reader.dependants(id).length > 0);
  });
}

function pathText(path: readonly string[]): string {
  const shown = path.length <= 12 ? path : [...path.slice(0, 6), '…', ...path.slice(-5)];
  return shown.map((name) => (name === '…' ? name : quote(name))).join(' -> ');
}

function nameReasons(staged: Staged, reader: GraphReader): readonly Reason[] {
  const reasons: Reason[] = [];
  const holders = new Map<string, string>();
  for (const [id, stored] of staged.written) {
    const holder = holders.get(stored.key) ?? storedHolder(id, stored.key, staged, reader);
    holders.set(stored.key, id);
    if (holder === undefined) continue;
    const { name } = stored.primitive;
    const message = `the name ${quote(name)} is that of another primitive, ${quote(nameOf(holder, staged, reader))}`;
    reasons.push(graphReason('graph.name-taken', message, { name, key: stored.key, primitive: id, holder }));
  }
  return reasons;
}

/** Who else keeps the key when the batch is through. */
function storedHolder(id: string, key: string, staged: Staged, reader: GraphReader): string | undefined {
  const holder = reader.idOfKey(key);
  if (holder === undefined || holder === id || staged.removed.has(holder)) return undefined;
  const rewritten = staged.written.get(holder);
  return rewritten === undefined || rewritten.key === key ? holder : undefined;
}

function targetReasons(staged: Staged, stage: Stage): readonly Reason[] {
  const { reader } = stage;
  const reasons: Reason[] = [];
  const dependants = new Map<string, string[]>();
  const there = new Set<string>();
  for (const [id, stored] of staged.written) {
    for (const target of stored.targets) {
      if (staged.written.has(target) || there.has(target)) continue;
      if (staged.removed.has(target)) note(dependants, target, id);
      else if (reader.has(target)) there.add(target);
      else reasons.push(unknownTarget(stored.primitive, target));
    }
  }
  for (const id of staged.removed) {
    for (const dependant of reader.dependants(id)) {
      if (!staged.removed.has(dependant) && !staged.written.has(dependant)) note(dependants, id, dependant);
    }
  }
  return [...reasons, ...[...dependants].map(([id, ids]) => dangling(id, ids, staged, reader))];
}

function note(dependants: Map<string, string[]>, id: string, dependant: string): void {
  const list = dependants.get(id);
  if (list === undefined) dependants.set(id, [dependant]);
  else list.push(dependant);
}

function unknownTarget(primitive: Primitive, target: string): Reason {
  const message = `${quote(primitive.name)} has a relatum to ${quote(target)}, which is no primitive`;
  return graphReason('graph.unknown-target', message, { primitive: primitive.id, name: primitive.name, target });
}

function dangling(id: string, holders: readonly string[], staged: Staged, reader: GraphReader): Reason {
  const { name, ...data } = dependantsOf(id, holders, staged, reader);
  const have = holders.length === 1 ? '1 primitive has' : `${holders.length} primitives have`;
  const message = `${have} a relatum to ${quote(name)}, which the batch removes`;
  return graphReason(
    'graph.dangling',
    message,
    { name, ...data },
    {
      action: 'remove-primitive',
      primitive: id,
      dangling: 'remove',
    },
  );
}

function relataRemoved(id: string, holders: readonly string[], staged: Staged, reader: GraphReader): Reason {
  const { name, ...data } = dependantsOf(id, holders, staged, reader);
  const message = `${holders.length} primitives lost their relata to ${quote(name)}, which the batch removed`;
  return graphReason('graph.relata-removed', message, { name, ...data });
}

function dependantsOf(id: string, holders: readonly string[], staged: Staged, reader: GraphReader) {
  const ids = [...holders].sort(compareCodePoints);
  const dependantIds = ids.slice(0, GRAPH_LIMITS.reasons);
  const dependants = dependantIds.map((dependant) => nameOf(dependant, staged, reader));
  return { primitive: id, name: nameOf(id, staged, reader), dependants, dependantIds, count: ids.length };
}

/** Names a batch by its content, so that one id cannot stand for two batches. */
export function batchDigest(changes: readonly NormalChange[]): Digest {
  return digestBytes(changes.map((change) => change.text).join('\n'));
}
