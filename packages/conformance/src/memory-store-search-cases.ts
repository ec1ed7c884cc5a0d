import assert from 'node:assert/strict';
import type { MemoryRecord, MemoryStore } from '@warrant/core';
import { after, all, conflict, found, type MemoryStoreCase, put, record, rowsOf } from './memory-store-harness.ts';

const HOSTILE = ['"', '(', '*', 'NOT', 'AND', 'a"b', 'col:x', '-foo', '^x', '{', "don't", '\u0001'];

/** Search, filters, erasing. */
export const memorySearchCases: readonly MemoryStoreCase[] = [
  {
    name: 'finds whole words in any form of theirs, best first',
    run: async ({ store }) => {
      const one = record({ value: 'the harbour crane lifts containers' });
      const two = record({
        value: 'cranes are also birds, and birds are lifted by winds over long lonely seas of many names',
      });
      const three = record({ value: 'concatenate' });
      await put(store, one, two, three);
      assert.deepEqual(await found(store, ['crane', 'lift']), [one.id, two.id]);
      assert.deepEqual(await found(store, ['cat']), []);
      assert.deepEqual(await found(store, []), []);
    },
  },
  {
    name: 'finds words of other scripts, with accents and without',
    run: async ({ store }) => {
      const one = record({ value: 'Straße nach Café' });
      const two = record({ value: '明日の会議は学習について' });
      const three = record({ value: { note: 'é in a map' } });
      await put(store, one, two, three);
      assert.deepEqual(await found(store, ['strasse']), [one.id]);
      assert.deepEqual(await found(store, ['cafe']), [one.id]);
      assert.deepEqual(await found(store, ['会議']), [two.id]);
      assert.deepEqual(await found(store, ['map']), [three.id]);
    },
  },
  {
    name: 'takes no word for syntax',
    run: async ({ store }) => {
      const one = record({ value: 'plain words' });
      await put(store, one);
      for (const word of HOSTILE) assert.deepEqual(await found(store, [word, 'plain']), [one.id], word);
    },
  },
  {
    name: 'filters by time, knowledge, expiry and archive before the limit',
    run: async ({ store }) => {
      const live = record({ value: 'harbour crane with many other words around it so that it ranks last' });
      const gone = [
        record({ value: 'harbour crane', validTo: after(10) }),
        record({ value: 'harbour crane', validFrom: after(500) }),
        record({ value: 'harbour crane', expiresAt: after(100) }),
        record({ value: 'harbour crane', recordedAt: after(101) }),
        record({ value: 'harbour crane', archived: true }),
      ];
      const closed = record({ value: 'harbour crane' });
      await put(store, ...gone, closed, { type: 'close', id: closed.id, at: after(50) }, live);
      assert.deepEqual(await found(store, ['harbour', 'crane'], { limit: 1 }), [live.id]);
      assert.ok((await found(store, ['crane'], { knownAt: after(20), validAt: after(20) })).includes(closed.id));
    },
  },
  {
    name: 'gives readable prefixes only, letter by letter, before the limit',
    run: async ({ store }) => {
      const rows = [
        record({ key: 'memory/a_b/x', value: 'crane' }),
        record({ key: 'memory/aXb/x', value: 'crane' }),
        record({ key: 'Memory/a_b/x', value: 'crane' }),
      ];
      await put(store, ...rows);
      assert.deepEqual(await found(store, ['crane'], { readable: ['memory/a_b/'], limit: 1 }), [rows[0]?.id]);
      assert.deepEqual(await found(store, ['crane'], { readable: [] }), []);
    },
  },
  {
    name: 'finds by entity whatever its case, and by vector',
    run: async ({ store }) => {
      const tagged = record({ entities: ['Orders.sql'] });
      const near = record();
      const far = record();
      await put(
        store,
        tagged,
        { type: 'put', record: near, vector: Float32Array.of(1, 0.1) },
        { type: 'put', record: far, vector: Float32Array.of(-1, 0) },
      );
      assert.deepEqual(await found(store, [], { entities: ['ORDERS.SQL'] }), [tagged.id]);
      const query = {
        words: [],
        vector: Float32Array.of(1, 0),
        readable: [''],
        validAt: after(1),
        knownAt: after(1),
        limit: 5,
      };
      const hits = await all(store.search(query));
      assert.deepEqual(
        hits.map((hit) => hit.record.id),
        [near.id],
      );
      assert.ok(Math.abs((hits[0]?.cosine ?? 0) - 0.995) < 0.001);
    },
  },
  {
    name: 'lends words to the next records of the same session, agent and subject only',
    run: async ({ store }) => {
      const said = { session: 's', agent: 'a', subject: 'kim' };
      const first = record({ ...said, value: 'walrus' });
      const others = [
        record({ ...said, agent: 'b' }),
        record({ ...said, subject: 'lee' }),
        record({ ...said, session: 't' }),
        record(),
      ];
      const second = record({ ...said, value: 'answer' });
      await put(store, first, ...others, second);
      assert.deepEqual(await found(store, ['walrus']), [first.id, second.id]);
      const hits = await all(
        store.search({ words: ['walrus'], readable: [''], validAt: after(1), knownAt: after(1), limit: 9 }),
      );
      assert.ok((hits[0]?.own ?? 0) > 0);
      assert.deepEqual([hits[1]?.own, (hits[1]?.context ?? 0) > 0], [0, true]);
      await checkLenders(store, second.id, [first]);
      await put(store, { type: 'archive', id: first.id, at: after(1) });
      assert.deepEqual(await found(store, ['walrus']), []);
      await checkLenders(store, second.id, []);
      await put(store, { type: 'restore', id: first.id, at: after(2) });
      assert.deepEqual(await found(store, ['walrus']), [first.id, second.id]);
      assert.deepEqual(await store.check(), []);
    },
  },
  {
    name: 'erases a subject, what was made from it and its words at neighbours, and nothing else',
    run: async ({ store }) => {
      const shared = { session: 's', agent: 'a', subject: 'kim' };
      const kim = record({ ...shared, key: 'memory/k', value: 'walrus' });
      const summary = record({ value: 'about a walrus', sources: [kim.id] });
      const summaryOfSummary = record({ value: 'in short walrus', sources: [summary.id] });
      const lee = record({ key: 'memory/k', subject: 'lee', value: 'otter' });
      const nobody = record({ value: 'otter too' });
      await put(store, kim, summary, summaryOfSummary, lee, nobody, {
        type: 'put-conflict',
        conflict: conflict('c', kim, lee),
      });
      await put(store, { type: 'retrieved', ids: [kim.id, lee.id], session: 'r', at: after(1) });
      const before = await store.records([lee.id, nobody.id]);
      await put(store, { type: 'erase', subject: 'kim' });
      assert.deepEqual(
        (await all(store.scan())).map(({ id }) => id),
        [lee.id, nobody.id],
      );
      assert.deepEqual(
        await store.records([lee.id, nobody.id]),
        before.map((one) => ({ ...one, conflicts: [] })),
      );
      assert.deepEqual(await found(store, ['walrus']), []);
      assert.deepEqual(await store.handedOut('r'), [lee.id]);
      assert.deepEqual(await all(store.conflicts()), []);
      assert.deepEqual(
        (await rowsOf(store, 'memory/k')).map(({ id }) => id),
        [lee.id],
      );
      assert.deepEqual(await store.check(), []);
    },
  },
  {
    name: 'refuses to erase nobody',
    run: async ({ store }) => {
      const one = record();
      await put(store, one);
      await assert.rejects(put(store, { type: 'erase', subject: '' }), (error: unknown) => {
        assert.equal((error as { code?: unknown }).code, 'MEMORY_SUBJECT_EMPTY');
        return true;
      });
      await put(store, { type: 'erase', subject: 'stranger' });
      assert.deepEqual(await store.records([one.id]), [one]);
    },
  },
];

/** Whose words a record's context holds, in a store that can say. */
async function checkLenders(store: MemoryStore, id: string, expected: readonly MemoryRecord[]): Promise<void> {
  if (store.lenders === undefined) return;
  const lenders = (await store.lenders([id])).get(id) ?? [];
  const whose = (one: Pick<MemoryRecord, 'id' | 'key' | 'agent' | 'origin'>) => [
    one.id,
    one.key,
    one.agent,
    one.origin,
  ];
  assert.deepEqual(lenders.map(whose), expected.map(whose));
}
