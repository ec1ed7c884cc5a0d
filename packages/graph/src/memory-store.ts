import {
  type Clock,
  createIdSource,
  type Digest,
  type GraphApplied,
  type GraphChange,
  type GraphVersion,
  type IdSource,
  isoTime,
  type Primitive,
  systemClock,
} from '@warrant/core';
import { type ApplyOptions, appliedAs, checkApply, idReused, isExpected } from './apply-options.ts';
import { graphError } from './errors.ts';
import { deepFreeze } from './freeze.ts';
import { createInterner } from './interner.ts';
import { createTallies, type LocalGraphStore, sortMetrics } from './metrics.ts';
import { normalizeChanges } from './normalize-change.ts';
import { hasProvenance } from './provenance.ts';
import type { GraphReader, Staged } from './reader.ts';
import { createSlot, createWalker, type LoadedSlot } from './slot.ts';
import { batchDigest, stageChanges } from './stage.ts';
import type { StoredPrimitive } from './stored.ts';
import { compareCodePoints } from './text.ts';
import { createView, viewQuery } from './view.ts';
import { createViewCache } from './view-cache.ts';

type Node = LoadedSlot & { stored: StoredPrimitive };
type Tables = {
  readonly byId: Map<string, Node>;
  readonly byKey: Map<string, Node>;
  readonly dependants: Map<string, Set<string>>;
};

/** Options of {@link createMemoryGraphStore}. */
export type MemoryGraphStoreOptions = {
  /** Where the epoch comes from. @default time-ordered random ids */
  readonly ids?: IdSource;
  /** Dates the metrics. @default the machine's clock */
  readonly clock?: Clock;
};

/** A graph that lives as long as the object. Nothing of it is shared with another process. */
export function createMemoryGraphStore(options: MemoryGraphStoreOptions = {}): LocalGraphStore {
  const clock = options.clock ?? systemClock;
  const tables: Tables = { byId: new Map(), byKey: new Map(), dependants: new Map() };
  const { version, apply } = createBatches(tables, options.ids ?? createIdSource({ clock }));
  const walk = createWalker<Node>(() => false);
  const views = createViewCache();
  const tallies = createTallies();
  let closed = false;
  const open = (signal?: AbortSignal): void => {
    if (closed) throw graphError('GRAPH_CLOSED', 'the graph store is closed');
    signal?.throwIfAborted();
  };

  return {
    version: async () => {
      open();
      return version();
    },
    view: async (names, how) => {
      open(how?.signal);
      const kept = views.find(names, version());
      if (kept !== undefined) return kept;
      const query = viewQuery(names);
      const roots = query.keys.map((key) => tables.byKey.get(key)).filter((node) => node !== undefined);
      const view = createView(query, walk(roots) ?? [], version());
      views.keep(view);
      return view;
    },
    byId: async (id) => {
      open();
      const primitive = tables.byId.get(id)?.primitive;
      return primitive === undefined ? undefined : deepFreeze(primitive);
    },
    primitives: (how) => iterate(tables, how, open),
    apply: async (changes, how) => {
      open(how?.signal);
      checkApply(changes, how);
      return apply(changes, how);
    },
    count: (checks) => {
      if (closed) return;
      const at = isoTime(clock);
      for (const check of checks) tallies.add(check.concept, check.outcome, at);
    },
    metrics: async () => {
      open();
      return sortMetrics(tallies.entries().map(([, metrics]) => metrics));
    },
    close: async () => {
      closed = true;
    },
  };
}

type Batches = {
  readonly version: () => GraphVersion;
  readonly apply: (changes: readonly GraphChange[], how: ApplyOptions) => GraphApplied;
};

