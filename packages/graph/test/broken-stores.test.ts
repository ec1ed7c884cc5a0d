import { type GraphStoreHarness, graphStoreCases, runGraphStoreCase, runGraphStoreModel } from '@warrant/conformance';
import { type Digest, digest, type GraphStore, type GraphView, type Json, type Primitive } from '@warrant/core';
import { expect, test } from 'vitest';
import { createMemoryGraphStore } from '../src/index.ts';

type Broken = (store: GraphStore) => Partial<GraphStore>;

let batches = 0;
const nextId = (): string => {
  batches += 1;
  return `own-${batches}`;
};

async function reshape(
  view: GraphView,
  change: (all: readonly Primitive[]) => readonly Primitive[],
): Promise<GraphView> {
  const { names, primitives } = view.snapshot();
  const snapshot = Object.freeze({ names, primitives: Object.freeze(change(primitives)) });
  return { version: view.version, digest: view.digest, snapshot: () => snapshot };
}

const broken: Readonly<Record<string, Broken>> = {
  'forgets the ids of batches': (store) => ({
    apply: (changes, options) => store.apply(changes, { ...options, id: nextId() }),
  }),
  'ignores the expected version': (store) => ({
    apply: (changes, options) => store.apply(changes, { ...options, expected: 'any' }),
  }),
  'applies the sound part of a batch': (store) => ({
    apply: async (changes, options) => {
      const whole = await store.apply(changes, options);
      if (whole.type !== 'refused') return whole;
      for (const change of changes) await store.apply([change], { id: nextId(), expected: 'any' });
      return whole;
    },
  }),
  'removes relata without being told to': (store) => ({
    apply: (changes, options) =>
      store.apply(
        changes.map((one) => (one.type === 'remove-primitive' ? { ...one, dangling: 'remove' as const } : one)),
        options,
      ),
  }),
  'lets a cycle pass by dropping transitive relata': (store) => ({
    apply: async (changes, options) => {
      const result = await store.apply(changes, options);
      const isCycle = result.type === 'refused' && result.reasons.some((reason) => reason.code === 'graph.cycle');
      return isCycle ? store.apply([], options) : result;
    },
  }),
  'folds names by lower case alone': (store) => ({
    view: (names, options) =>
      store.view(Array.isArray(names) ? names.filter((name) => !/ß|SS|ς/.test(name)) : names, options),
  }),
  'hands out copies': (store) => ({
    view: async (names) => reshape(await store.view(names), (all) => structuredClone(all)),
  }),
  'hands out what callers can change': (store) => ({
    view: async (names) => {
      const view = await store.view(names);
      return { version: view.version, digest: view.digest, snapshot: () => ({ ...view.snapshot() }) };
    },
  }),
  'stops at direct prerequisites': (store) => ({
    view: async (names) => reshape(await store.view(names), (all) => all.slice(0, names.length + 1)),
  }),
  'drops relata that leave the closure': (store) => ({
    view: async (names) =>
      reshape(await store.view(names), (all) => {
        const inside = new Set(all.map((one) => one.id));
        return all.map((one) => ({
          ...one,
          depths: one.depths.map((at) => ({ ...at, relata: at.relata.filter((item) => inside.has(item.target)) })),
        }));
      }),
  }),
  'names a view by its primitives alone': (store) => ({
    view: async (names) => {
      const view = await store.view(names);
      const known: Digest = digest(view.snapshot().primitives.map((one) => digest(one as Json)));
      return { version: view.version, digest: known, snapshot: view.snapshot };
    },
  }),
  'never moves its version': (store) => {
    const first = store.version();
    return { version: () => first };
  },
  'works on after close': () => ({ close: async () => undefined }),
  'lists in any order': (store) => ({
    primitives: async function* () {
      const all: Primitive[] = [];
      for await (const one of store.primitives()) all.unshift(one);
      yield* all;
    },
  }),
  'counts as a change': (store) => ({
    count: () => {
      const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
      const primitive = { id: nextId(), name: nextId(), depths: [], provenance };
      store.apply([{ type: 'put-primitive', primitive }], { id: nextId(), expected: 'any' }).catch(() => undefined);
    },
  }),
};

test.each(Object.keys(broken))('the kit finds a store that %s', async (name) => {
  const createStore = async (): Promise<GraphStoreHarness> => {
    const store = createMemoryGraphStore();
    return { store: { ...store, ...broken[name]?.(store) }, dispose: async () => undefined };
  };
  const failed: string[] = [];
  for (const one of graphStoreCases.filter((other) => other.needs === undefined)) {
    await runGraphStoreCase(one, createStore).catch(() => failed.push(one.name));
  }
  await runGraphStoreModel(createStore, { runs: 20 }).catch(() => failed.push('model'));
  expect(failed).not.toEqual([]);
});
