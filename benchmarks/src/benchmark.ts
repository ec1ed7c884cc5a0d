/** One line of the benchmark table. A ratio above 1 means that ours is better, whatever the unit. */
export type Result = {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** What ours is held against: a peer, the raw limit or a figure from the reference's own measurement. */
  readonly against: string;
  readonly theirs: number | null;
  readonly ratio: number | null;
  /** In words, such as `at least 50x` or `under 20 microseconds`. */
  readonly goal: string;
  readonly reached: boolean | 'contended';
};

/** A named group of measurements, made in one run. */
export type Benchmark = {
  readonly name: string;
  readonly run: () => Promise<readonly Result[]>;
};

/** The middle of the sorted values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** @param share between 0 and 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
