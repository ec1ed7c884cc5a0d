import type { Digest } from '@warrant/core';
import type { Interner } from '../interner.ts';
import type { GraphReader } from '../reader.ts';
import type { StoredPrimitive } from '../stored.ts';
import type { Tx } from './connection.ts';
import { corrupt, readConcepts } from './rows.ts';
import { BY_IDS, DEPENDANTS, DIGESTS, HOLDERS, MAX_WALKED, PREREQUISITES, PREREQUISITES_BELOW } from './statements.ts';

/**
 * What a batch has to know of the stored graph. Judging a batch is synchronous, the server is not: the reader answers from
 * what was fetched and notes what was not, `fetch` gets it, and the batch is judged again until nothing is missing.
 */
export type Snapshot = {
  readonly reader: GraphReader;
  /** Gets everything that was asked for in vain; false when that was nothing. */
  readonly fetch: () => Promise<boolean>;
};
type Source = { readonly tx: Tx; readonly graph: string; readonly interner: Interner; readonly isEmpty: boolean };

const PER_STATEMENT = 5000;

/** A reader inside a transaction that holds the graph's lock, so that nothing changes in between. */
export function createSnapshot(source: Source): Snapshot {
  const concepts = createTable((ids) => fetchConcepts(ids, source));
  const digests = createTable((ids) => fetchPairs<Digest>(DIGESTS, 'ids', ids, source));
  const holders = createTable((keys) => fetchPairs<string>(HOLDERS, 'keys', keys, source));
  const dependants = createTable((ids) => fetchPairs<readonly string[]>(DEPENDANTS, 'ids', ids, source));
  const prerequisites = createTable((ids) => fetchAllPrerequisites(ids, source));
  const { isEmpty } = source;
  const digestOf = (id: string): Digest | undefined => (isEmpty ? undefined : digests.get(id));
  return {
    reader: {
      digestOf,
      has: (id) => digestOf(id) !== undefined,
      get: (id) => (isEmpty ? undefined : concepts.get(id)),
      idOfKey: (key) => (isEmpty ? undefined : holders.get(key)),
      dependants: (id) => (isEmpty ? [] : [...(dependants.get(id) ?? [])].sort()),
      prerequisites: (id) => (isEmpty ? [] : (prerequisites.get(id) ?? [])),
    },
    fetch: async () => {
      let isAny = false;
      for (const table of [concepts, digests, holders, dependants, prerequisites]) {
        if (await table.fetch()) isAny = true;
      }
      return isAny;
    },
  };
}

type Table<T> = { readonly get: (key: string) => T | undefined; readonly fetch: () => Promise<boolean> };

function createTable<T>(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>): Table<T> {
  const known = new Map<string, T | undefined>();
  const wanted = new Set<string>();
  return {
    get: (key) => {
      if (!known.has(key)) wanted.add(key);
      return known.get(key);
    },
    fetch: async () => {
      if (wanted.size === 0) return false;
      for (const [key, value] of await load([...wanted])) known.set(key, value);
      for (const key of wanted) if (!known.has(key)) known.set(key, undefined);
      wanted.clear();
      return true;
    },
  };
}

async function fetchPairs<T>(
  statement: string,
  name: 'ids' | 'keys',
  all: readonly string[],
  { tx, graph }: Source,
): Promise<Map<string, T>> {
  const pairs = new Map<string, T>();
  for (let start = 0; start < all.length; start += PER_STATEMENT) {
    const rows = await tx.run(statement, { graph, [name]: all.slice(start, start + PER_STATEMENT) });
    for (const row of rows) pairs.set(row.get(0) as string, row.get(1) as T);
  }
  return pairs;
}

async function fetchConcepts(ids: readonly string[], source: Source): Promise<Map<string, StoredPrimitive>> {
  const concepts = new Map<string, StoredPrimitive>();
  for (let start = 0; start < ids.length; start += PER_STATEMENT) {
    const rows = await source.tx.run(BY_IDS, { graph: source.graph, ids: ids.slice(start, start + PER_STATEMENT) });
    for (const concept of readConcepts(rows, source.interner)) {
      if ('torn' in concept) throw corrupt(concept.torn);
      concepts.set(concept.stored.primitive.id, concept.stored);
    }
  }
  return concepts;
}

/** Everything below the ids too: a walk asks for it next. */
async function fetchAllPrerequisites(
  ids: readonly string[],
  source: Source,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  for (let level = ids; level.length > 0; ) {
    const statement = level.length > MAX_WALKED ? PREREQUISITES : PREREQUISITES_BELOW;
    const found = await fetchPairs<readonly string[]>(statement, 'ids', level, source);
    const next = new Set<string>();
    for (const id of level) all.set(id, []);
    for (const [id, targets] of found) all.set(id, targets);
    for (const targets of found.values()) for (const target of targets) if (!all.has(target)) next.add(target);
    level = [...next];
  }
  return all;
}
