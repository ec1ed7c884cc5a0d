import assert from 'node:assert/strict';
import type { ReviewRecord } from '@warrant/core';
import fc from 'fast-check';
import { approved, collect, commitOf, eventOf, type ReviewStoreHarness, recordOf } from './review-store-harness.ts';

type Step =
  | {
      readonly type: 'commit';
      readonly id: string;
      readonly stale: boolean;
      readonly approve: boolean;
      readonly artifact: string | null;
    }
  | { readonly type: 'event'; readonly id: string }
  | { readonly type: 'reopen' };

const id = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      id,
      stale: fc.boolean(),
      approve: fc.boolean(),
      artifact: fc.option(fc.constantFrom('x', 'y')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('event' as const), id }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reopen' as const) }) },
);

/** Random commits on the store and on a model of it. */
export async function runModel(
  createStore: () => Promise<ReviewStoreHarness>,
  options: { readonly runs: number; readonly seed: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const harness = await createStore();
      try {
        await runSteps(harness, steps);
      } finally {
        await harness.dispose();
      }
    }),
    { numRuns: options.runs, seed: options.seed },
  );
}

async function runSteps(harness: ReviewStoreHarness, steps: readonly Step[]): Promise<void> {
  const records = new Map<string, ReviewRecord>();
  const artifacts = new Set<string>();
  const events: string[] = [];
  let store = harness.store;
  for (const [index, item] of steps.entries()) {
    const name = `e${index}`;
    if (item.type === 'reopen') store = (await harness.reopen?.()) ?? store;
    else if (item.type === 'event') {
      await store.commit(commitOf(item.id, { record: null, events: [eventOf(name, item.id)] }));
      events.push(name);
    } else {
      const current = await store.read(item.id);
      const record = item.approve ? approved(recordOf(item.id)) : recordOf(item.id, { approvals: (index % 3) + 1 });
      const artifact = item.artifact;
      const body = { id: artifact ?? '', name, type: 'tool' };
      const result = await store.commit(
        commitOf(item.id, {
          expected: item.stale ? 'stale' : (current?.version ?? null),
          record,
          artifacts: artifact === null ? [] : [{ type: 'create', kind: 'entity', id: artifact, body }],
          events: [eventOf(name, item.id)],
        }),
      );
      const wanted = item.stale
        ? 'conflict'
        : artifact !== null && artifacts.has(artifact)
          ? 'artifact-conflict'
          : 'committed';
      assert.equal(result.type, wanted);
      if (wanted === 'committed') {
        records.set(item.id, record);
        events.push(name);
        if (artifact !== null) artifacts.add(artifact);
      }
    }
    for (const key of ['a', 'b', 'c']) assert.deepEqual((await store.read(key))?.record, records.get(key));
    for (const key of ['x', 'y']) assert.equal((await store.artifact('entity', key)) !== undefined, artifacts.has(key));
  }
  assert.deepEqual(
    (await collect(store.events())).map((event) => event.event),
    events,
  );
  assert.equal((await collect(store.list())).length, records.size);
  assert.equal((await store.verify()).ok, true);
}
