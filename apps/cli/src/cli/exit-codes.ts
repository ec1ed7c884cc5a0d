/** What the command's end means; every command uses these and no others. */
export const exitCodes = {
  /** Done, or the answer is yes. */
  ok: 0,
  /** The answer is no: not grounded, blocked, faults found, a test failed. */
  no: 1,
  /** The command or a file given to it is wrong; nothing was changed. */
  usage: 2,
  /** What was asked for is not there. */
  missing: 3,
  /** Waits for a person. */
  pending: 4,
  /** A file, database or other outside thing failed. */
  failed: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
