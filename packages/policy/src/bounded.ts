import { type Timer, WarrantError } from '@warrant/core';

/** How long to wait for a piece of somebody else's work, and what ends the waiting early. */
export type Bounds = {
  readonly timer: Timer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

type Waiting = {
  readonly signal: AbortSignal | undefined;
  cancel: (() => void) | undefined;
  onAbort: (() => void) | undefined;
};

/**
 * Waits for the work, at most so long.
 * @throws POLICY_TIMEOUT (retryable) after `timeoutMs`; POLICY_ABORTED when the signal is aborted first.
 */
export function bounded<T>(work: PromiseLike<T>, what: string, bounds: Bounds): Promise<T> {
  const { signal } = bounds;
  // This runs in every guarded call: no function is made here that need not be.
  return new Promise<T>((resolve, reject) => {
    const waiting: Waiting = { signal, cancel: undefined, onAbort: undefined };
    waiting.cancel = bounds.timer.after(bounds.timeoutMs, () => {
      stop(waiting);
      reject(timedOut(what, bounds.timeoutMs));
    });
    if (signal !== undefined) watch(waiting, signal, reject);
    work.then(
      (value) => {
        stop(waiting);
        resolve(value);
      },
      (error: unknown) => {
        stop(waiting);
        reject(error instanceof Error ? error : new Error('rejected', { cause: error }));
      },
    );
  });
}

function watch(waiting: Waiting, signal: AbortSignal, reject: (error: Error) => void): void {
  waiting.onAbort = () => {
    stop(waiting);
    reject(aborted(signal));
  };
  if (signal.aborted) waiting.onAbort();
  else signal.addEventListener('abort', waiting.onAbort, { once: true });
}

function stop({ cancel, signal, onAbort }: Waiting): void {
  cancel?.();
  if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
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
