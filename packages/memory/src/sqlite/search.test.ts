import type { MemoryRecord, MemoryStore } from '@warrant/core';
import { openSqlite, type SqliteDb } from '@warrant/core/sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLive } from '../current.ts';
import type { Query } from '../hits.ts';
import { createSqliteMemoryStore } from './store.ts';

const NOTHING_ELSE = { expected: {}, audit: [] };
const WORDS = ['crane', 'walrus', 'otter', 'harbour', 'lighthouse', 'island'];
const KEYS = ['memory/a', 'memory/A', 'memory/b/x', 'memory/b/y', 'notes/c'];

const time = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
const later = fc.option(fc.integer({ min: 1, max: 9 }), { freq: 2 });
const row = fc.record({
  key: fc.constantFrom(...KEYS),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
  session: fc.constantFrom(null, 's', 't'),
  subject: fc.constantFrom(null, 'kim', '', 'a\u0000"b'),
  from: fc.integer({ min: 0, max: 5 }),
  validTo: later,
  closedAt: later,
  expiresAt: later,
  used: later,
  archived: fc.boolean(),
  damaged: fc.constantFrom(false, false, false, false, true),
});
const asked = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  day: fc.integer({ min: 0, max: 9 }),
  readable: fc.constantFrom([''], ['memory/'], ['memory/b/', 'notes/'], []),
  limit: fc.constantFrom(1, 2, 5, 40, Number.MAX_SAFE_INTEGER),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

function recordOf(one: Row, index: number): MemoryRecord {
  const end = (day: number | null): string | null => (day === null ? null : time(day));
  return {
    id: `r${String(index).padStart(3, '0')}`,
    key: one.key,
    value: one.words.join(' '),
    origin: 'agent-inferred',
    label: { trust: 'agent', sources: ['agent:a'] },
    confidence: 0.5,
    tier: 'working',
    entities: [],
    subject: one.subject,
    validFrom: time(one.from),
    validTo: end(one.validTo),
    recordedAt: time(0),
    closedAt: end(one.closedAt),
    expiresAt: end(one.expiresAt),
    inferred: false,
    sources: [],
    agent: 'a',
    user: null,
    session: one.session,
    speaker: null,
    sequence: null,
    version: 1,
    conflicts: [],
    auditEntry: 'e',
    archived: one.archived,
    consolidated: false,
    directories: [],
    retrievals: 0,
    lastRetrievedAt: end(one.used),
  };
}

type Hit = { readonly id: string; readonly own: number; readonly context: number; readonly alone: boolean };

/** What a search has to give, found by looking at every row. */
function expectedHits(db: SqliteDb, records: readonly MemoryRecord[], damaged: Set<string>, query: Query): Hit[] {
  const ranks = db.arrays<[seq: number, context: number, own: number]>(
    `SELECT rowid, -bm25(memory_text) AS context, -bm25(memory_text, 1.0, 0.0) FROM memory_text
     WHERE memory_text MATCH ? ORDER BY context DESC, rowid`,
    query.words.map((word) => `"${word}"`).join(' OR '),
  );
  return ranks
    .map(([seq, context, own]) => ({ record: records[seq - 1] as MemoryRecord, context, own }))
    .filter(({ record }) => isLive(record, query) && query.readable.some((prefix) => record.key.startsWith(prefix)))
    .slice(0, query.limit)
    .filter(({ record }) => !damaged.has(record.id))
    .map(({ record, context, own }) => ({
      id: record.id,
      own,
      context,
      alone: records.filter(({ key }) => key.toLowerCase() === record.key.toLowerCase()).length === 1,
    }));
}

async function searched(store: MemoryStore, query: Query): Promise<{ hits: Hit[]; records: MemoryRecord[] }> {
  const hits: Hit[] = [];
  const records: MemoryRecord[] = [];
  for await (const { record, own, context, alone = false } of store.search(query)) {
    hits.push({ id: record.id, own, context, alone });
    records.push(record);
  }
  return { hits, records };
}

test('a search gives what a look at every row gives, in its order and with its ranks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      fc.array(asked, { minLength: 4, maxLength: 4 }),
      async (rows, queries) => {
        const file = openSqlite(':memory:');
        const store = createSqliteMemoryStore(file);
        const records = rows.map(recordOf);
        const damaged = new Set(records.flatMap(({ id }, index) => (rows[index]?.damaged === true ? [id] : [])));
        await store.commit(
          records.map((record) => ({ type: 'put', record })),
          NOTHING_ELSE,
        );
        file.write((db) => {
          for (const id of damaged) db.run(`UPDATE memory_records SET value = '{' WHERE id = ?`, id);
        });
        for (const { words, day, readable, limit } of queries) {
          const query = { words, readable, limit, validAt: time(day), knownAt: time(day) };
          const found = await searched(store, query);
          expect(found.hits).toEqual(file.read((db) => expectedHits(db, records, damaged, query)));
          expect(found.records).toEqual(found.hits.map(({ id }) => records.find((one) => one.id === id)));
        }
        file.close();
      },
    ),
    { numRuns: 60, seed: 8 },
  );
});
