import type { GraphVersion, GraphView } from '@warrant/core';
import type { Interner } from '../interner.ts';
import { createWalker } from '../slot.ts';
import { createView, type ViewQuery, viewQuery } from '../view.ts';
import { createViewCache } from '../view-cache.ts';
import type { ConceptCache, ConceptSlot } from './cache.ts';
import type { Rows } from './connection.ts';
import { busy, pause, readHead, type Session, settle, synchronize } from './head.ts';
import { corrupt, readConcepts } from './rows.ts';
import { BY_IDS, BY_KEYS, CLOSURE_OF_IDS, CLOSURE_OF_KEYS, MAX_WALKED } from './statements.ts';

type Cancelled = { readonly signal?: AbortSignal | undefined };
export type Views = {
  readonly version: (how: Cancelled) => Promise<GraphVersion>;
  readonly view: (names: readonly string[], how: Cancelled) => Promise<GraphView>;
};
type Loading = {
  readonly session: Session;
  readonly cache: ConceptCache;
  readonly interner: Interner;
  readonly walk: (roots: readonly ConceptSlot[]) => readonly ConceptSlot[] | null;
};
/** What a view still needs: fold keys that nobody looked up, ids that are not loaded. */
type Missing = { readonly keys: readonly string[]; readonly ids: readonly string[] };

const PER_STATEMENT = 2000;
const MAX_TRIES = 20;

/** Views of a graph that is loaded as far as they need it. */
export function createViews(session: Session, cache: ConceptCache, interner: Interner): Views {
  const views = createViewCache();
  const loading: Loading = { session, cache, interner, walk: createWalker<ConceptSlot>(() => false) };
  return {
    version: (how) => synchronize(session, cache, how),
    view: async (names, how) => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const version = await synchronize(session, cache, how);
        const kept = views.find(names, version);
        if (kept !== undefined) return kept;
        const query = viewQuery(names);
        const slots = await loadClosure(query, version, loading, how);
        if (slots === null) continue;
        const view = createView(query, slots, version);
        views.keep(view);
        if (cache.trim(slots.reduce((sum, slot) => sum + slot.cost, 0))) views.clear();
        return view;
      }
      throw busy();
    },
  };
}

/** The slots of a view, all loaded; null when the graph moved meanwhile. */
async function loadClosure(
  query: ViewQuery,
  version: GraphVersion,
  loading: Loading,
  how: Cancelled,
): Promise<readonly ConceptSlot[] | null> {
  const { cache, walk } = loading;
  for (let round = 0; ; round += 1) {
    if (cache.version() !== version) return null;
    const { roots, keys } = rootsOf(query, cache);
    const slots = keys.length > 0 ? null : walk(roots);
    if (slots !== null) return slots;
    const missing = { keys, ids: unloaded(roots) };
    const rows = await readMissing(missing, round > 0, loading, how);
    if (cache.version() !== version) return null;
    const doubtful = takeRows(rows, version, loading);
    if (!(await confirm(missing, doubtful, { version, loading, how }))) return null;
  }
}

function rootsOf(
  query: ViewQuery,
  cache: ConceptCache,
): { readonly roots: readonly ConceptSlot[]; readonly keys: readonly string[] } {
  const roots: ConceptSlot[] = [];
  const keys: string[] = [];
  for (const key of query.keys) {
    const slot = cache.find(key);
    if (slot === undefined) keys.push(key);
    else if (slot !== null) roots.push(slot);
  }
  return { roots, keys };
}

/** The ids at the rim of what is loaded. */
function unloaded(roots: readonly ConceptSlot[]): readonly string[] {
  const seen = new Set<ConceptSlot>(roots);
  const ids: string[] = [];
  for (const slot of seen) {
    if (slot.prerequisites === null) ids.push(slot.at);
    else for (const next of slot.prerequisites) seen.add(next);
  }
  return ids;
}

/** @param isDeep whether what is missing lies deeper than one level: the first round loads but that one of known roots */
async function readMissing({ keys, ids }: Missing, isDeep: boolean, loading: Loading, how: Cancelled): Promise<Rows> {
  const { connection, graph, statementMs } = loading.session;
  const isFew = keys.length + ids.length <= MAX_WALKED;
  const rows: Rows[] = [];
  const read = async (statement: string, name: 'keys' | 'ids', all: readonly string[]): Promise<void> => {
    for (let start = 0; start < all.length; start += PER_STATEMENT) {
      const parameters = { graph, [name]: all.slice(start, start + PER_STATEMENT) };
      rows.push(await connection.read(statement, parameters, { ms: statementMs, signal: how.signal }));
    }
  };
  await read(isFew ? CLOSURE_OF_KEYS : BY_KEYS, 'keys', keys);
  await read(isFew && isDeep ? CLOSURE_OF_IDS : BY_IDS, 'ids', ids);
  return rows.flat();
}

/**
 * Fills the cache with what was read, as far as it is of this version or older: older texts are still there because
 * nobody changed them since.
 * @returns the id of one that was changed while it was read, or is damaged
 */
function takeRows(rows: Rows, version: GraphVersion, { cache, interner }: Loading): string | undefined {
  let doubtful: string | undefined;
  for (const concept of readConcepts(rows, interner)) {
    if ('torn' in concept) doubtful = concept.torn;
    else if (concept.revision > version.revision) doubtful = concept.stored.primitive.id;
    else if (cache.peek(concept.stored.primitive.id) === undefined) cache.fill(concept);
  }
  return doubtful;
}

/** What was not found is not there only if the graph is still the same afterwards. False: read again. */
async function confirm(
  { keys, ids }: Missing,
  doubtful: string | undefined,
  { version, loading, how }: { readonly version: GraphVersion; readonly loading: Loading; readonly how: Cancelled },
): Promise<boolean> {
  const { cache, session } = loading;
  const absent = keys.filter((key) => cache.find(key) === undefined);
  const lost = doubtful ?? ids.find((id) => cache.peek(id) === undefined);
  if (absent.length === 0 && lost === undefined) return true;
  // A change that is just becoming visible shows in its version once the lock of its graph is free.
  if (lost !== undefined) await (session.readOnly ? pause(session) : settle(session, how));
  const head = await readHead(session, how);
  if (cache.version() !== version || head.epoch !== version.epoch || head.revision !== version.revision) return false;
  if (lost !== undefined) throw corrupt(lost);
  for (const key of absent) cache.absent(key);
  return true;
}
