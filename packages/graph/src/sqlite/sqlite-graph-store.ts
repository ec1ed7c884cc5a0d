import {
  type Clock,
  createIdSource,
  type GraphApplied,
  type GraphChange,
  type GraphVersion,
  type GraphView,
  type IdSource,
  type Primitive,
  systemClock,
} from '@warrant/core';
import type { OpenedSqlite, SqliteDb } from '@warrant/core/sqlite';
import { type ApplyOptions, appliedAs, checkApply, idReused, isExpected } from '../apply-options.ts';
import { SOURCE_BITS } from '../body.ts';
import { graphError } from '../errors.ts';
import { deepFreeze } from '../freeze.ts';
import { createInterner, type Interner } from '../interner.ts';
import type { LocalGraphStore } from '../metrics.ts';
import { normalizeChanges } from '../normalize-change.ts';
import { createWalker } from '../slot.ts';
import { batchDigest, stageChanges } from '../stage.ts';
import { createView, type ViewQuery, viewQuery } from '../view.ts';
import { createViewCache } from '../view-cache.ts';
import { importNew, NotPlain } from './bulk-import.ts';
import {
  createNodeCache,
  NODE_COLUMNS,
  type NodeCache,
  type NodeRow,
  type PublishedChange,
  type RowSlot,
  readRow,
} from './cache.ts';
import { createMetricsWriter } from './metrics.ts';
import { createProvenances, type Provenances } from './provenances.ts';
import { createRowReader } from './reader.ts';
import { graphSteps } from './tables.ts';
import { MAX_LISTED, putStamp, type Written, writeStaged } from './write.ts';

/** Options of {@link createSqliteGraphStore}. */
export type SqliteGraphStoreOptions = {
  /** The open file; other layers may share it. The store never closes it. */
  readonly file: Pick<OpenedSqlite, 'migrate' | 'read' | 'write' | 'writeRelaxed' | 'dataVersion'>;
  /** Where a new graph's epoch comes from. @default time-ordered random ids */
  readonly ids?: IdSource;
  /** Dates the metrics. @default the machine's clock */
  readonly clock?: Clock;
  /** How much of the graph is kept in memory, in characters of stored text plus 600 a primitive. @default 50,000,000 */
  readonly cacheLimit?: number;
};

type Session = {
  readonly file: SqliteGraphStoreOptions['file'];
  readonly cache: NodeCache;
  readonly provenances: Provenances;
  readonly interner: Interner;
  readonly ids: IdSource;
};
type Outcome = { readonly applied: GraphApplied; readonly published?: PublishedChange };

