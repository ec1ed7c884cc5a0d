import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock, WarrantError } from '@warrant/core';

/**
 * The system's `flock(2)` on an open file: `exnb` takes it or throws `EAGAIN`, `un` gives it back. Node has none; libraries
 * that have one fit as they are.
 */
export type Flock = (descriptor: number, how: 'exnb' | 'un') => void;

/** Runs work while vouch, too, is kept from the log; without a `flock` it only runs it. */
export type LogLock = { hold<T>(work: () => Promise<T>): Promise<T> };

/**
 * The lock that vouch takes around each line that it appends: `flock` on a file beside the log.
 * @throws REVIEW_LOCKED (retryable) when vouch held it for longer than `waitMs`
 */
export function createLogLock(
  path: string,
  options: { readonly flock?: Flock; readonly waitMs?: number; readonly clock?: Clock } = {},
): LogLock {
  const { flock, waitMs = 30_000, clock = systemClock } = options;
  if (flock === undefined) return { hold: (work) => work() };
  return {
    hold: async (work) => {
      const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
      const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o644);
      try {
        const until = clock.now() + waitMs;
        for (let pause = 0.5; !tryFlock(flock, file); pause = Math.min(8, pause * 1.5)) {
          if (clock.now() > until) {
            const data = { waitMs };
            throw new WarrantError('REVIEW_LOCKED', 'vouch holds the audit log', { data, retryable: true });
          }
          await sleep(pause);
        }
        try {
          return await work();
        } finally {
          flock(file, 'un');
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

function tryFlock(flock: Flock, file: number): boolean {
  try {
    flock(file, 'exnb');
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EWOULDBLOCK');
}
