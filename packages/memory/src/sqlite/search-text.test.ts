import { openSqlite, type SqliteDb } from '@warrant/core/sqlite';
import { expect, test } from 'vitest';
import { createMemory } from '../memory.ts';
import { bestByText } from './search-text.ts';
import { createSqliteMemoryStore } from './store.ts';

/** Numbers from 0 to 1, always the same. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words of which few are in nearly every text and most in nearly none. */
function createTexts(seed: number): (count: number) => string {
  const next = createNumbers(seed);
  return (count) => Array.from({ length: count }, () => `w${Math.floor(900 ** next()).toString(36)}`).join(' ');
}

async function filled(count: number) {
  const file = openSqlite(':memory:');
  const agent = createMemory({ store: createSqliteMemoryStore(file) }).agent('a');
  const texts = createTexts(7);
  await agent.writeMany(
    Array.from({ length: count }, (_, at) => ({ key: `memory/k${at}`, value: texts(3 + (at % 30)) })),
  );
  return { file, agent };
}

/** What is wrong with the best rows, held against all rows that match. */
function faultsOf(db: SqliteDb, words: readonly string[], look: number): readonly string[] {
  const all = db.arrays<[number, number, number]>(
    `SELECT rowid, -bm25(memory_text), -bm25(memory_text, 1.0, 0.0) FROM memory_text WHERE memory_text MATCH ?`,
    words.map((word) => `"${word}"`).join(' OR '),
  );
  const ranks = new Map(all.map(([seq, context, own]) => [seq, { context, own }]));
  const wanted = all.map(([, context]) => context).sort((a, b) => b - a);
  const best = bestByText(db, words, look);
  const isNear = (a: number, b = Number.NaN): boolean => Math.abs(a - b) < 1e-9;
  const wrong = best.filter(({ seq, context, own }, place) => {
    const rank = ranks.get(seq);
    return !isNear(context, wanted[place]) || !isNear(context, rank?.context) || !isNear(own, rank?.own);
  });
  return [
    ...(best.length === Math.min(look, all.length) ? [] : [`${best.length} of ${all.length} rows`]),
    ...(new Set(best.map(({ seq }) => seq)).size === best.length ? [] : ['a row comes twice']),
    ...wrong.map(({ seq }) => `row ${seq} is out of place`),
  ];
}

test('leaving common words for later gives the ranks of one query over all words', async () => {
  const { file } = await filled(1500);
  const texts = createTexts(11);
  const looks = [3, 20, 90, 400, 3000];
  file.read((db) => {
    for (let at = 0; at < 120; at += 1) {
      const words = [...new Set(texts(1 + (at % 9)).split(' '))];
      expect(faultsOf(db, words, looks[at % looks.length] as number)).toEqual([]);
    }
  });
});

test('short texts of a common word go before long ones that hold a rare one somewhere', async () => {
  const { file, agent } = await filled(900);
  const texts = createTexts(13);
  const write = (name: string, count: number, text: () => string): Promise<unknown> =>
    agent.writeMany(Array.from({ length: count }, (_, at) => ({ key: `memory/${name}/k${at}`, value: text() })));
  await write('long', 60, () => `scarce ${texts(300)}`);
  await write('short', 400, () => 'usual usual usual');
  file.read((db) => expect(faultsOf(db, ['scarce', 'usual'], 50)).toEqual([]));
});

test('a row says whether its key has others', async () => {
  const { file, agent } = await filled(3);
  await agent.write({ key: 'memory/twice', value: 'lighthouse one' });
  await agent.write({ key: 'memory/twice', value: 'lighthouse two' });
  await agent.write({ key: 'memory/once', value: 'lighthouse' });
  const later = '9000-01-01T00:00:00.000Z';
  const found: (readonly [string, boolean | undefined])[] = [];
  const query = { words: ['lighthouse'], readable: [''], validAt: later, knownAt: later, limit: 10 };
  for await (const { record, alone } of createSqliteMemoryStore(file).search(query)) found.push([record.key, alone]);
  expect(new Map(found)).toEqual(
    new Map([
      ['memory/twice', false],
      ['memory/once', true],
    ]),
  );
});
