import assert from 'node:assert/strict';
import type { Appended, Entry, Journal, Recorded } from '@warrant/core';
import { collect, entry, expectAppended, expectChain, type JournalCase, settledLog, take } from './journal-harness.ts';

async function handles(harness: Parameters<JournalCase['run']>[0]): Promise<readonly Journal[]> {
  return harness.another === undefined ? [harness.journal] : [harness.journal, await harness.another()];
}

function countOf(results: readonly Appended[], type: Appended['type']): number {
  return results.filter((result) => result.type === type).length;
}

async function race(
  journals: readonly Journal[],
  entries: readonly Entry[],
  expected: 'any' | number,
): Promise<readonly Appended[]> {
  return Promise.all(
    entries.map((one, index) => (journals[index % journals.length] as Journal).append('s', [one], { expected })),
  );
}

export const raceCases: readonly JournalCase[] = [
  {
    name: 'stores each of many entries that race without expectation',
    run: async (harness) => {
      const journals = await handles(harness);
      const entries = Array.from({ length: 20 }, (_, index) => entry(index));
      const results = await race(journals, entries, 'any');
      assert.equal(countOf(results, 'appended'), 20);
      const all = await collect(harness.journal.read('s'));
      expectChain(all);
      assert.deepEqual(all.map((one) => one.id).sort(), entries.map((one) => one.id).sort());
      results.forEach((result, index) => {
        assert.equal(all[expectAppended(result).first - 1]?.id, entries[index]?.id);
      });
    },
  },
  {
    name: 'lets exactly one of many writers with the same expectation through, and tells the others the head',
    run: async (harness) => {
      const journals = await handles(harness);
      const first = Array.from({ length: 5 }, (_, index) => entry(index));
      await harness.journal.append('s', first, { expected: 'none' });
      const entries = Array.from({ length: 20 }, (_, index) => entry(index));
      const results = await race(journals, entries, 5);
      assert.equal(countOf(results, 'appended'), 1);
      assert.equal(countOf(results, 'conflict'), 19);
      for (const result of results) assert.ok(result.type !== 'conflict' || result.actual === 6);
      expectChain(await collect(harness.journal.read('s')));
      assert.equal((await harness.journal.head('s'))?.position, 6);
    },
  },
  {
    name: 'stores an entry that many deliver at once exactly once',
    run: async (harness) => {
      const journals = await handles(harness);
      const one = entry('same');
      const results = await race(journals, Array<Entry>(20).fill(one), 'any');
      assert.equal(countOf(results, 'appended'), 1);
      assert.equal(countOf(results, 'duplicate'), 19);
      assert.equal((await collect(harness.journal.read('s'))).length, 1);
    },
  },
  {
    name: 'counts up by expected positions without a lost update',
    run: async (harness) => {
      const journals = await handles(harness);
      let conflicts = 0;
      const writer = async (journal: Journal): Promise<void> => {
        for (let done = 0; done < 10; ) {
          const head = (await journal.head('s'))?.position ?? 0;
          const result = await journal.append('s', [entry(head + 1)], { expected: head });
          if (result.type === 'appended') done += 1;
          else conflicts += 1;
        }
      };
      await Promise.all([...journals, ...journals].map(writer));
      const all = await collect(harness.journal.read('s'));
      expectChain(all);
      assert.equal(all.length, journals.length * 20);
      assert.ok(all.every((one) => one.data === one.position));
      assert.ok(conflicts >= 0);
    },
  },
  {
    name: 'lets a subscriber see every entry of racing writers once',
    run: async (harness) => {
      const journals = await handles(harness);
      const live = take(harness.journal.subscribe({}), 60);
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          (journals[index % journals.length] as Journal).append(`s${index % 5}`, [entry(index)], { expected: 'any' }),
        ),
      );
      const seen = await live;
      assert.equal(new Set(seen.map((one) => `${one.stream}/${one.position}`)).size, 60);
      const settled = await settledLog(harness.journal, 60);
      assert.deepEqual(
        seen.map((one: Recorded) => one.digest),
        settled.map((one) => one.digest),
      );
    },
  },
  {
    name: 'knows after a restart what it knew before',
    run: async (harness) => {
      const [one, two] = [entry({ n: 1 }), entry({ n: 2 })];
      await harness.journal.append('s', [one, two], { expected: 'none' });
      const before = await collect(harness.journal.read('s'));
      if (harness.reopen === undefined) return;
      const journal = await harness.reopen();
      assert.deepEqual(await collect(journal.read('s')), before);
      assert.deepEqual(await journal.append('s', [two, one], { expected: 'none' }), {
        type: 'duplicate',
        positions: [2, 1],
      });
      expectAppended(await journal.append('s', [entry(3)], { expected: 2 }));
      expectChain(await collect(journal.read('s')));
    },
  },
  {
    name: 'gives a reader that began before an append a true prefix',
    run: async ({ journal }) => {
      await journal.append(
        's',
        Array.from({ length: 200 }, (_, index) => entry(index)),
        { expected: 'none' },
      );
      const seen: Recorded[] = [];
      for await (const one of journal.read('s')) {
        if (seen.length % 50 === 0) await journal.append('s', [entry('more')], { expected: 'any' });
        seen.push(one);
      }
      expectChain(seen);
      assert.ok(seen.length >= 200);
    },
  },
];
