import { type JournalHarness, journalCases, runJournalCase, runJournalModel } from '@warrant/conformance';
import type { Appended, Entry, Journal, Json, Recorded } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { createMemoryJournal } from './journal.ts';

/** A journal that is like a good one but for what is given. */
function brokenHarness(broken: (good: Journal) => Partial<Journal>, onReopen?: (good: Journal) => Partial<Journal>) {
  return async (): Promise<JournalHarness> => {
    const good = createMemoryJournal();
    const bind = (parts: Partial<Journal>): Journal => {
      const whole: Journal = {
        append: (...a) => good.append(...a),
        read: (...a) => good.read(...a),
        readAll: (...a) => good.readAll(...a),
        subscribe: (...a) => good.subscribe(...a),
        streams: (...a) => good.streams(...a),
        head: (...a) => good.head(...a),
        fork: (...a) => good.fork(...a),
        close: () => good.close(),
      };
      return { ...whole, ...parts };
    };
    return {
      journal: bind(broken(good)),
      reopen: async () => bind((onReopen ?? broken)(good)),
      dispose: () => good.close(),
    };
  };
}

async function* mapped(entries: AsyncIterable<Recorded>, map: (entry: Recorded) => Recorded): AsyncIterable<Recorded> {
  for await (const entry of entries) yield map(entry);
}

async function* swapped(entries: AsyncIterable<Recorded>): AsyncIterable<Recorded> {
  let held: Recorded | undefined;
  for await (const entry of entries) {
    if (entry.position === 2) held = entry;
    else yield entry;
    if (entry.position === 3 && held !== undefined) yield held;
  }
}

function withoutNulls(data: Json): Json {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

const any = { expected: 'any' } as const;
const faults: { readonly [name: string]: () => Promise<JournalHarness> } = {
  'lost update': brokenHarness((good) => ({ append: (stream, entries) => good.append(stream, entries, any) })),
  'success told to losers': brokenHarness((good) => ({
    append: async (stream, entries, options): Promise<Appended> => {
      const result = await good.append(stream, entries, options);
      if (result.type !== 'conflict') return result;
      const head = await good.head(stream);
      return {
        type: 'appended',
        first: result.actual,
        last: result.actual,
        cursor: '1',
        digest: head?.digest ?? 'sha256:',
        skipped: [],
      };
    },
  })),
  'dropped null': brokenHarness((good) => ({
    append: (stream, entries, options) =>
      good.append(
        stream,
        entries.map((entry) => ({ ...entry, data: withoutNulls(entry.data) })),
        options,
      ),
  })),
  gap: brokenHarness((good) => ({
    read: (stream, options) =>
      mapped(good.read(stream, options), (entry) =>
        entry.position < 3 ? entry : { ...entry, position: entry.position + 1 },
      ),
  })),
  reordering: brokenHarness((good) => ({ read: (stream, options) => swapped(good.read(stream, options)) })),
  'partial batch': brokenHarness((good) => ({
    append: async (stream, entries, options) => {
      try {
        return await good.append(stream, entries, options);
      } catch (error) {
        await good.append(stream, entries.slice(0, 1), any).catch(() => undefined);
        throw error;
      }
    },
  })),
  'duplicate after restart': brokenHarness(
    () => ({}),
    (good) => ({
      append: (stream, entries, options) => {
        const fresh = entries.map((entry): Entry => ({ ...entry, id: `again ${entry.id}` }));
        return good.append(stream, fresh, { ...options, expected: 'any' });
      },
    }),
  ),
  'time taken for content': brokenHarness((good) => ({
    append: async (stream, entries, options) => {
      const result = await good.append(stream, entries, options);
      return result.type === 'duplicate'
        ? { type: 'conflict', actual: (await good.head(stream))?.position ?? 0 }
        : result;
    },
  })),
  'a cursor that skips': brokenHarness((good) => ({
    readAll: (options) =>
      good.readAll(options?.after === undefined ? options : { after: String(Number(options.after) + 1) }),
  })),
  'branches that leak': brokenHarness((good) => ({
    append: (stream, entries, options) =>
      good.append(stream === 'b' ? 'a' : stream, entries, { ...options, expected: 'any' }),
  })),
};

async function failures(open: () => Promise<JournalHarness>): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const one of journalCases) await runJournalCase(one, open).catch(() => failed.push(one.name));
  await runJournalModel(open, { runs: 60 }).catch(() => failed.push('model'));
  return failed;
}

describe('the kit', () => {
  test('passes a good journal', async () => {
    expect(await failures(brokenHarness(() => ({})))).toEqual([]);
  });
  for (const [name, open] of Object.entries(faults)) {
    test(`fails a journal with the fault: ${name}`, async () => {
      expect((await failures(open)).length).toBeGreaterThan(0);
    });
  }
  test('finds by its model alone what a random walk can find', async () => {
    for (const name of ['lost update', 'partial batch', 'duplicate after restart', 'gap'] as const) {
      await expect(
        runJournalModel(faults[name] as () => Promise<JournalHarness>, { runs: 60 }),
        name,
      ).rejects.toThrow();
    }
  });
});
