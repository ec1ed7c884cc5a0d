import assert from 'node:assert/strict';
import type { Recorded } from '@warrant/core';
import {
  collect,
  entry,
  expectAppended,
  expectChain,
  expectCode,
  type JournalCase,
  settledLog,
  take,
} from './journal-harness.ts';

const positions = (entries: readonly Recorded[]): number[] => entries.map((one) => one.position);
const digests = (entries: readonly Recorded[]): string[] => entries.map((one) => one.digest);

export const readCases: readonly JournalCase[] = [
  {
    name: 'reads stretches in both directions',
    run: async ({ journal }) => {
      await journal.append(
        's',
        Array.from({ length: 300 }, (_, index) => entry(index)),
        { expected: 'none' },
      );
      const read = async (options: Parameters<typeof journal.read>[1]): Promise<number[]> =>
        positions(await collect(journal.read('s', options)));
      assert.deepEqual(await read({ from: 298 }), [298, 299, 300]);
      assert.deepEqual(await read({ to: 2 }), [1, 2]);
      assert.deepEqual(await read({ from: 5, to: 9, limit: 2 }), [5, 6]);
      assert.deepEqual(await read({ from: 5, to: 7, direction: 'backward' }), [7, 6, 5]);
      assert.deepEqual(await read({ limit: 2, direction: 'backward' }), [300, 299]);
      assert.deepEqual(await read({ from: 301 }), []);
      assert.deepEqual(await read({ from: 7, to: 6 }), []);
      assert.deepEqual(await read({ limit: 0 }), []);
      assert.equal((await read({ direction: 'backward' })).length, 300);
      assert.deepEqual(await collect(journal.read('absent')), []);
      assert.equal(await journal.head('absent'), undefined);
    },
  },
  {
    name: 'reads the whole log in an order that keeps that of each stream, and goes on from any cursor',
    run: async ({ journal }) => {
      for (let round = 0; round < 20; round += 1) {
        await journal.append(`s${round % 3}`, [entry(round), entry(round)], { expected: 'any' });
      }
      const all = await settledLog(journal, 40);
      assert.equal(all.length, 40);
      for (const stream of ['s0', 's1', 's2']) {
        assert.deepEqual(
          digests(all.filter((one) => one.stream === stream)),
          digests(await collect(journal.read(stream))),
        );
      }
      for (const index of [0, 7, 38, 39]) {
        const after = (all[index] as Recorded).cursor;
        assert.deepEqual(digests(await collect(journal.readAll({ after }))), digests(all.slice(index + 1)));
      }
      assert.equal(new Set(all.map((one) => one.cursor)).size, 40);
    },
  },
  {
    name: 'refuses a cursor that no journal gave',
    run: async ({ journal }) => {
      await journal.append('s', [entry(1)], { expected: 'any' });
      await expectCode(() => collect(journal.readAll({ after: "1' or 1=1" })), 'JOURNAL_INVALID_CURSOR');
    },
  },
  {
    name: 'pages the names of streams',
    run: async ({ journal }) => {
      const names = Array.from({ length: 25 }, (_, index) => `stream ${index}`);
      for (const name of names) await journal.append(name, [entry(1)], { expected: 'none' });
      const found: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await journal.streams(after === undefined ? { limit: 10 } : { after, limit: 10 });
        if (page.length === 0) break;
        assert.ok(page.length <= 10);
        found.push(...page);
        after = page.at(-1);
      }
      assert.deepEqual([...found].sort(), [...names].sort());
    },
  },
  {
    name: 'subscribes to what is there and to what comes, each once, and resumes from a cursor',
    run: async ({ journal }) => {
      await journal.append('s', [entry(1), entry(2)], { expected: 'none' });
      const live = take(journal.subscribe({}), 5);
      const one = take(journal.subscribe({ stream: 's' }), 4);
      await journal.append('t', [entry(3)], { expected: 'none' });
      await journal.append('s', [entry(4)], { expected: 2 });
      await journal.append('s', [entry(5)], { expected: 3 });
      const all = await live;
      assert.deepEqual(
        all.map((recorded) => recorded.data),
        [1, 2, 3, 4, 5],
      );
      assert.deepEqual(
        (await one).map((recorded) => recorded.data),
        [1, 2, 4, 5],
      );
      const after = (all[1] as Recorded).cursor;
      const resumed = await take(journal.subscribe({ after }), 3);
      assert.deepEqual(digests(resumed), digests(all.slice(2)));
      assert.deepEqual(digests(await take(journal.subscribe({ stream: 's', after }), 2)), digests(all.slice(3)));
    },
  },
  {
    name: 'subscribes to a stream that is not there yet',
    run: async ({ journal }) => {
      const waiting = take(journal.subscribe({ stream: 'later' }), 1);
      await journal.append('other', [entry(0)], { expected: 'none' });
      await journal.append('later', [entry(1)], { expected: 'none' });
      assert.equal((await waiting)[0]?.data, 1);
    },
  },
  {
    name: 'ends a subscription that is aborted',
    run: async ({ journal }) => {
      const controller = new AbortController();
      const waiting = collect(journal.subscribe({ signal: controller.signal }));
      setTimeout(() => controller.abort(), 20);
      await assert.rejects(waiting, { name: 'AbortError' });
      const aborted = AbortSignal.abort();
      await assert.rejects(journal.append('s', [entry(1)], { expected: 'any', signal: aborted }), {
        name: 'AbortError',
      });
      await assert.rejects(collect(journal.read('s', { signal: aborted })), { name: 'AbortError' });
      assert.equal(await journal.head('s'), undefined);
    },
  },
  {
    name: 'forks a stream, and keeps both branches apart',
    run: async (harness) => {
      let { journal } = harness;
      await journal.append('a', [entry(1), entry(2), entry(3), entry(4), entry(5)], { expected: 'none' });
      assert.deepEqual(await journal.fork('a', 3, 'b'), { type: 'forked' });
      assert.equal((await journal.head('b'))?.position, 3);
      assert.deepEqual(await journal.append('b', [entry('x')], { expected: 'none' }), { type: 'conflict', actual: 3 });
      expectAppended(await journal.append('b', [entry('b4'), entry('b5')], { expected: 3 }));
      expectAppended(await journal.append('a', [entry('a6'), entry('a7')], { expected: 5 }));
      assert.deepEqual(await journal.fork('b', 4, 'c'), { type: 'forked' });
      assert.deepEqual(await journal.fork('b', 2, 'd'), { type: 'forked' });
      expectAppended(await journal.append('c', [entry('c5')], { expected: 4 }));
      expectAppended(await journal.append('d', [entry('d3')], { expected: 2 }));
      const expected = {
        a: [1, 2, 3, 4, 5, 'a6', 'a7'],
        b: [1, 2, 3, 'b4', 'b5'],
        c: [1, 2, 3, 'b4', 'c5'],
        d: [1, 2, 'd3'],
      };
      const live: Recorded[][] = [];
      for (const [stream, data] of Object.entries(expected)) {
        const all = await collect(journal.read(stream));
        expectChain(all);
        assert.deepEqual(
          all.map((one) => one.data),
          data,
        );
        live.push(all);
      }
      assert.deepEqual(positions(await collect(journal.read('c', { direction: 'backward' }))), [5, 4, 3, 2, 1]);
      assert.deepEqual(positions(await collect(journal.read('c', { from: 3, to: 4 }))), [3, 4]);
      if (harness.reopen === undefined) return;
      journal = await harness.reopen();
      for (const all of live) {
        const { stream } = all.at(-1) as Recorded;
        assert.deepEqual(digests(await collect(journal.read(stream))), digests(all));
      }
    },
  },
  {
    name: 'answers forks that cannot be',
    run: async ({ journal }) => {
      await journal.append('a', [entry(1), entry(2)], { expected: 'none' });
      assert.deepEqual(await journal.fork('a', 3, 'b'), { type: 'no-such-position', head: 2 });
      assert.deepEqual(await journal.fork('a', 0, 'b'), { type: 'no-such-position', head: 2 });
      assert.deepEqual(await journal.fork('absent', 1, 'b'), { type: 'no-such-position', head: 0 });
      assert.deepEqual(await journal.fork('a', 1, 'a'), { type: 'exists' });
      assert.deepEqual(await journal.fork('a', 1, 'b'), { type: 'forked' });
      assert.deepEqual(await journal.fork('a', 1, 'b'), { type: 'exists' });
      assert.deepEqual(await journal.streams(), ['a', 'b']);
    },
  },
  {
    name: 'knows inherited entries in a fork, but not those of its parent after the fork',
    run: async ({ journal }) => {
      const [one, two] = [entry(1), entry(2)];
      await journal.append('a', [one, two], { expected: 'none' });
      await journal.fork('a', 1, 'b');
      assert.deepEqual(await journal.append('b', [one], { expected: 'none' }), { type: 'duplicate', positions: [1] });
      const again = expectAppended(await journal.append('b', [{ ...two, data: 'other' }], { expected: 1 }));
      assert.equal(again.first, 2);
      expectChain(await collect(journal.read('b')));
    },
  },
  {
    name: 'gives a subscriber of a fork what it inherited, then its own',
    run: async ({ journal }) => {
      await journal.append('a', [entry(1), entry(2)], { expected: 'none' });
      await journal.fork('a', 2, 'b');
      const live = take(journal.subscribe({ stream: 'b' }), 3);
      await journal.append('a', [entry('a3')], { expected: 2 });
      await journal.append('b', [entry('b3')], { expected: 2 });
      assert.deepEqual(
        (await live).map((one) => one.data),
        [1, 2, 'b3'],
      );
    },
  },
];