const PAGE = 500;
const BY_ID = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE id = ?`;
const PAGE_OF_ALL = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE id > ? ORDER BY id LIMIT ?`;
const PAGE_OF_SOURCE = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE id > ? AND sources & ? <> 0 ORDER BY id LIMIT ?`;
const PUT_BATCH = 'INSERT INTO graph_batch (id, digest, revision) VALUES (?, ?, ?)';
const NOTHING: Written = { written: new Map(), stale: [] };

/**
 * A graph in a SQLite file, loaded as far as views need it and kept; a view of an unchanged graph touches no disk
 * beyond the version probe. Several processes may use one file.
 * @throws SQLITE_SCHEMA_NEWER, SQLITE_SCHEMA_OLDER (read-only), SQLITE_CORRUPT, SQLITE_BUSY
 */
export function createSqliteGraphStore(options: SqliteGraphStoreOptions): LocalGraphStore {
  const { file } = options;
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIdSource({ clock });
  file.migrate('graph', graphSteps(ids));
  const provenances = createProvenances();
  const cache = createNodeCache(provenances, options.cacheLimit ?? 50_000_000);
  const session: Session = { file, cache, provenances, interner: createInterner(), ids };
  const metrics = createMetricsWriter(file, clock);
  const views = createViews(session);
  let closed = false;
  const open = (signal?: AbortSignal): void => {
    if (closed) throw graphError('GRAPH_CLOSED', 'the graph store is closed');
    signal?.throwIfAborted();
  };
  return {
    version: async () => {
      open();
      return views.version();
    },
    view: async (names, how) => {
      open(how?.signal);
      return views.view(names);
    },
    byId: async (id) => {
      open();
      return file.read((db) => readById(db, session, id));
    },
    primitives: (how) => iterate(session, how, open),
    apply: async (changes, how) => {
      open(how?.signal);
      checkApply(changes, how);
      return applyBatch(session, changes, how);
    },
    count: (checks) => {
      if (!closed) metrics.count(checks);
    },
    metrics: async () => {
      open();
      return metrics.metrics();
    },
    close: async () => {
      if (closed) return;
      closed = true;
      metrics.close();
    },
  };
}

type Views = { readonly version: () => GraphVersion; readonly view: (names: readonly string[]) => GraphView };

function createViews({ file, cache }: Session): Views {
  const views = createViewCache();
  let seen = -1;
  let reading: SqliteDb | null = null;
  const walk = createWalker<RowSlot>((order, index) => {
    if (reading === null) return false;
    cache.load(reading, order, index);
    return true;
  });
  const sync = (): void => {
    const now = file.dataVersion();
    if (now === seen) return;
    file.read((db) => cache.refresh(db));
    seen = now;
  };
  const isStill = (version: GraphVersion): boolean => {
    sync();
    return cache.version() === version;
  };
  const roots = (query: ViewQuery, find: (key: string) => RowSlot | null | undefined): readonly RowSlot[] | null => {
    const slots: RowSlot[] = [];
    for (const key of query.keys) {
      const slot = find(key);
      if (slot === undefined) return null;
      if (slot !== null) slots.push(slot);
    }
    return slots;
  };
  const load = (query: ViewQuery): GraphView =>
    file.read((db) => {
      reading = db;
      try {
        // Unless somebody committed in between, the cache is what this transaction sees.
        sync();
        const found = roots(query, (key) => cache.find(key) ?? cache.lookUp(db, key)) ?? [];
        const loaded = walk(found) ?? [];
        const view = createView(query, loaded, cache.version());
        if (cache.trim(loaded.reduce((sum, slot) => sum + slot.cost, 0))) views.clear();
        return view;
      } finally {
        reading = null;
      }
    });
  return {
    version: () => {
      sync();
      return cache.version();
    },
    view: (names) => {
      const version = cache.version();
      const kept = views.find(names, version);
      if (kept !== undefined && isStill(version)) return kept;
      const query = viewQuery(names);
      const known = roots(query, cache.find);
      const slots = known === null ? null : walk(known);
      // What has to be loaded is looked at in a transaction, which asks for the version by itself.
      const isCurrent = slots !== null && isStill(version);
      const view = isCurrent ? createView(query, slots, version) : load(query);
      views.keep(view);
      return view;
    },
  };
}

function applyBatch(session: Session, changes: readonly GraphChange[], how: ApplyOptions): GraphApplied {
  return (changes.length > MAX_LISTED ? applyBulk(session, changes, how) : null) ?? applyUsual(session, changes, how);
}

/** Tries the quick way of a large batch; null, with nothing written, when it takes the usual way to judge it. */
function applyBulk(session: Session, changes: readonly GraphChange[], how: ApplyOptions): GraphApplied | null {
  const { file, cache, provenances, interner, ids } = session;
  const stamp = ids.next();
  try {
    const version = file.write((db) => {
      cache.refresh(db);
      const { epoch, revision } = cache.version();
      const digest = importNew(changes, how, { db, version: { epoch, revision }, provenances, interner });
      db.run('UPDATE graph_meta SET revision = ?, bulk = ?', revision + 1, revision + 1);
      putStamp(db, revision + 1, stamp);
      db.run(PUT_BATCH, how.id, digest, revision + 1);
      return Object.freeze({ epoch, revision: revision + 1 });
    });
    cache.publish({ version, stamp, ...NOTHING });
    return { type: 'applied', version };
  } catch (error) {
    provenances.forget();
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

function applyUsual(session: Session, changes: readonly GraphChange[], how: ApplyOptions): GraphApplied {
  const { file, cache, provenances, interner, ids } = session;
  const normal = normalizeChanges(changes, interner);
  const batch = normal.reasons.length > 0 ? null : batchDigest(normal.changes);
  const work = (db: SqliteDb): Outcome => {
    cache.refresh(db);
    const version = cache.version();
    const known = db.get<{ digest: string }>('SELECT digest FROM graph_batch WHERE id = ?', how.id);
    if (known !== undefined) {
      if (known.digest !== batch) throw idReused(how.id);
      return { applied: { type: 'duplicate', version } };
    }
    if (!isExpected(how.expected, version)) return { applied: { type: 'conflict', actual: version } };
    if (batch === null) return { applied: { type: 'refused', reasons: normal.reasons } };
    const reader = createRowReader(db, cache, provenances);
    const result = stageChanges(normal.changes, reader, interner);
    if (result.type === 'refused') return { applied: result };
    const changed = result.staged.written.size + result.staged.removed.size > 0;
    const revision = version.revision + (changed ? 1 : 0);
    db.run(PUT_BATCH, how.id, batch, revision);
    if (!changed) return { applied: appliedAs(version, result.notes) };
    const stamp = ids.next();
    const written = writeStaged(result.staged, { db, reader, provenances, interner, revision, stamp });
    const next = Object.freeze({ epoch: version.epoch, revision });
    return { applied: appliedAs(next, result.notes), published: { version: next, stamp, ...written } };
  };
  try {
    const outcome = file.write(work);
    if (outcome.published !== undefined) cache.publish(outcome.published);
    return outcome.applied;
  } catch (error) {
    provenances.forget();
    throw error;
  }
}

async function* iterate(
  session: Session,
  options: Parameters<LocalGraphStore['primitives']>[0],
  open: (signal?: AbortSignal) => void,
): AsyncGenerator<Primitive> {
  open(options?.signal);
  let after = options?.after ?? '';
  const bits = options?.provenance === undefined ? 0 : SOURCE_BITS[options.provenance];
  for (;;) {
    const page = session.file.read((db) => readPage(db, session, after, bits));
    for (const primitive of page) {
      open(options?.signal);
      yield primitive;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
    open(options?.signal);
  }
}

function readPage(db: SqliteDb, session: Session, after: string, bits: number): readonly Primitive[] {
  session.cache.refresh(db);
  const rows =
    bits === 0 ? db.arrays<NodeRow>(PAGE_OF_ALL, after, PAGE) : db.arrays<NodeRow>(PAGE_OF_SOURCE, after, bits, PAGE);
  return rows.map((row) => primitiveOf(db, session, row));
}

function readById(db: SqliteDb, session: Session, id: string): Primitive | undefined {
  session.cache.refresh(db);
  const [row] = db.arrays<NodeRow>(BY_ID, id);
  return row === undefined ? undefined : primitiveOf(db, session, row);
}

/** The object that views hand out where there is one; otherwise one that is not kept. */
function primitiveOf(db: SqliteDb, { cache, provenances }: Session, row: NodeRow): Primitive {
  return deepFreeze(cache.peek(row[0])?.primitive ?? readRow(db, row, provenances).primitive);
}
