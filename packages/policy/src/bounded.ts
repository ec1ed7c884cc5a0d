import { type Timer, WarrantError } from '@warrant/core';

/** How long to wait for a piece of somebody else's work, and what ends the waiting early. */
export type Bounds = {
  readonly timer: Timer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/**
 * Waits for the work, at most so long.
 * @throws POLICY_TIMEOUT (retryable) after `timeoutMs`; POLICY_ABORTED when the signal is aborted first.
 */
export function bounded<T>(work: PromiseLike<T>, what: string, bounds: Bounds): Promise<T> {
  const { timer, timeoutMs, signal } = bounds;
  return new Promise<T>((resolve, reject) => {
    let cancel = (): void => {};
    const stop = (): void => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      stop();
      reject(aborted(signal));
    };
    cancel = timer.after(timeoutMs, () => {
      stop();
      reject(timedOut(what, timeoutMs));
    });
    if (signal?.aborted === true) {
      onAbort();
      return;
    }
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error instanceof Error ? error : new Error('rejected', { cause: error }));
      },
    );
  });
}

/** What an aborted call fails with. */
export function aborted(signal: AbortSignal | undefined): WarrantError {
  return new WarrantError('POLICY_ABORTED', 'the call was aborted', { cause: signal?.reason });
}

function timedOut(what: string, timeoutMs: number): WarrantError {
  return new WarrantError('POLICY_TIMEOUT', `${what} did not answer within ${timeoutMs} ms`, {
    data: { what, timeoutMs },
    retryable: true,
  });
}

/** True for promises and everything else with a `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
