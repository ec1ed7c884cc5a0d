import {
  describeReviewStoreConformance,
  reviewStoreCases,
  runReviewStoreCase,
  runReviewStoreModel,
} from '@warrant/conformance';
import type { ReviewStore } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createMemoryReviewStore } from '../src/memory-store.ts';

const broken: Readonly<Record<string, (store: ReviewStore) => Partial<ReviewStore>>> = {
  'ignores versions': (store) => ({
    commit: async (change) => store.commit({ ...change, expected: (await store.read(change.id))?.version ?? null }),
  }),
  'drops events': (store) => ({ commit: (change) => store.commit({ ...change, events: change.events.slice(1) }) }),
  'forgets artifacts': (store) => ({ commit: (change) => store.commit({ ...change, artifacts: [] }) }),
  'overwrites artifacts': (store) => ({
    commit: async (change) => {
      const artifacts = await Promise.all(
        change.artifacts.map(async (item) =>
          item.type !== 'delete' && (await store.artifact(item.kind, item.id)) !== undefined
            ? { ...item, type: 'replace' as const }
            : item,
        ),
      );
      return store.commit({ ...change, artifacts });
    },
  }),
  'loses votes': (store) => ({
    commit: (change) => store.commit({ ...change, record: change.record && { ...change.record, votes: [] } }),
  }),
  'lists in the wrong order': (store) => ({
    list: async function* (query) {
      const all = [];
      for await (const item of store.list(query)) all.push(item);
      yield* all.reverse();
    },
  }),
};

describe('the kit for review stores', () => {
  it.each(Object.keys(broken))('fails a store that %s', async (name) => {
    const createStore = async () => {
      const store = createMemoryReviewStore();
      const change = broken[name]?.(store) ?? {};
      return { store: { ...store, ...change }, dispose: async () => undefined };
    };
    const runs = [
      ...reviewStoreCases
        .filter((one) => one.needs === undefined)
        .map((one) => () => runReviewStoreCase(one, createStore)),
      () => runReviewStoreModel(createStore),
    ];
    const results = await Promise.allSettled(runs.map((run) => run()));
    expect(results.some((result) => result.status === 'rejected')).toBe(true);
  });

  it('is offered for vitest', () => {
    expect(typeof describeReviewStoreConformance).toBe('function');
  });
});
