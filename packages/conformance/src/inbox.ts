import { describe, test } from 'vitest';
import { inboxAnsweringCases } from './inbox-answering-cases.ts';
import { inboxAskingCases } from './inbox-asking-cases.ts';
import { inboxClockCases } from './inbox-clock-cases.ts';
import type { InboxCase, InboxHarness } from './inbox-harness.ts';
import { createInboxModelCase } from './inbox-model.ts';
import { inboxUsingCases } from './inbox-using-cases.ts';

export type { InboxCase, InboxHarness } from './inbox-harness.ts';

export type InboxConformance = {
  /** Of the store, for the titles of tests. */
  readonly name: string;
  /** An inbox on fresh data, once a test. */
  readonly open: () => Promise<InboxHarness>;
  /** Random runs against the model. @default 40 */
  readonly modelRuns?: number;
  /** Of the random runs. @default 20260101 */
  readonly seed?: number;
};

/** Every case of the kit but the model test, for those who run them with another test runner. */
export const inboxCases: readonly InboxCase[] = [
  ...inboxAskingCases,
  ...inboxAnsweringCases,
  ...inboxUsingCases,
  ...inboxClockCases,
];

/** Runs one case on a fresh inbox. Rejects when the inbox does not do what its port promises. */
export async function runInboxCase(one: InboxCase, open: () => Promise<InboxHarness>): Promise<void> {
  const harness = await open();
  try {
    await one.run(harness);
  } finally {
    await harness.dispose();
  }
}

/** Runs random questions, answers and uses on inboxes and on a model of them. Rejects with the shortest difference. */
export async function runInboxModel(
  open: () => Promise<InboxHarness>,
  options: { readonly runs?: number; readonly seed?: number } = {},
): Promise<void> {
  await createInboxModelCase(open, { runs: options.runs ?? 40, seed: options.seed ?? 20260101 })();
}

/** Holds an inbox to the port, with vitest: examples, races and a model test. */
export function describeInboxConformance(kit: InboxConformance): void {
  describe(`${kit.name} as an inbox`, () => {
    for (const one of inboxCases) test(one.name, () => runInboxCase(one, kit.open));
    test('does what a model does over random questions, answers and uses', async () => {
      const seed = kit.seed === undefined ? {} : { seed: kit.seed };
      await runInboxModel(kit.open, kit.modelRuns === undefined ? seed : { ...seed, runs: kit.modelRuns });
    });
  });
}
