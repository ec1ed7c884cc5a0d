import type { FailureEdge } from './propose.ts';

/** One failure that pointed at an edge. */
export type CountedFailure = {
  /** The id under which the edge stands, or would stand, in the review queue. */
  readonly proposalId: string;
  readonly edge: FailureEdge;
  /** The entry of the catalogue that knew it. */
  readonly entry: string;
};
/** How often failures pointed at an edge. */
export type FailureCount = CountedFailure & {
  readonly count: number;
  /** ISO-8601. */
  readonly firstAt: string;
  readonly lastAt: string;
};

/** Where failures are counted: a metric, kept as well as may be. */
export interface FailureCounts {
  /** Never throws and never waits. */
  count(failure: CountedFailure): void;
  /** What was counted so far, most often first. */
  list(): Promise<readonly FailureCount[]>;
}
