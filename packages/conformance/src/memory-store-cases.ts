import assert from 'node:assert/strict';
import type { Json } from '@warrant/core';
import {
  after,
  all,
  audit,
  conflict,
  type MemoryStoreCase,
  put,
  record,
  revisionOf,
  rowsOf,
} from './memory-store-harness.ts';

const VALUES: readonly Json[] = [
  null,
  false,
  0,
  -1.5,
  '',
  'line\nbreak "quoted" \\ end \u2028 😀 ﬁ',
  [],
  {},
  { a: null, __proto: [1, { b: [] }] },
  JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Json,
];

/** Rows, revisions, commits. */
export const memoryRowCases: readonly MemoryStoreCase[] = [
  {
    name: 'gives every row back as it was put',
    run: async ({ store }) => {
      for (const value of VALUES) {
        const one = record({
          value,
          subject: 'kim',
          session: 's',
          user: 'u',
          speaker: 'p',
          sequence: 3,
          entities: ['Orders', 'x'],
          directories: ['/w'],
          sources: ['other'],
          confidence: 0.25,
          validFrom: after(-100),
          validTo: after(50),
          expiresAt: after(70),
          origin: 'provider-ingested',
          label: { trust: 'web', sources: ['https://example.org'] },
          inferred: true,
          consolidated: true,
          retrievals: 2,
          lastRetrievedAt: after(1),
        });
        await put(store, one);
        assert.deepEqual(await rowsOf(store, one.key), [one]);
        assert.deepEqual(await store.records([one.id, 'nobody']), [one]);
      }
    },
  },
  {
    name: 'holds any number of living rows under one key, in the order of their putting',
    run: async ({ store }) => {
      const rows = [record({ key: 'memory/k' }), record({ key: 'memory/k' }), record({ key: 'memory/k' })];
      for (const row of rows) await put(store, row);
      assert.deepEqual(
        (await rowsOf(store, 'memory/k')).map(({ id }) => id),
        rows.map(({ id }) => id),
      );
    },
  },
  {
    name: 'takes spellings that fold to one name as one key',
    run: async ({ store }) => {
      const one = record({ key: 'memory/Straße' });
      await put(store, one);
      assert.deepEqual(await rowsOf(store, 'memory/STRASSE'), [one]);
      assert.equal(await revisionOf(store, 'memory/strasse'), await revisionOf(store, 'memory/Straße'));
    },
  },
  {
    name: 'tells a writer whose key moved, and changes nothing',
    run: async ({ store, outbox }) => {
      const key = 'memory/moving';
      await put(store, record({ key }));
      const seen = await revisionOf(store, key);
      await put(store, record({ key }));
      const late = record({ key });
      const other = record();
      const result = await store.commit(
        [
          { type: 'put', record: other },
          { type: 'put', record: late },
        ],
        { expected: { [key]: seen, [other.key]: 0 }, audit: [audit('late')] },
      );
      assert.deepEqual(result, { type: 'stale', keys: [key] });
      assert.equal((await rowsOf(store, key)).length, 2);
      assert.deepEqual(await rowsOf(store, other.key), []);
      assert.deepEqual(await outbox.pending(10), []);
    },
  },
  {
    name: 'moves the revision of a key with each change of its rows, and of no other key',
    run: async ({ store }) => {
      const one = record();
      const other = record();
      await put(store, one, other);
      const before = [await revisionOf(store, one.key), await revisionOf(store, other.key)];
      await put(store, { type: 'close', id: one.id, at: after(1) });
      assert.notEqual(await revisionOf(store, one.key), before[0]);
      assert.equal(await revisionOf(store, other.key), before[1]);
    },
  },
  {
    name: 'commits the same rows once',
    run: async ({ store, outbox }) => {
      const one = record();
      const commit = () => store.commit([{ type: 'put', record: one }], { expected: {}, audit: [audit('x')] });
      assert.equal((await commit()).type, 'committed');
      assert.equal((await commit()).type, 'duplicate');
      assert.equal((await rowsOf(store, one.key)).length, 1);
      assert.equal((await outbox.pending(10)).length, 1);
    },
  },
  {
    name: 'commits changes and audit as a whole or not at all',
    run: async ({ store, outbox }) => {
      const one = record();
      const bad = store.commit(
        [
          { type: 'put', record: one },
          { type: 'archive', id: 'nobody', at: after(1) },
        ],
        { expected: {}, audit: [audit('x')] },
      );
      await assert.rejects(bad);
      assert.deepEqual(await rowsOf(store, one.key), []);
      assert.deepEqual(await outbox.pending(10), []);
      await store.commit([{ type: 'put', record: one }], { expected: {}, audit: [audit('kept'), audit('too')] });
      assert.deepEqual(
        (await outbox.pending(10)).map(({ stream, entry }) => [stream, entry.data]),
        [
          ['memory', 'kept'],
          ['memory', 'too'],
        ],
      );
    },
  },
  {
    name: 'closes a row once, archives it with its time, and restores it',
    run: async ({ store }) => {
      const one = record();
      await put(store, one, { type: 'close', id: one.id, at: after(1) }, { type: 'close', id: one.id, at: after(9) });
      assert.equal((await rowsOf(store, one.key))[0]?.closedAt, after(1));
      const two = record();
      await put(store, two, { type: 'archive', id: two.id, at: after(2) });
      assert.deepEqual(await rowsOf(store, two.key), [{ ...two, archived: true, closedAt: after(2) }]);
      await put(store, { type: 'restore', id: two.id, at: after(3) });
      assert.deepEqual(await rowsOf(store, two.key), [two]);
    },
  },
  {
    name: 'refuses a confidence that is none',
    run: async ({ store }) => {
      const one = record();
      await put(store, one);
      for (const confidence of [Number.NaN, -0.1, 1.5]) {
        await assert.rejects(put(store, { type: 'adjust', id: one.id, confidence, at: after(1) }));
        await assert.rejects(put(store, record({ confidence })));
      }
      await put(store, { type: 'adjust', id: one.id, confidence: 0.5, at: after(1) });
      assert.equal((await rowsOf(store, one.key))[0]?.confidence, 0.5);
    },
  },
  {
    name: 'names on each record the conflicts it is part of, and resolves them',
    run: async ({ store }) => {
      const [a, b] = [record(), record()];
      await put(store, a, b, { type: 'put-conflict', conflict: conflict('c1', a, b) });
      assert.deepEqual(
        (await store.records([a.id, b.id])).map(({ conflicts }) => conflicts),
        [['c1'], ['c1']],
      );
      assert.equal((await all(store.conflicts({ state: 'open' }))).length, 1);
      const resolved = { ...conflict('c1', a, b), state: 'resolved', kept: b.id } as const;
      await put(store, { type: 'put-conflict', conflict: resolved });
      assert.deepEqual(await all(store.conflicts({ state: 'open' })), []);
      assert.deepEqual(await all(store.conflicts()), [resolved]);
    },
  },
  {
    name: 'counts what was handed out, and remembers to which session',
    run: async ({ store, reopen }) => {
      const [a, b] = [record(), record()];
      await put(store, a, b);
      await put(store, { type: 'retrieved', ids: [b.id, a.id, b.id, 'nobody'], session: 's', at: after(5) });
      await put(store, { type: 'retrieved', ids: [b.id], session: 's', at: after(6) });
      const now = reopen === undefined ? store : await reopen();
      assert.deepEqual(await now.handedOut('s'), [b.id, a.id]);
      assert.deepEqual(await now.handedOut('other'), []);
      const [first, second] = await now.records([a.id, b.id]);
      assert.deepEqual([first?.retrievals, first?.lastRetrievedAt], [1, after(5)]);
      assert.deepEqual([second?.retrievals, second?.lastRetrievedAt], [2, after(6)]);
    },
  },
  {
    name: 'names the conflicts of some records, in the order of their putting',
    run: async ({ store }) => {
      const [a, b, c] = [record(), record(), record()];
      const [first, second] = [conflict('z', a, b), conflict('a', b, c)];
      await put(store, a, b, c, { type: 'put-conflict', conflict: first }, { type: 'put-conflict', conflict: second });
      assert.deepEqual(await all(store.conflicts({ records: [b.id, c.id] })), [first, second]);
      assert.deepEqual(await all(store.conflicts({ records: [a.id] })), [first]);
      assert.deepEqual(await all(store.conflicts({ records: [] })), []);
      await put(store, { type: 'put-conflict', conflict: { ...first, state: 'resolved', kept: b.id } });
      assert.deepEqual(await all(store.conflicts({ records: [b.id], state: 'open' })), [second]);
    },
  },
  {
    name: 'counts, over restarts, whatever the order of names',
    run: async ({ store, reopen }) => {
      const count = (name: string, by: number, seconds: number) =>
        ({ type: 'count', name, by, at: after(seconds) }) as const;
      await put(store, count('s/b', 2, 1), count('s/a', 1, 2), count('t', 9, 3), count('s%', 1, 3));
      await put(store, count('s/b', -1, 5));
      await assert.rejects(put(store, count('s/b', 0.5, 6)));
      const now = reopen === undefined ? store : await reopen();
      assert.deepEqual(await now.counters('s/'), [
        { name: 's/a', value: 1, at: after(2) },
        { name: 's/b', value: 1, at: after(5) },
      ]);
      assert.deepEqual(await now.counters('nobody'), []);
    },
  },
  {
    name: 'scans by id, after one, below a prefix, about a subject',
    run: async ({ store }) => {
      const rows = [
        record({ key: 'memory/a/x', subject: 'kim' }),
        record({ key: 'memory/a%b/x' }),
        record({ key: 'memory/b/x', subject: 'kim' }),
      ];
      await put(store, ...[...rows].reverse());
      const ids = async (options: Parameters<typeof store.scan>[0]) =>
        (await all(store.scan(options))).map(({ id }) => id);
      const [a, b, c] = rows.map(({ id }) => id) as [string, string, string];
      assert.deepEqual(await ids({}), [a, b, c]);
      assert.deepEqual(await ids({ after: a }), [b, c]);
      assert.deepEqual(await ids({ prefix: 'memory/a' }), [a, b]);
      assert.deepEqual(await ids({ prefix: 'memory/a%' }), [b]);
      assert.deepEqual(await ids({ prefix: 'memory/a/' }), [a]);
      assert.deepEqual(await ids({ prefix: 'memory/A/' }), []);
      assert.deepEqual(await ids({ prefix: 'memory/', after: b }), [c]);
      assert.deepEqual(await ids({ subject: 'kim' }), [a, c]);
    },
  },
  {
    name: 'shows another handle every commit at once, and one of two racing writers wins',
    run: async ({ store, another }) => {
      if (another === undefined) return;
      const other = await another();
      const key = 'memory/raced';
      for (let round = 0; round < 20; round += 1) {
        const expected = { [key]: await revisionOf(round % 2 === 0 ? store : other, key) };
        const results = await Promise.all(
          [store, other].map((one) => one.commit([{ type: 'put', record: record({ key }) }], { expected, audit: [] })),
        );
        assert.deepEqual(results.map(({ type }) => type).sort(), ['committed', 'stale']);
        assert.equal((await rowsOf(other, key)).length, round + 1);
        assert.equal((await rowsOf(store, key)).length, round + 1);
      }
    },
  },
  {
    name: 'is consistent to itself, and answers nothing once closed',
    run: async ({ store }) => {
      const one = record({ session: 's' });
      await put(store, one, record({ session: 's' }), { type: 'archive', id: one.id, at: after(1) });
      assert.deepEqual(await store.check(), []);
      await store.close();
      await assert.rejects(store.heads(['memory/x']));
      await assert.rejects(store.commit([], { expected: {}, audit: [] }));
    },
  },
];
