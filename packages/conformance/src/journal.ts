import { describe, test } from 'vitest';
import { appendCases } from './journal-append-cases.ts';
import type { JournalCase, JournalHarness } from './journal-harness.ts';
import { createModelCase } from './journal-model.ts';
import { raceCases } from './journal-race-cases.ts';
import { readCases } from './journal-read-cases.ts';

export type { JournalCase, JournalHarness } from './journal-harness.ts';

export type JournalConformance = {
  /** Of the store, for the titles of tests. */
  readonly name: string;
  /** A journal on fresh data, once a test. Entries up to 1 MiB, an entry of 2 MiB has to be refused. */
  readonly open: () => Promise<JournalHarness>;
  /** Random runs against the model. @default 40 */
  readonly modelRuns?: number;
  /** Of the random runs. @default 20260101 */
  readonly seed?: number;
};

/** Every case of the kit but the model test, for those who run them with another test runner. */
export const journalCases: readonly JournalCase[] = [...appendCases, ...readCases, ...raceCases];

/** Runs one case on a fresh journal. Rejects when the journal does not do what its port promises. */
export async function runJournalCase(one: JournalCase, open: () => Promise<JournalHarness>): Promise<void> {
  const harness = await open();
  try {
    await one.run(harness);
  } finally {
    await harness.dispose();
  }
}

/** Runs random appends, forks and restarts on journals and on a model of them. Rejects with the shortest difference. */
export async function runJournalModel(
  open: () => Promise<JournalHarness>,
  options: { readonly runs?: number; readonly seed?: number } = {},
): Promise<void> {
  await createModelCase(open, { runs: options.runs ?? 40, seed: options.seed ?? 20260101 })();
}

/** Holds a journal to the port, with vitest: examples, races and a model test. */
export function describeJournalConformance(kit: JournalConformance): void {
  describe(`${kit.name} as a journal`, () => {
    for (const one of journalCases) test(one.name, () => runJournalCase(one, kit.open));
    test('does what a model does over random appends, forks and restarts', async () => {
      const seed = kit.seed === undefined ? {} : { seed: kit.seed };
      await runJournalModel(kit.open, kit.modelRuns === undefined ? seed : { ...seed, runs: kit.modelRuns });
    });
  });
}
