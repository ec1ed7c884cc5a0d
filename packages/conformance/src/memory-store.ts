import { describe, test } from 'vitest';
import { memoryRowCases } from './memory-store-cases.ts';
import type { MemoryStoreCase, MemoryStoreHarness } from './memory-store-harness.ts';
import { compareWithModel } from './memory-store-model.ts';
import { memorySearchCases } from './memory-store-search-cases.ts';

export type { MemoryStoreCase, MemoryStoreHarness } from './memory-store-harness.ts';

export type MemoryStoreConformance = {
  /** Of the store, for the titles of tests. */
  readonly name: string;
  /** A store on fresh data, once a test. */
  readonly open: () => Promise<MemoryStoreHarness>;
  /** Random runs against the model. @default 40 */
  readonly modelRuns?: number;
  /** Of the random runs. @default 20260101 */
  readonly seed?: number;
};

/** Every case of the kit but the model test, for those who run them with another test runner. */
export const memoryStoreCases: readonly MemoryStoreCase[] = [...memoryRowCases, ...memorySearchCases];

/** Runs one case on a fresh store. Rejects when the store does not do what its port promises. */
export async function runMemoryStoreCase(one: MemoryStoreCase, open: () => Promise<MemoryStoreHarness>): Promise<void> {
  const harness = await open();
  try {
    await one.run(harness);
  } finally {
    await harness.dispose();
  }
}

/** Runs random changes on stores and on a model of them. Rejects with the shortest difference. */
export async function runMemoryStoreModel(
  open: () => Promise<MemoryStoreHarness>,
  options: { readonly runs?: number; readonly seed?: number } = {},
): Promise<void> {
  await compareWithModel(open, { runs: options.runs ?? 40, seed: options.seed ?? 20260101 });
}

/** Holds a memory store to the port, with vitest: examples, races and a model test. */
export function describeMemoryStoreConformance(kit: MemoryStoreConformance): void {
  describe(`${kit.name} as a memory store`, () => {
    for (const one of memoryStoreCases) test(one.name, () => runMemoryStoreCase(one, kit.open));
    test('does what a model does over random changes', async () => {
      const seed = kit.seed === undefined ? {} : { seed: kit.seed };
      await runMemoryStoreModel(kit.open, kit.modelRuns === undefined ? seed : { ...seed, runs: kit.modelRuns });
    });
  });
}
