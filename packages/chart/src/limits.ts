/** Bounds that make every step end; all of them deterministic. */
export type Limits = {
  /** Microsteps of one macrostep. @default 1000 */
  readonly microsteps: number;
  /** Macrosteps that one input may cause through events the chart sends to itself. @default 1000 */
  readonly macrosteps: number;
  /** Items that all foreach of one input visit together. @default 10000 */
  readonly foreachItems: number;
  /** Events waiting in a queue. @default 1000 */
  readonly queueLength: number;
  /** Size of the data, about its characters as JSON; also of each value that is assigned. @default 1000000 */
  readonly dataSize: number;
};

export const defaultLimits: Limits = {
  microsteps: 1000,
  macrosteps: 1000,
  foreachItems: 10_000,
  queueLength: 1000,
  dataSize: 1_000_000,
};
