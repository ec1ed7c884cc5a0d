import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { graphStoreApplyCases } from './graph-store-apply-cases.ts';
import type { GraphStoreCapabilities, GraphStoreCase, GraphStoreHarness } from './graph-store-harness.ts';
import { runModel } from './graph-store-model.ts';
import { graphStoreViewCases } from './graph-store-view-cases.ts';

export type { GraphStoreCapabilities, GraphStoreCase, GraphStoreHarness } from './graph-store-harness.ts';

export type GraphStoreConformance = {
  /** Of the store, for the titles of tests. */
  readonly name: string;
  /** A store on fresh data, once a test. */
  readonly createStore: () => Promise<GraphStoreHarness>;
  readonly capabilities: GraphStoreCapabilities;
  /** Random runs against the model. @default 60 */
  readonly modelRuns?: number;
  /** Of the random runs. @default 20260101 */
  readonly seed?: number;
};

/** Every case of the kit but the model test, for those who run them with another test runner. */
export const graphStoreCases: readonly GraphStoreCase[] = [...graphStoreApplyCases, ...graphStoreViewCases];

/** Runs one case on a fresh store. Rejects when the store does not do what its port promises. */
export async function runGraphStoreCase(
  one: GraphStoreCase,
  createStore: () => Promise<GraphStoreHarness>,
): Promise<void> {
  const harness = await createStore();
  try {
    await one.run(harness);
  } finally {
    await harness.dispose();
  }
}

/** Runs random batches and restarts on stores and on a model of them. Rejects with the shortest difference. */
export async function runGraphStoreModel(
  createStore: () => Promise<GraphStoreHarness>,
  options: { readonly runs?: number; readonly seed?: number } = {},
): Promise<void> {
  await runModel(createStore, { runs: options.runs ?? 60, seed: options.seed ?? 20260101 });
}

/** Holds a graph store to the port, with vitest: examples, races and a model test. */
export function describeGraphStoreConformance(kit: GraphStoreConformance): void {
  describe(`${kit.name} as a graph store`, () => {
    for (const one of graphStoreCases) {
      const isAble = one.needs === undefined || kit.capabilities[one.needs];
      test.skipIf(!isAble)(one.name, () => runGraphStoreCase(one, kit.createStore));
    }
    test('can do what it declares, and no more', async () => {
      const harness = await kit.createStore();
      const actual = { restart: harness.reopen !== undefined, sharing: harness.another !== undefined };
      await harness.dispose();
      assert.deepEqual(actual, kit.capabilities);
    });
    test('does what a model does over random batches and restarts', async () => {
      const seed = kit.seed === undefined ? {} : { seed: kit.seed };
      await runGraphStoreModel(kit.createStore, kit.modelRuns === undefined ? seed : { ...seed, runs: kit.modelRuns });
    });
  });
}
