import type { Recorded } from '@warrant/core';
import { isWarrantError, type Reason } from '@warrant/core';
import type { Entries } from './replay.ts';

/** What a decision came to, and why. */
export type Outcome = { readonly type: string; readonly reasons: readonly Reason[] };
/** A decision found in an entry: as it was recorded, and as it comes out now over the same input. */
export type Redecided = { readonly recorded: Outcome; readonly now: Outcome };
export type ChangedDecision = {
  readonly stream: string;
  readonly position: number;
  readonly id: string;
  readonly recorded: Outcome;
  readonly now: Outcome;
};
export type Recheck = {
  /** Entries that held a decision. */
  readonly checked: number;
  /** Entries that held none. */
  readonly passedOver: number;
  readonly changed: readonly ChangedDecision[];
  /** Same outcome for other reasons. */
  readonly otherReasons: readonly ChangedDecision[];
  /** Entries whose decision could not be made again, with the error's code or message. */
  readonly failed: readonly {
    readonly stream: string;
    readonly position: number;
    readonly id: string;
    readonly problem: string;
  }[];
};

/**
 * Makes recorded decisions again, perhaps under another policy, graph or chart, and tells which come out otherwise.
 * `decide` is pure: it reads the recorded input out of the entry and gives both outcomes, or undefined for an entry
 * that holds no decision.
 */
export async function recheck(entries: Entries, decide: (entry: Recorded) => Redecided | undefined): Promise<Recheck> {
  const changed: ChangedDecision[] = [];
  const otherReasons: ChangedDecision[] = [];
  const failed: Recheck['failed'][number][] = [];
  let checked = 0;
  let passedOver = 0;
  for await (const entry of entries) {
    const { stream, position, id } = entry;
    const made = attempt(entry, decide);
    if (made.type === 'failed') {
      failed.push({ stream, position, id, problem: made.problem });
    } else if (made.decision === undefined) {
      passedOver += 1;
    } else {
      checked += 1;
      const { recorded, now } = made.decision;
      if (recorded.type !== now.type) changed.push({ stream, position, id, recorded, now });
      else if (codesOf(recorded) !== codesOf(now)) otherReasons.push({ stream, position, id, recorded, now });
    }
  }
  return { checked, passedOver, changed, otherReasons, failed };
}

type Attempt =
  | { readonly type: 'made'; readonly decision: Redecided | undefined }
  | { readonly type: 'failed'; readonly problem: string };

function attempt(entry: Recorded, decide: (entry: Recorded) => Redecided | undefined): Attempt {
  try {
    return { type: 'made', decision: decide(entry) };
  } catch (error) {
    if (isWarrantError(error)) return { type: 'failed', problem: error.code };
    return { type: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}

function codesOf(outcome: Outcome): string {
  return JSON.stringify(outcome.reasons.map((reason) => reason.code).sort());
}
