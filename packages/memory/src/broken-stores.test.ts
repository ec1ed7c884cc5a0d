import {
  type MemoryStoreHarness,
  memoryStoreCases,
  runMemoryStoreCase,
  runMemoryStoreModel,
} from '@warrant/conformance';
import type { MemoryRecord, MemoryStore } from '@warrant/core';
import { expect, test } from 'vitest';
import { createInMemoryStore, type InMemoryStore } from './memory-store.ts';

type Search = Parameters<MemoryStore['search']>[0];
type Hits = ReturnType<MemoryStore['search']>;

async function* mapped<T>(items: AsyncIterable<T>, map: (item: T) => T | undefined): AsyncIterable<T> {
  for await (const item of items) {
    const kept = map(item);
    if (kept !== undefined) yield kept;
  }
}

async function* first(hits: Hits, limit: number, keep: (record: MemoryRecord) => boolean): Hits {
  let seen = 0;
  for await (const hit of hits) {
    seen += 1;
    if (seen > limit) return;
    if (keep(hit.record)) yield hit;
  }
}

const commits =
  (
    change: (
      changes: Parameters<MemoryStore['commit']>[0],
      options: Parameters<MemoryStore['commit']>[1],
    ) => Parameters<MemoryStore['commit']>,
  ) =>
  (good: InMemoryStore): Partial<MemoryStore> => ({
    commit: (changes, options) => good.commit(...change(changes, options)),
  });
const heads =
  (change: (records: readonly MemoryRecord[], key: string) => readonly MemoryRecord[]) =>
  (good: InMemoryStore): Partial<MemoryStore> => ({
    heads: async (keys) =>
      (await good.heads(keys)).map((head) => ({ ...head, records: change(head.records, head.key) })),
  });
const searches =
  (change: (query: Search, good: InMemoryStore) => Hits) =>
  (good: InMemoryStore): Partial<MemoryStore> => ({ search: (query) => change(query, good) });

const FAULTS: { readonly [name: string]: (good: InMemoryStore) => Partial<MemoryStore> } = {
  'lost update': commits((changes, options) => [changes, { ...options, expected: {} }]),
  'audit forgotten': commits((changes, options) => [changes, { ...options, audit: [] }]),
  'one row a key': heads((records) => records.slice(-1)),
  'keys told apart by case': heads((records, key) => records.filter((record) => record.key === key)),
  'rows in another order': heads((records) => [...records].reverse()),
  'floats for confidence lost': heads((records) =>
    records.map((record) => ({ ...record, confidence: Math.round(record.confidence) })),
  ),
  'everything erased': commits((changes, options) => [
    changes.map((change) =>
      change.type === 'erase' && change.subject === '' ? { ...change, subject: 'kim' } : change,
    ),
    options,
  ]),
  'derived records kept': (good) => ({
    scan: (options) => good.scan(options),
    commit: (changes, options) =>
      good.commit(
        changes.map((change) =>
          change.type === 'put' ? { ...change, record: { ...change.record, sources: [] } } : change,
        ),
        options,
      ),
  }),
  'limit before filter': searches((query, good) =>
    first(good.search({ ...query, readable: [''], limit: 1000 }), query.limit, (record) =>
      query.readable.some((prefix) => record.key.startsWith(prefix)),
    ),
  ),
  'expired found': searches((query, good) =>
    good.search({ ...query, knownAt: new Date(Date.parse(query.knownAt) - 1000).toISOString() }),
  ),
  'entities ignored': searches((query, good) => good.search({ ...query, entities: [] })),
  'context lost': searches((query, good) =>
    mapped(good.search(query), (hit) =>
      hit.own === 0 && hit.cosine === null && query.words.length > 0 ? undefined : hit,
    ),
  ),
  'lenders forgotten': () => ({ lenders: async () => new Map() }),
  'scan without a prefix': (good) => ({ scan: ({ prefix: _prefix, ...options } = {}) => good.scan(options) }),
  'conflicts of every state': (good) => ({ conflicts: () => good.conflicts() }),
  'conflicts not on records': (good) => ({
    records: async (ids) => (await good.records(ids)).map((record) => ({ ...record, conflicts: [] })),
  }),
  'sessions mixed up': (good) => ({ handedOut: () => good.handedOut('s') }),
  'conflicts of other records': (good) => ({
    conflicts: ({ records: _records, ...options } = {}) => good.conflicts(options),
  }),
  'counting anew': (good) => ({
    commit: async (changes, options) => {
      const before = new Map((await good.counters('')).map(({ name, value }) => [name, value]));
      const anew = changes.map((change) =>
        change.type === 'count' ? { ...change, by: change.by - (before.get(change.name) ?? 0) } : change,
      );
      return good.commit(anew, options);
    },
  }),
  'counters of every name': (good) => ({ counters: () => good.counters('') }),
  'answers after closing': () => ({ close: async () => undefined }),
};

function broken(name: string): () => Promise<MemoryStoreHarness> {
  return async () => {
    const good = createInMemoryStore();
    const whole: MemoryStore = {
      heads: (...a) => good.heads(...a),
      commit: (...a) => good.commit(...a),
      search: (...a) => good.search(...a),
      scan: (...a) => good.scan(...a),
      lenders: (...a) => good.lenders(...a),
      records: (...a) => good.records(...a),
      conflicts: (...a) => good.conflicts(...a),
      counters: (...a) => good.counters(...a),
      handedOut: (...a) => good.handedOut(...a),
      check: () => good.check(),
      close: () => good.close(),
    };
    return { store: { ...whole, ...FAULTS[name]?.(good) }, outbox: good.outbox, dispose: () => good.close() };
  };
}

async function failures(open: () => Promise<MemoryStoreHarness>): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const one of memoryStoreCases) await runMemoryStoreCase(one, open).catch(() => failed.push(one.name));
  await runMemoryStoreModel(open, { runs: 30 }).catch(() => failed.push('the model'));
  return failed;
}

test.each(Object.keys(FAULTS))('the kit finds the store with the fault: %s', async (name) => {
  expect(await failures(broken(name))).not.toEqual([]);
});
