import assert from 'node:assert/strict';
import { foldName, type MemoryChange, type MemoryRecord } from '@warrant/core';
import fc from 'fast-check';
import { after, all, found, type MemoryStoreHarness, record } from './memory-store-harness.ts';

const KEYS = ['memory/a', 'memory/A', 'memory/b', 'memory/ß', 'memory/SS'];
const SUBJECTS = [null, 'kim', 'lee'];
const WORDS = ['crane', 'walrus', 'otter'];

type Step =
  | {
      readonly type: 'put';
      readonly key: number;
      readonly subject: number;
      readonly word: number;
      readonly source: number;
    }
  | { readonly type: 'close' | 'archive' | 'restore'; readonly row: number; readonly at: number }
  | { readonly type: 'erase'; readonly subject: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      key: fc.nat(4),
      subject: fc.nat(2),
      word: fc.nat(2),
      source: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('close' as const, 'archive' as const, 'restore' as const),
      row: fc.nat(20),
      at: fc.nat(90),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('erase' as const), subject: fc.integer({ min: 1, max: 2 }) }) },
);

/** Random changes on a store and on a plain list of rows. Rejects with the shortest difference. */
export async function compareWithModel(
  open: () => Promise<MemoryStoreHarness>,
  options: { readonly runs: number; readonly seed: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const harness = await open();
      try {
        await compare(harness, steps);
      } finally {
        await harness.dispose();
      }
    }),
    { numRuns: options.runs, seed: options.seed },
  );
}

async function compare({ store, reopen }: MemoryStoreHarness, steps: readonly Step[]): Promise<void> {
  let model: readonly MemoryRecord[] = [];
  for (const one of steps) {
    const change = changeOf(one, model);
    if (change === undefined) continue;
    await store.commit([change], { expected: {}, audit: [] });
    model = applied(model, change);
  }
  const now = reopen === undefined ? store : await reopen();
  for (const head of await now.heads(KEYS))
    assert.deepEqual(
      head.records,
      model.filter(({ key }) => foldName(key) === foldName(head.key)),
    );
  assert.deepEqual(await all(now.scan()), model);
  for (const word of WORDS) {
    const living = model.filter((row) => row.value === word && row.closedAt === null && !row.archived);
    const hits = new Set(await found(now, [word], { validAt: after(95), knownAt: after(95) }));
    assert.deepEqual(
      [...hits].sort(),
      living.map(({ id }) => id),
    );
  }
  assert.deepEqual(await now.check(), []);
}

function changeOf(one: Step, model: readonly MemoryRecord[]): MemoryChange | undefined {
  if (one.type === 'erase') return { type: 'erase', subject: SUBJECTS[one.subject] as string };
  if (one.type === 'put') {
    const source = model[one.source]?.id;
    const parts = {
      key: KEYS[one.key] as string,
      subject: SUBJECTS[one.subject] as string | null,
      value: WORDS[one.word] as string,
    };
    return { type: 'put', record: record({ ...parts, sources: source === undefined ? [] : [source] }) };
  }
  const id = model[one.row]?.id;
  return id === undefined ? undefined : { type: one.type, id, at: after(one.at) };
}

function applied(model: readonly MemoryRecord[], change: MemoryChange): readonly MemoryRecord[] {
  if (change.type === 'put') return [...model, change.record];
  if (change.type === 'erase') return withoutSubject(model, change.subject);
  if (change.type !== 'close' && change.type !== 'archive' && change.type !== 'restore') return model;
  return model.map((row) => {
    if (row.id !== change.id) return row;
    if (change.type === 'restore') return { ...row, archived: false, closedAt: null };
    const closedAt = row.closedAt === null || change.at < row.closedAt ? (row.closedAt ?? change.at) : row.closedAt;
    return { ...row, closedAt, archived: row.archived || change.type === 'archive' };
  });
}

function withoutSubject(model: readonly MemoryRecord[], subject: string): readonly MemoryRecord[] {
  const gone = new Set(model.filter((row) => row.subject === subject).map(({ id }) => id));
  // Sources are put before what is made from them, so one pass is enough.
  for (const row of model) if (row.sources.some((source) => gone.has(source))) gone.add(row.id);
  return model.filter(({ id }) => !gone.has(id));
}
