import assert from 'node:assert/strict';
import type {
  Depth,
  DepthLevel,
  GraphApplied,
  GraphChange,
  GraphStore,
  Primitive,
  Provenance,
  RelationType,
  Relatum,
} from '@warrant/core';

/** One graph store on fresh, isolated data. */
export type GraphStoreHarness = {
  readonly store: GraphStore;
  /** Closes the store and opens one on the same data, as after a restart. Absent where data ends with the process. */
  readonly reopen?: () => Promise<GraphStore>;
  /** One more handle on the same data, as another process would have. */
  readonly another?: () => Promise<GraphStore>;
  readonly dispose: () => Promise<void>;
};
/** What a store can do beside the port; cases that need more show as skipped. */
export type GraphStoreCapabilities = { readonly restart: boolean; readonly sharing: boolean };
export type GraphStoreCase = {
  readonly name: string;
  readonly needs?: keyof GraphStoreCapabilities;
  readonly run: (harness: GraphStoreHarness) => Promise<void>;
};

export const AUTHORED: Provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' };
export const LEARNED: Provenance = { source: 'learned', at: '2026-01-02T00:00:00.000Z', proposalId: 'p1' };

let batches = 0;

/** An id that no other batch of this run has. */
export function batchId(): string {
  batches += 1;
  return `batch-${batches}`;
}

/** `requires b 2` as a relatum. */
export function relatum(text: string, more: Partial<Relatum> = {}): Relatum {
  const [relation, target, depth] = text.split(' ');
  return {
    relation: relation as RelationType,
    target: target as string,
    targetDepth: Number(depth ?? 0) as DepthLevel,
    provenance: AUTHORED,
    ...more,
  };
}

export function depth(level: number, relata: readonly string[] = [], more: Partial<Depth> = {}): Depth {
  return {
    level: level as DepthLevel,
    properties: {},
    relata: relata.map((text) => relatum(text)),
    provenance: AUTHORED,
    ...more,
  };
}

/** A primitive whose id is its name in lower case; each list of relata is the next level. */
export function primitive(name: string, ...levels: readonly (readonly string[])[]): Primitive {
  return {
    id: name.toLowerCase(),
    name,
    depths: levels.map((relata, level) => depth(level, relata)),
    provenance: AUTHORED,
  };
}

export function put(...primitives: readonly Primitive[]): readonly GraphChange[] {
  return primitives.map((one) => ({ type: 'put-primitive', primitive: one }));
}

/** Applies under a new id, whatever the version. */
async function apply(store: GraphStore, changes: readonly GraphChange[]): Promise<GraphApplied> {
  return store.apply(changes, { id: batchId(), expected: 'any' });
}

export async function applied(store: GraphStore, changes: readonly GraphChange[]): Promise<void> {
  const result = await apply(store, changes);
  assert.equal(result.type, 'applied', JSON.stringify(result));
}

/** The codes of the reasons of a refusal, which must have left the version alone. */
export async function refusedCodes(store: GraphStore, changes: readonly GraphChange[]): Promise<readonly string[]> {
  const before = await store.version();
  const result = await apply(store, changes);
  assert.equal(result.type, 'refused', `expected a refusal, not ${result.type}`);
  assert.deepEqual(await store.version(), before, 'a refused batch moves no version');
  return result.type === 'refused' ? result.reasons.map((reason) => reason.code) : [];
}

export async function collect(primitives: AsyncIterable<Primitive>): Promise<Primitive[]> {
  const all: Primitive[] = [];
  for await (const one of primitives) all.push(one);
  return all;
}

/** The names in a view's closure, in its order. */
export async function closure(store: GraphStore, ...names: readonly string[]): Promise<readonly string[]> {
  const view = await store.view(names);
  return view.snapshot().primitives.map((one) => one.name);
}

export async function expectCode(work: () => Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.equal((error as { code?: unknown }).code, code);
    return true;
  });
}

/** Key order and the like do not count. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
