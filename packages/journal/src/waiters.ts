/** Readers that wait for news. */
export type Waiters = {
  /** Counts the wakes. */
  version(): number;
  /** Resolves at the next wake, after the time or when aborted, whichever comes first; at once after a wake since `seen`. */
  wait(seen: number, signal: AbortSignal | undefined, timeoutMs: number): Promise<void>;
  wake(): void;
  close(): void;
};

/** @internal */
export function createWaiters(): Waiters {
  const waiting = new Set<() => void>();
  let closed = false;
  let version = 0;
  const wake = (): void => {
    version += 1;
    for (const resolve of [...waiting]) resolve();
  };
  return {
    version: () => version,
    wait: (seen, signal, timeoutMs) =>
      new Promise<void>((resolve) => {
        if (closed || version !== seen || signal?.aborted === true) return resolve();
        const done = (): void => {
          waiting.delete(done);
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal?.addEventListener('abort', done, { once: true });
        waiting.add(done);
      }),
    wake,
    close: () => {
      closed = true;
      wake();
    },
  };
}
