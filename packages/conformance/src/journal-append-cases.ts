import assert from 'node:assert/strict';
import type { Json } from '@warrant/core';
import {
  collect,
  entry,
  expectAppended,
  expectChain,
  expectCode,
  givenOf,
  type JournalCase,
} from './journal-harness.ts';

const deep = (levels: number): Json => {
  let value: Json = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

/** What the types of the caller's language let through, and what JSON text can hold. */
const VALUES: readonly Json[] = [
  null,
  false,
  0,
  '',
  [],
  {},
  [null],
  { a: null },
  1e308,
  5e-324,
  -1.5,
  2 ** 53 - 1,
  JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Json,
  'line\nbreak \u0000 \u2028 "quoted" \\ end',
  '😀 ﬁ İ ß',
  deep(500),
];
const NAMES = [
  "o'brien",
  'a"b',
  'NUL\u0000in',
  '\u001a',
  ' spaces ',
  '%_*',
  'Straße/😀',
  '../up',
  '__proto__',
  '日本語',
];

export const appendCases: readonly JournalCase[] = [
  {
    name: 'numbers entries 1, 2, 3 and chains their digests',
    run: async ({ journal }) => {
      const first = expectAppended(await journal.append('s', [entry(1), entry({ b: 2, a: 1 })], { expected: 'none' }));
      const second = expectAppended(await journal.append('s', [entry(3)], { expected: 2 }));
      assert.deepEqual([first.first, first.last, second.first, second.last], [1, 2, 3, 3]);
      const all = await collect(journal.read('s'));
      expectChain(all);
      assert.equal(second.digest, all[2]?.digest);
      assert.equal(second.cursor, all[2]?.cursor);
      assert.deepEqual(await journal.head('s'), { position: 3, cursor: second.cursor, digest: second.digest });
    },
  },
  {
    name: 'keeps every member that the caller gave',
    run: async ({ journal }) => {
      const given = entry(
        { x: [1, 'two'] },
        { causationId: 'c-1', correlationId: 'c-2', agentId: 'a-1', subject: 'person-1', schemaVersion: 7 },
      );
      await journal.append('s', [given], { expected: 'any' });
      const [read] = await collect(journal.read('s'));
      assert.ok(read);
      assert.deepEqual(givenOf(read), given);
      assert.match(read.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
  },
  {
    name: 'gives every JSON value back as it was',
    run: async ({ journal }) => {
      await journal.append(
        's',
        VALUES.map((value) => entry(value)),
        { expected: 'none' },
      );
      const all = await collect(journal.read('s'));
      expectChain(all);
      assert.deepEqual(
        all.map((one) => JSON.stringify(one.data)),
        VALUES.map((value) => JSON.stringify(value)),
      );
    },
  },
  {
    name: 'stores -0 as 0',
    run: async ({ journal }) => {
      await journal.append('s', [entry([-0])], { expected: 'none' });
      const [read] = await collect(journal.read('s'));
      assert.ok(Array.isArray(read?.data) && Object.is(read.data[0], 0));
    },
  },
  {
    name: 'takes any Unicode as stream name, type, id and subject',
    run: async ({ journal }) => {
      for (const name of NAMES) {
        const given = entry(name, {
          id: name,
          type: name,
          subject: name,
          agentId: name,
          causationId: name,
          correlationId: name,
        });
        expectAppended(await journal.append(name, [given], { expected: 'none' }));
        assert.deepEqual((await collect(journal.read(name))).map(givenOf), [given]);
        assert.deepEqual(await journal.append(name, [given], { expected: 0 }), { type: 'duplicate', positions: [1] });
      }
      assert.deepEqual([...(await journal.streams())].sort(), [...NAMES].sort());
    },
  },
  {
    name: 'refuses what JSON or UTF-8 cannot hold, and stores nothing of the batch',
    run: async ({ journal }) => {
      const bad = [
        entry('\ud800'),
        entry({ '\udfff': 1 }),
        entry(deep(10_000)),
        entry(Number.NaN),
        entry(undefined as never),
      ];
      for (const one of bad) {
        await assert.rejects(journal.append('s', [entry(1), one], { expected: 'any' }), { name: 'WarrantError' });
      }
      await assert.rejects(journal.append('s\ud800', [entry(1)], { expected: 'any' }), { name: 'WarrantError' });
      await assert.rejects(journal.append('', [entry(1)], { expected: 'any' }), { name: 'WarrantError' });
      await assert.rejects(journal.append('s', [], { expected: 'any' }), { name: 'WarrantError' });
      await assert.rejects(journal.append('s', [entry(1, { schemaVersion: 0.5 })], { expected: 'any' }), {
        name: 'WarrantError',
      });
      assert.equal(await journal.head('s'), undefined);
    },
  },
  {
    name: 'refuses an entry beyond the limit with a code, and stores nothing of the batch',
    run: async ({ journal }) => {
      const large = entry('x'.repeat(2 * 1024 * 1024));
      await expectCode(() => journal.append('s', [entry(1), large], { expected: 'any' }), 'JOURNAL_ENTRY_TOO_LARGE');
      assert.equal(await journal.head('s'), undefined);
    },
  },
  {
    name: 'answers another head than expected with a conflict, and stores nothing',
    run: async ({ journal }) => {
      assert.deepEqual(await journal.append('s', [entry(1)], { expected: 1 }), { type: 'conflict', actual: 0 });
      await journal.append('s', [entry(1), entry(2)], { expected: 0 });
      assert.deepEqual(await journal.append('s', [entry(3)], { expected: 'none' }), { type: 'conflict', actual: 2 });
      assert.deepEqual(await journal.append('s', [entry(3), entry(4)], { expected: 1 }), {
        type: 'conflict',
        actual: 2,
      });
      assert.deepEqual(await journal.append('s', [entry(3)], { expected: 3 }), { type: 'conflict', actual: 2 });
      assert.equal((await collect(journal.read('s'))).length, 2);
    },
  },
  {
    name: 'knows a redelivery whatever is expected now',
    run: async ({ journal }) => {
      const [a, b] = [entry(1), entry(2)];
      await journal.append('s', [a, b], { expected: 'none' });
      for (const expected of ['any', 'none', 0, 1, 2, 99] as const) {
        assert.deepEqual(await journal.append('s', [a, b], { expected }), { type: 'duplicate', positions: [1, 2] });
      }
      assert.deepEqual(await journal.append('s', [b], { expected: 'none' }), { type: 'duplicate', positions: [2] });
      assert.equal((await journal.head('s'))?.position, 2);
    },
  },
  {
    name: 'skips known entries of a batch and appends the rest',
    run: async ({ journal }) => {
      const [a, b, c, d] = [entry(1), entry(2), entry(3), entry(4)];
      await journal.append('s', [a, b], { expected: 'none' });
      assert.deepEqual(await journal.append('s', [b, c], { expected: 1 }), { type: 'conflict', actual: 2 });
      const result = expectAppended(await journal.append('s', [c, b, d], { expected: 2 }));
      assert.deepEqual([result.first, result.last, result.skipped], [3, 4, [{ id: b.id, position: 2 }]]);
      const all = await collect(journal.read('s'));
      expectChain(all);
      assert.deepEqual(all.map(givenOf), [a, b, c, d]);
    },
  },
  {
    name: 'stores an entry that a batch holds twice once, and says so',
    run: async ({ journal }) => {
      const one = entry({ n: 1 });
      const result = expectAppended(await journal.append('s', [one, one], { expected: 'none' }));
      assert.deepEqual([result.first, result.last, result.skipped], [1, 1, [{ id: one.id, position: 1 }]]);
      assert.deepEqual(await journal.append('s', [one, one], { expected: 'none' }), {
        type: 'duplicate',
        positions: [1, 1],
      });
      const other = { ...one, data: { n: 2 } };
      await expectCode(() => journal.append('s', [one, other], { expected: 'any' }), 'JOURNAL_ID_REUSED');
      await expectCode(() => journal.append('t', [one, other], { expected: 'any' }), 'JOURNAL_ID_REUSED');
      assert.equal((await journal.head('s'))?.position, 1);
      assert.equal(await journal.head('t'), undefined);
    },
  },
  {
    name: 'refuses a known id with other content, whichever member differs, and stores nothing',
    run: async ({ journal }) => {
      const one = entry({ n: 1 }, { agentId: 'a' });
      await journal.append('s', [one], { expected: 'none' });
      const others = [
        { ...one, data: { n: 2 } },
        { ...one, type: 'other' },
        { ...one, schemaVersion: 2 },
        { ...one, agentId: 'b' },
        { ...one, causationId: 'c' },
        { ...one, correlationId: 'c' },
        { ...one, subject: 's' },
      ];
      for (const other of others) {
        await expectCode(() => journal.append('s', [entry(0), other], { expected: 'any' }), 'JOURNAL_ID_REUSED');
      }
      assert.equal((await journal.head('s'))?.position, 1);
    },
  },
  {
    name: 'keeps ids of different streams apart',
    run: async ({ journal }) => {
      const one = entry(1);
      expectAppended(await journal.append('s', [one], { expected: 'none' }));
      expectAppended(await journal.append('t', [{ ...one, data: 2 }], { expected: 'none' }));
      assert.equal((await collect(journal.read('t')))[0]?.data, 2);
    },
  },
  {
    name: 'appends a batch of a thousand as one',
    run: async ({ journal }) => {
      const batch = Array.from({ length: 1000 }, (_, index) => entry({ index }));
      expectAppended(await journal.append('s', batch, { expected: 'none' }));
      const all = await collect(journal.read('s'));
      expectChain(all);
      assert.equal(all.length, 1000);
      const reused = { ...(batch[500] as (typeof batch)[number]), data: 'other' };
      await expectCode(() => journal.append('s', [entry(0), reused], { expected: 'any' }), 'JOURNAL_ID_REUSED');
      assert.equal((await journal.head('s'))?.position, 1000);
    },
  },
];
