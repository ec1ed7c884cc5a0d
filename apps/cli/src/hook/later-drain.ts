import { drainOutbox } from '@warrant/journal';
import type { Workspace } from '@warrant/workspace';

/**
 * Moves records into the journal after the answer that they are of: kept they are before it, in one transaction with what
 * was decided. Where that fails, nothing more is answered until it succeeds.
 */
export type LaterDrain = {
  /** @throws what stands in the way of the records of earlier events */
  readonly ready: () => Promise<void>;
  readonly left: () => Promise<void>;
  /** Moves what was left until now; never rejects. */
  readonly run: () => Promise<void>;
};

export function createLaterDrain({ file, journal }: Pick<Workspace, 'file' | 'journal'>): LaterDrain {
  let due = false;
  let failed = false;
  let last: Promise<void> = Promise.resolve();
  const drain = async (): Promise<void> => {
    await drainOutbox(file.outbox, journal);
    failed = false;
  };
  return {
    ready: async () => {
      if (failed) await drain();
    },
    left: async () => {
      due = true;
    },
    run: () => {
      if (due) {
        due = false;
        last = last.then(drain).catch(() => {
          failed = true;
        });
      }
      return last;
    },
  };
}