/** Applies batches to the tables, one after another, each at most once. */
function createBatches(tables: Tables, ids: IdSource): Batches {
  const reader = memoryReader(tables);
  const interner = createInterner();
  const applied = new Map<string, Digest>();
  let version: GraphVersion = Object.freeze({ epoch: ids.next(), revision: 0 });
  const apply = (changes: readonly GraphChange[], how: ApplyOptions): GraphApplied => {
    const normal = normalizeChanges(changes, interner);
    const known = applied.get(how.id);
    const batch = normal.reasons.length > 0 ? null : batchDigest(normal.changes);
    if (known !== undefined) {
      if (known !== batch) throw idReused(how.id);
      return { type: 'duplicate', version };
    }
    if (!isExpected(how.expected, version)) return { type: 'conflict', actual: version };
    if (batch === null) return { type: 'refused', reasons: normal.reasons };
    const result = stageChanges(normal.changes, reader, interner);
    if (result.type === 'refused') return result;
    if (commit(result.staged, tables)) {
      version = Object.freeze({ epoch: version.epoch, revision: version.revision + 1 });
    }
    applied.set(how.id, batch);
    return appliedAs(version, result.notes);
  };
  return { version: () => version, apply };
}

async function* iterate(
  tables: Tables,
  options: Parameters<LocalGraphStore['primitives']>[0],
  open: (signal?: AbortSignal) => void,
): AsyncGenerator<Primitive> {
  open(options?.signal);
  const after = options?.after;
  const provenance = options?.provenance;
  const ids = [...tables.byId.keys()].filter((id) => after === undefined || compareCodePoints(id, after) > 0);
  for (const id of ids.sort(compareCodePoints)) {
    open(options?.signal);
    const primitive = tables.byId.get(id)?.primitive;
    if (primitive === undefined) continue;
    if (provenance === undefined || hasProvenance(primitive, provenance)) yield deepFreeze(primitive);
  }
}

function memoryReader(tables: Tables): GraphReader {
  return {
    has: (id) => tables.byId.has(id),
    get: (id) => tables.byId.get(id)?.stored,
    digestOf: (id) => tables.byId.get(id)?.digest,
    idOfKey: (key) => tables.byKey.get(key)?.stored.primitive.id,
    dependants: (id) => [...(tables.dependants.get(id) ?? [])],
    prerequisites: (id) => tables.byId.get(id)?.stored.prerequisites ?? [],
  };
}

/** @returns false when there was nothing to do */
function commit(staged: Staged, tables: Tables): boolean {
  for (const id of staged.removed) {
    const node = tables.byId.get(id) as Node;
    unlink(node.stored, tables);
    tables.byId.delete(id);
    if (tables.byKey.get(node.stored.key) === node) tables.byKey.delete(node.stored.key);
  }
  for (const [id, stored] of staged.written) {
    const node = tables.byId.get(id) ?? ({ ...createSlot(), stored } as Node);
    if (node.primitive !== null) {
      unlink(node.stored, tables);
      if (tables.byKey.get(node.stored.key) === node) tables.byKey.delete(node.stored.key);
    }
    node.stored = stored;
    node.primitive = stored.primitive;
    node.isFrozen = false;
    node.digest = stored.digest;
    tables.byId.set(id, node);
  }
  // Names and prerequisites in a second pass: names may be swapped, targets may come later in the batch.
  for (const [id, stored] of staged.written) {
    const node = tables.byId.get(id) as Node;
    tables.byKey.set(stored.key, node);
    node.prerequisites = stored.prerequisites.map((target) => tables.byId.get(target) as Node);
    link(stored, tables);
  }
  return staged.written.size + staged.removed.size > 0;
}

function link(stored: StoredPrimitive, tables: Tables): void {
  for (const target of stored.targets) {
    const known = tables.dependants.get(target);
    if (known === undefined) tables.dependants.set(target, new Set([stored.primitive.id]));
    else known.add(stored.primitive.id);
  }
}

function unlink(stored: StoredPrimitive, tables: Tables): void {
  for (const target of stored.targets) {
    const known = tables.dependants.get(target);
    known?.delete(stored.primitive.id);
    if (known?.size === 0) tables.dependants.delete(target);
  }
}
