import {
  digest,
  foldName,
  type GraphChange,
  type GraphVersion,
  isoTime,
  type Json,
  type Primitive,
  systemClock,
} from '@warrant/core';
import { type Difference, diffPrimitives } from '../difference.ts';
import { GRAPH_LIMITS } from '../limits.ts';
import type { LocalGraphStore } from '../metrics.ts';
import { isText } from '../text.ts';
import { conceptId } from './concept-id.ts';
import type { GraphDocument } from './format.ts';
import { type Merge, mergePrimitive, newPrimitive } from './merge.ts';
import { boundProblems, type InvalidDocuments } from './parse.ts';
import { checkPlan } from './plan-check.ts';
import { planRemovals } from './plan-prune.ts';
import type { Entry, ImportOptions, Removal, Stock } from './plan-types.ts';
import type { DocumentProblem } from './problems.ts';

/** What an import would do. Nothing has happened yet. */
export type ImportPlan = {
  readonly type: 'plan';
  /** The version that the plan was made for; `applyImport` refuses another. */
  readonly version: GraphVersion;
  /** Names the plan by its content. */
  readonly id: string;
  readonly added: readonly string[];
  readonly changed: readonly { readonly name: string; readonly differences: readonly Difference[] }[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
  /** Concepts that prune leaves, and why: `learned` or `other-document`. */
  readonly kept: readonly { readonly name: string; readonly reason: 'learned' | 'other-document' }[];
  readonly changes: readonly GraphChange[];
};
export type PlannedImport = ImportPlan | { readonly type: 'invalid'; readonly problems: readonly DocumentProblem[] };

/**
 * Holds documents against the graph and says what an import would add, change and leave, or which line is wrong:
 * a target that neither has, a cycle, an id that another concept holds, something left dangling.
 */
export async function planImport(
  store: LocalGraphStore,
  documents: readonly GraphDocument[],
  options: ImportOptions = {},
): Promise<PlannedImport> {
  const stock = await readStock(store, documents);
  const entries = await createEntries(store, stock, documents, options);
  const merged = entries.map((entry) => ({ entry, primitive: mergeEntry(entry) }));
  const removals = options.prune === true ? await planRemovals(store, entries, documents, options) : [];
  const problems = checkPlan({ stock, entries, merged, removals });
  if (problems.length > 0) {
    return {
      type: 'invalid',
      problems: boundProblems(
        problems,
        documents.map(({ file }) => file),
      ),
    };
  }
  return createPlan(stock, merged, removals);
}

/**
 * All faults of documents that have some: those of reading, and those that only the graph shows of what could be read,
 * such as a target that neither has.
 */
export async function importProblems(
  store: LocalGraphStore,
  { documents, problems }: InvalidDocuments,
): Promise<readonly DocumentProblem[]> {
  if (documents.length === 0) return problems;
  const planned = await planImport(store, documents);
  if (planned.type === 'plan') return problems;
  return boundProblems(
    [...problems, ...planned.problems],
    documents.map(({ file }) => file),
  );
}

function mergeEntry({ concept, merge, stored, id }: Entry): Primitive {
  return stored === undefined ? newPrimitive(concept, id, merge) : mergePrimitive(stored, concept, merge);
}

async function readStock(store: LocalGraphStore, documents: readonly GraphDocument[]): Promise<Stock> {
  const names = new Map<string, string>();
  // Documents with faults hold names that no graph has, and that none may be asked for.
  const add = (key: string, name: string): void => {
    if (isText(name, GRAPH_LIMITS.nameLength)) names.set(key, name);
  };
  for (const { concepts } of documents) {
    for (const { key, name, levels } of concepts) {
      add(key, name);
      for (const { relata } of levels) for (const relatum of relata) add(relatum.key, relatum.target);
    }
  }
  const view = await store.view([...names.values()]);
  const { primitives } = view.snapshot();
  return {
    version: view.version,
    byKey: new Map(primitives.map((primitive) => [foldName(primitive.name), primitive])),
    byId: new Map(primitives.map((primitive) => [primitive.id, primitive])),
  };
}

async function createEntries(
  store: LocalGraphStore,
  stock: Stock,
  documents: readonly GraphDocument[],
  options: ImportOptions,
): Promise<readonly Entry[]> {
  const ids = new Map<string, string>();
  const at = isoTime(options.clock ?? systemClock);
  const idOf = (key: string): string => ids.get(key) ?? stock.byKey.get(key)?.id ?? conceptId(key);
  const entries: Entry[] = [];
  for (const { name, concepts } of documents) {
    const stamp = { source: 'authored', at, document: name } as const;
    const merge: Merge = { stamp, prune: options.prune ?? false, idOf };
    for (const concept of concepts) {
      const stored = stock.byKey.get(concept.key);
      const id = stored?.id ?? concept.id ?? (await freeId(store, concept.key));
      ids.set(concept.key, id);
      entries.push({ concept, merge, stored, id });
    }
  }
  return entries;
}

/** A concept that was renamed keeps its id, which must not be given to another. */
async function freeId(store: LocalGraphStore, key: string): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const id = conceptId(key, attempt);
    if ((await store.byId(id)) === undefined) return id;
  }
}

/** How much of a primitive is a peer's. */
function countFromPeers({ provenance, depths }: Primitive): number {
  const origins = [provenance, ...depths.flatMap((depth) => [depth, ...depth.relata].map((part) => part.provenance))];
  return origins.filter(({ source }) => source === 'peer').length;
}

function createPlan(
  stock: Stock,
  merged: readonly { readonly entry: Entry; readonly primitive: Primitive }[],
  removals: readonly Removal[],
): ImportPlan {
  const names = new Map(merged.map(({ entry, primitive }) => [entry.id, primitive.name]));
  const nameOf = (id: string): string => names.get(id) ?? stock.byId.get(id)?.name ?? id;
  const added: string[] = [];
  const unchanged: string[] = [];
  const changed: { name: string; differences: readonly Difference[] }[] = [];
  const changes: GraphChange[] = [];
  const replaced = (stored: Primitive, primitive: Primitive): void => {
    const differences = diffPrimitives({ primitive: stored, nameOf }, { primitive, nameOf });
    if (differences.length === 0 && countFromPeers(stored) === countFromPeers(primitive)) {
      unchanged.push(primitive.name);
      return;
    }
    changed.push({ name: primitive.name, differences });
    changes.push({ type: 'put-primitive', primitive });
  };
  for (const { entry, primitive } of merged) {
    if (entry.stored !== undefined) replaced(entry.stored, primitive);
    else {
      added.push(primitive.name);
      changes.push({ type: 'put-primitive', primitive });
    }
  }
  for (const removal of removals) {
    if (removal.rest !== null) replaced(removal.stored, removal.rest);
    else changes.push({ type: 'remove-primitive', primitive: removal.stored.id, dangling: 'refuse' });
  }
  const removed = removals.filter(({ rest }) => rest === null).map(({ stored }) => stored.name);
  const kept = removals.flatMap(({ stored, reason }) => (reason === null ? [] : [{ name: stored.name, reason }]));
  const id = `import:${digest([stock.version, changes as unknown as Json])}`;
  return { type: 'plan', version: stock.version, id, added, changed, unchanged, removed, kept, changes };
}
