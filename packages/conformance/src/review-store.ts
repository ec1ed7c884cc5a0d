import { describe, test } from 'vitest';
import { reviewStoreCases } from './review-store-cases.ts';
import type { ReviewStoreCase, ReviewStoreHarness } from './review-store-harness.ts';
import { runModel } from './review-store-model.ts';

export { reviewStoreCases } from './review-store-cases.ts';
export type { ReviewStoreCase, ReviewStoreHarness } from './review-store-harness.ts';

export type ReviewStoreConformance = {
  /** Of the store, for the titles of tests. */
  readonly name: string;
  /** A store on fresh data, once a test. */
  readonly createStore: () => Promise<ReviewStoreHarness>;
  /** Random runs against the model. @default 40 */
  readonly modelRuns?: number;
  /** Of the random runs. @default 20260101 */
  readonly seed?: number;
};

/** Runs one case on a fresh store. Rejects when the store does not do what its port promises. */
export async function runReviewStoreCase(
  one: ReviewStoreCase,
  createStore: () => Promise<ReviewStoreHarness>,
): Promise<void> {
  const harness = await createStore();
  try {
    await one.run(harness);
  } finally {
    await harness.dispose();
  }
}

/** Runs random commits on stores and on a model of them. Rejects with the shortest difference. */
export async function runReviewStoreModel(
  createStore: () => Promise<ReviewStoreHarness>,
  options: { readonly runs?: number; readonly seed?: number } = {},
): Promise<void> {
  await runModel(createStore, { runs: options.runs ?? 40, seed: options.seed ?? 20260101 });
}

/** Holds a review store to the port, with vitest: examples, races and a model test. */
export function describeReviewStoreConformance(kit: ReviewStoreConformance): void {
  describe(`${kit.name} as a review store`, () => {
    for (const one of reviewStoreCases) {
      test(one.name, async (context) => {
        const harness = await kit.createStore();
        const isAble = one.needs === undefined || harness[one.needs] !== undefined;
        await harness.dispose();
        if (!isAble) return context.skip();
        return runReviewStoreCase(one, kit.createStore);
      });
    }
    test('does what a model does over random commits', async () => {
      await runReviewStoreModel(kit.createStore, {
        ...(kit.modelRuns !== undefined && { runs: kit.modelRuns }),
        ...(kit.seed !== undefined && { seed: kit.seed }),
      });
    });
  });
}
